import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import process from 'node:process';
import { HoldfastError } from '../../errors/index.ts';
import type { Mount } from '../../plan/mount.ts';
import type { Plan } from '../../plan/types.ts';
import { type Backend, type BackendPresence, namespaceGuarantees } from '../backend.ts';
import { firstProgram } from '../first-program.ts';
import { encodePlan } from '../launcher/encode-plan.ts';
import { launch } from '../launcher/launch.ts';
import { notifyFor, seccompFor } from '../seccomp.ts';

/** Only system directories: a box could have written a `bwrap` into a writable root. */
const places = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap', '/run/current-system/sw/bin/bwrap'] as const;
const remedy = 'install bubblewrap 0.8 or newer (Debian: `apt-get install bubblewrap`)';
const oldest = { major: 0, minor: 8 } as const;
/**
 * The same list as in `hide_kernel` of `native/src/launch/root/root.c`. bwrap cannot mount over a file that this kernel
 * lacks.
 */
const kernelFacts = ['/proc/config.gz', '/proc/kallsyms', '/proc/keys'] as const;

export const bubblewrapBackend: Backend = {
  name: 'bubblewrap',
  warm: 'impossible',
  guarantees: namespaceGuarantees,
  presence,
  start(plan, options) {
    const bwrap = firstProgram(places);
    if (bwrap === undefined) throw new HoldfastError('HF_BACKEND_MISSING', 'bubblewrap is not installed', { remedy });
    const helper = bubblewrapCommand(plan, {
      bwrap,
      launcher: options.launcher,
      hidden: kernelFacts.filter((path) => existsSync(path)),
    });
    const encodedPlan = encodePlan(plan, {
      seccomp: seccompFor(plan),
      notify: notifyFor(plan),
      stderr: options.stderr,
      command: options.command ?? 'now',
      helper,
      ...(options.box === undefined ? {} : { box: options.box }),
    });
    return launch({
      launcher: options.launcher,
      arguments: [],
      encodedPlan,
      stdio: options.stdio,
      terminal: options.terminal ?? 'callers',
      ...(options.network === undefined ? {} : { network: options.network }),
      ...(options.listener === undefined ? {} : { listener: options.listener }),
    });
  },
};

function presence(): BackendPresence {
  const bwrap = firstProgram(places);
  if (bwrap === undefined) return { kind: 'absent', remedy };
  const version = /(\d+)\.(\d+)[\d.]*/u.exec(
    spawnSync(bwrap, ['--version'], {
      encoding: 'utf8',
      timeout: 2000,
      killSignal: 'SIGKILL',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).stdout ?? '',
  );
  const [text, major = 0, minor = 0] =
    version === null ? [undefined] : [version[0], Number(version[1]), Number(version[2])];
  const recent = major > oldest.major || (major === oldest.major && minor >= oldest.minor);
  return text !== undefined && recent ? { kind: 'present', version: `bubblewrap ${text}` } : { kind: 'absent', remedy };
}

/** Path of the launcher inside the box. */
export const bubblewrapLauncher = '/run/holdfast/launch';

/** Covers of names that the launcher mounts while the box runs, as in `native/src/launch/root/masks.h`. */
const keptMasks = '/run/holdfast/masks';

interface BubblewrapCommand {
  readonly words: readonly string[];
  /** Contents of the `@data:N` arguments. The launcher replaces each argument with a descriptor number. */
  readonly data: readonly Uint8Array[];
}

/**
 * Arguments that the launcher replaces: `@protect:/x` with the protected names in the mount at `/x`, `@data:N` with a
 * descriptor.
 */
const protectWord = '@protect:';

/** Stores a content and returns the argument for it. */
type Put = (content: string, encoding?: 'utf8' | 'base64') => string;

/** Renders a plan for bubblewrap 0.8 and newer. Order matters: later mounts cover earlier ones. */
export function bubblewrapCommand(
  plan: Plan,
  options: { readonly bwrap: string; readonly launcher: string; readonly hidden: readonly string[] },
): BubblewrapCommand {
  const data: Uint8Array[] = [];
  const put: Put = (content, encoding = 'utf8') => `@data:${data.push(Buffer.from(content, encoding)) - 1}`;
  // Directories of approved files are complete once the files are in them.
  const complete = plan.mounts.flatMap((mount) =>
    mount.kind === 'tmpfs' && mount.made === 'late' ? ['--remount-ro', mount.target] : [],
  );
  const masks = options.hidden.map((target): Mount => ({ kind: 'mask', target, type: 'file' }));
  const mounts = [...[...plan.mounts, ...masks].flatMap((mount) => mountWords(mount, put)), ...complete];
  // For an open network, the launcher makes a namespace around bwrap, because bwrap cannot add routes to its own.
  const namespaces =
    plan.network.kind === 'closed'
      ? ['--unshare-all']
      : ['--unshare-ipc', '--unshare-pid', '--unshare-uts', '--unshare-cgroup-try'];
  const isolation = [
    ...namespaces,
    '--unshare-user',
    '--die-with-parent',
    '--cap-drop',
    'ALL',
    ...keptForLauncher(options.bwrap),
  ];
  const launcher = ['--ro-bind', options.launcher, bubblewrapLauncher];
  // A separate file. The kernel cannot mount a file again whose name is gone, as with `--ro-bind-data`.
  const kept = `--perms 0755 --tmpfs ${keptMasks} --perms 0000 --file ${put('')} ${keptMasks}/file`
    .concat(` --perms 0000 --dir ${keptMasks}/directory --remount-ro ${keptMasks}`)
    .split(' ');
  return {
    words: [
      options.bwrap,
      ...isolation,
      ...mounts,
      ...launcher,
      ...kept,
      '--remount-ro',
      '/',
      '--',
      bubblewrapLauncher,
      'inner',
    ],
    data,
  };
}

/**
 * The capabilities that the launcher needs to look into programs that forbid it, and to drop all capabilities before
 * the command begins.
 */
function keptForLauncher(bwrap: string): readonly string[] {
  const isSetuid = ((statSync(bwrap, { throwIfNoEntry: false })?.mode ?? 0) & 0o4000) !== 0;
  // A setuid bwrap keeps no capabilities for a user who is not root.
  return isSetuid && process.getuid?.() !== 0 ? [] : ['--cap-add', 'CAP_SYS_PTRACE', '--cap-add', 'CAP_SETPCAP'];
}

function mountWords(mount: Mount, put: Put): readonly string[] {
  switch (mount.kind) {
    case 'bind':
      return [bindOption(mount.access, mount.presence), mount.source, mount.target, `${protectWord}${mount.target}`];
    case 'overlay':
      // Older versions have no overlay, so the cache is mounted read-only. This is stricter than the plan.
      return ['--ro-bind', mount.lower, mount.target, `${protectWord}${mount.target}`];
    case 'tmpfs':
      return ['--perms', mount.mode.toString(8).padStart(4, '0'), ...sizeWords(mount.size), '--tmpfs', mount.target];
    case 'proc':
      return ['--proc', mount.target, '--remount-ro', mount.target];
    case 'devices':
      return [
        '--dev',
        mount.target,
        '--perms',
        '1777',
        ...sizeWords(mount.shmSize),
        '--tmpfs',
        `${mount.target}/shm`,
        '--remount-ro',
        mount.target,
      ];
    case 'directory':
      return ['--perms', mount.mode.toString(8).padStart(4, '0'), '--dir', mount.target];
    case 'symlink':
      // Attack: a link whose text is one of the launcher's own arguments.
      return ['--symlink', mount.to.startsWith('@') ? `./${mount.to}` : mount.to, mount.target];
    case 'file':
      return [
        '--perms',
        mount.mode.toString(8).padStart(4, '0'),
        '--ro-bind-data',
        put(mount.content, mount.encoding),
        mount.target,
      ];
    case 'mask':
      return mount.type === 'directory'
        ? ['--perms', '0000', '--tmpfs', mount.target, '--remount-ro', mount.target]
        : ['--perms', '0000', '--ro-bind-data', put(''), mount.target];
  }
}

function bindOption(access: 'read-only' | 'read-write', presence: 'required' | 'optional'): string {
  const option = access === 'read-write' ? '--bind' : '--ro-bind';
  return presence === 'optional' ? `${option}-try` : option;
}

function sizeWords(size: number): readonly string[] {
  return size === 0 ? [] : ['--size', String(Math.trunc(size))];
}
