import type { PathEffect } from '../types.ts';
import type { CommandClass } from './command-class.ts';

export interface ClassPlace {
  /** Absolute path. */
  readonly workspace: string;
  readonly home: string;
  /** Form of git commands that read. Default: `neutral`, without the repository's configuration. */
  readonly git?: 'neutral' | 'as-is';
}

/** Files below the home directory that start programs of the user's shells, desktops and services. */
const startsLaterAtHome =
  /^(?:\.(?:bash|zsh|ksh|csh|tcsh|login|logout|profile|xprofile|xinitrc|xsession|xsessionrc|zlogin|zlogout|zprofile|zshenv|inputrc|pam_environment|kshrc|cshrc|tcshrc)[\w-]*|\.bash_(?:profile|login|logout|aliases)|\.config\/(?:autostart|systemd|environment\.d|fish|upstart|plasma-workspace)(?:\/.*)?|\.ssh\/(?:rc|environment|authorized_keys)|Library\/(?:LaunchAgents|LaunchDaemons)(?:\/.*)?|\.local\/share\/systemd(?:\/.*)?)$/u;
/** The same for the machine. */
const startsLater =
  /^\/(?:etc\/(?:cron[\w.]*|anacrontab|at\.(?:allow|deny)|profile|profile\.d|bash\.bashrc|bashrc|zshrc|zsh|zshenv|environment|rc\.local|rc[\w.]*\.d|init\.d|init|inittab|systemd|xdg\/autostart|update-motd\.d|security\/pam_env\.conf)|var\/spool\/(?:cron|at|anacron)|(?:usr\/)?lib\/systemd|usr\/local\/lib\/systemd|run\/systemd|Library\/(?:LaunchAgents|LaunchDaemons|StartupItems))(?:\/.*)?$/u;
const harmless = /^\/dev\/(?:null|zero|full|tty|stdin|stdout|stderr|fd\/\d+|ptmx|pts\/\d+)$/u;
const passing = ['/tmp', '/var/tmp', '/dev/shm'];
const caches =
  /^(?:\.cache|\.npm|\.cargo|\.rustup|\.gradle|\.m2|go|\.local\/share\/(?:pnpm|uv)|\.yarn|\.bun)(?:\/.*)?$/u;

/** Returns the class of a write or a deletion, by its path. An unknown path counts as the worst. */
export function classOfWrite({ path, scope, text, use }: PathEffect, place: ClassPlace): CommandClass {
  if (path === undefined) return use === 'delete' ? 'destroys' : 'anything';
  if (harmless.test(path)) return 'reads';
  if (use === 'delete' && scope === 'tree' && losesAll(path, text, place)) return 'destroys';
  const atHome = isWithin(path, place.home) ? path.slice(place.home.length + 1) : undefined;
  if (startsLater.test(path) || (atHome !== undefined && startsLaterAtHome.test(atHome)))
    return 'leaves the session behind';
  if (isWithin(path, place.workspace) || passing.some((root) => isWithin(path, root))) return 'writes the workspace';
  if (path.startsWith('/dev/')) return 'destroys';
  if (use === 'delete' && scope === 'tree') return 'destroys';
  return atHome !== undefined && caches.test(atHome) ? 'writes the workspace' : 'changes the machine';
}

/** Whether it destroys the workspace or a home, a directory around them, or the history of the workspace. */
function losesAll(path: string, text: string, { workspace, home }: ClassPlace): boolean {
  const roots = [workspace, home, ...passing];
  // A pattern with part of a name matches only some of the files.
  if (/[*?[{]/u.test(text) && (path === workspace || passing.includes(path)))
    return !/[\w-]{2}|\.\w/u.test(text.slice(text.lastIndexOf('/') + 1).replace(/\[[^\]]*(?:\]|$)/gu, ''));
  return roots.some((root) => isWithin(root, path)) || path === `${workspace}/.git`;
}

function isWithin(path: string, root: string): boolean {
  return path === root || path.startsWith(root === '/' ? '/' : `${root}/`);
}
