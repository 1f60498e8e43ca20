import type { Mount } from '../../plan/mount.ts';
import type { Plan } from '../../plan/types.ts';
import { reading } from './names.ts';
import { foldedText } from './patterns.ts';
import { sbplLiteral, regex, rule, type SbplRule, subpath } from './sbpl.ts';

const writing = ['file-write*'] as const;

/**
 * Rules for the box's reads and writes. A profile cannot replace one path with another. So the box's private paths are
 * in a directory that the supervisor makes, and the host's own paths are refused.
 *
 * Order matters, because the last matching rule wins: deeper paths come later, and so does the later one of two mounts
 * with the same path.
 */
export function mountRules(plan: Pick<Plan, 'mounts' | 'landlock'>, privateDirectory: string): readonly SbplRule[] {
  const reads = readsOf(plan);
  const mounts = plan.mounts.toSorted((a, b) => depthOf(a.target) - depthOf(b.target));
  const programs =
    plan.landlock.execution === 'any'
      ? []
      : plan.landlock.rules.flatMap(({ access, path }) => (access === 'execute' ? [sbplLiteral(path)] : []));
  return [
    ...rule(
      'allow',
      ['file-read-metadata'],
      ancestorsOf([...mounts.filter(isShown).map(({ target }) => target), privateDirectory]).map(sbplLiteral),
    ),
    ...mounts.flatMap((mount) => mountRule(mount, reads)),
    ...rule('allow', ['process-exec*'], programs),
    ...rule('allow', reads, [subpath(privateDirectory)]),
    ...rule(
      'allow',
      writing,
      mounts.flatMap((mount) =>
        mount.kind === 'tmpfs' && mount.made !== 'late' ? [subpath(`${privateDirectory}${mount.target}`)] : [],
      ),
    ),
    ...rule(
      'deny',
      writing,
      mounts.flatMap((mount) => (mount.kind === 'file' ? [subpath(`${privateDirectory}${mount.target}`)] : [])),
    ),
  ];
}

/** Operations that are allowed on readable paths. If programs are listed, execution is not among them. */
export function readsOf({ landlock }: Pick<Plan, 'landlock'>): readonly string[] {
  return landlock.execution === 'any' ? reading : reading.filter((operation) => operation !== 'process-exec*');
}

/** Denies moving certain paths in writable directories: to move them would also move the fixed paths below them. */
export function pinRules({ mounts, protection }: Pick<Plan, 'mounts' | 'protection'>): readonly SbplRule[] {
  const fixed = [
    ...mounts.filter(({ kind }) => kind !== 'symlink' && kind !== 'directory').map(({ target }) => target),
    ...protection.guarded,
  ];
  const writable = mounts.flatMap((mount) =>
    mount.kind === 'bind' && mount.access === 'read-write' ? [mount.target] : [],
  );
  const pinned = [...fixed, ...ancestorsOf(fixed)].filter((path) =>
    writable.some((root) => path === root || path.startsWith(`${root}/`)),
  );
  return rule('deny', ['file-write-unlink'], pinned.map(sbplLiteral));
}

/** Matches a path and everything beneath it, in any case and any normal form, and also the real path. */
export function placeFilter(path: string): string {
  const moved = linked.test(path) ? '(/private)?' : '';
  return regex(`^${moved}${path === '/' ? '' : foldedText(path)}(/|$)`);
}

/** Links into `/private`, which every Mac has. */
const linked = /^\/(?:tmp|var|etc)(?:\/|$)/u;

function mountRule(mount: Mount, reads: readonly string[]): readonly SbplRule[] {
  const { target } = mount;
  switch (mount.kind) {
    case 'bind':
      // Connecting to a socket needs no other right. `networkRules` grants it.
      if (mount.access === 'read-write') return rule('allow', [...reads, ...writing], [subpath(target)]);
      return [...rule('deny', writing, [placeFilter(target)]), ...rule('allow', reads, [subpath(target)])];
    case 'overlay':
      // A profile cannot redirect writes, so they are denied.
      return [...rule('deny', writing, [placeFilter(target)]), ...rule('allow', reads, [subpath(target)])];
    case 'tmpfs':
    case 'proc':
    case 'devices':
    case 'file':
    case 'mask':
      return rule('deny', [...reading, ...writing], [placeFilter(target)]);
    case 'symlink':
    case 'directory':
      return rule('allow', ['file-read-metadata'], [sbplLiteral(target)]);
  }
}

function isShown({ kind }: Mount): boolean {
  return kind === 'bind' || kind === 'overlay' || kind === 'directory';
}

function depthOf(path: string): number {
  return path === '/' ? 0 : path.split('/').length + (linked.test(path) ? 1 : 0);
}

/** Ancestors of the paths, without the paths themselves: programs look up every directory on the way. */
function ancestorsOf(paths: readonly string[]): readonly string[] {
  const all = paths.flatMap((path) => {
    const parts = path.split('/').slice(1, -1);
    return ['/', ...parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`)];
  });
  return [...new Set(all)].toSorted();
}
