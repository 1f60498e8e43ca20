import { pathEffect, type Place } from '../tools/paths.ts';
import { shown, textOf } from '../tools/words.ts';
import type { Effects, Redirect } from '../types.ts';
import { both, noEffects, reachesHost, reason, readsPath, together, writesPath } from './effects.ts';

/** What the redirects of a command do. The shell opens these files itself, whatever the program is. */
export function redirectEffects(redirects: readonly Redirect[], place: Place): Effects {
  return redirects.length === 0 ? noEffects : together(redirects.map((redirect) => effectOf(redirect, place)));
}

/** Files that keep nothing and tell nothing. */
const streams = /^\/dev\/(?:null|zero|full|tty|stdin|stdout|stderr|fd\/\d+)$/u;
/** Bash opens a connection where it reads such a name; no such file is there. */
const connection = /^\/dev\/(?:tcp|udp)\/([^/]*)\/([^/]*)$/u;

function effectOf({ use, target }: Redirect, place: Place): Effects {
  const text = textOf(target);
  if (text !== undefined && streams.test(text)) return noEffects;
  const host = text === undefined ? null : connection.exec(text);
  if (host !== null) return reachesHost({ host: host[1] ?? '', port: portOf(host[2] ?? ''), text: text ?? '' });
  const effect = pathEffect(target, place, { use: use === 'read' ? 'read' : 'write', scope: 'file' });
  const known = use === 'read' ? readsPath(effect) : use === 'read-write' ? both(readsPath({ ...effect, use: 'read' }), writesPath(effect)) : writesPath(effect);
  return effect.path === undefined ? both(known, reason('dynamic-word', `the file \`${shown(target)}\` of a redirect is not known before it runs`, target)) : known;
}

function portOf(text: string): number | undefined {
  return /^\d{1,5}$/u.test(text) ? Number(text) : undefined;
}
