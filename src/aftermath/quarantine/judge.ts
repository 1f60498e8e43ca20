import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { dangerousSetting } from './git-config.ts';

export type QuarantineJudgement = { readonly kind: 'harmless' } | { readonly kind: 'refused'; readonly reason: string };

/** A new file under a protected name. */
export interface AppearedName {
  /** Absolute path, as reported by the launcher. */
  readonly path: Buffer;
  /** Path of the same file through an open directory. */
  readonly pinned: Buffer;
  /** Writable roots, as real paths. */
  readonly roots: readonly string[];
  /** The roots that are git directories, under any name. */
  readonly gitDirectories: readonly string[];
  /** Whether a path exists, with no symlink on the way. Default: on the host. */
  readonly isPlain?: (path: string) => boolean;
}

const harmless: QuarantineJudgement = { kind: 'harmless' };
const largest = 1 << 20;

/**
 * Returns whether a new protected name is one that git itself makes and that can run nothing. So `git init`, `clone`,
 * `worktree add` and `submodule add` keep working in the box. Every other new protected name is refused.
 */
export function judgeAppeared(subject: AppearedName): QuarantineJudgement {
  if (!isUtf8(subject.path)) return refused('its path is not valid UTF-8');
  const path = subject.path.toString('utf8');
  const judge = judges.get(basename(path));
  if (judge === undefined) return refused(`${basename(path)} may run or redirect something outside the box`);
  try {
    return judge({ ...subject, path });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return harmless;
    if (code === 'EACCES') return refused('it cannot be read');
    throw error;
  }
}

interface Named extends Omit<AppearedName, 'path'> {
  readonly path: string;
}

const judges: ReadonlyMap<string, (subject: Named) => QuarantineJudgement> = new Map([
  ['hooks', judgeHooks],
  ['config', judgeConfig],
  ['config.worktree', judgeConfig],
  ['commondir', judgeCommonDirectory],
  ['gitdir', judgeBackPointer],
  ['.git', judgeDotGit],
]);

function refused(reason: string): QuarantineJudgement {
  return { kind: 'refused', reason };
}

function judgeHooks({ pinned }: Named): QuarantineJudgement {
  if (!lstatSync(pinned).isDirectory()) return refused('git would run hooks from where it points');
  const active = readdirSync(pinned, { withFileTypes: true }).find(
    (entry) => !entry.isFile() || !entry.name.endsWith('.sample'),
  );
  return active === undefined ? harmless : refused(`git would run the hook ${active.name}`);
}

function judgeConfig({ path, pinned, roots, isPlain }: Named): QuarantineJudgement {
  const text = readSmall(pinned);
  if (text === undefined) return refused('it is not a regular file of reasonable size');
  const setting = dangerousSetting(text, (workTree) =>
    isPlainPlaceIn({ roots, isPlain }, resolve(dirname(path), workTree)),
  );
  return setting === undefined ? harmless : refused(`it sets ${setting}`);
}

/** Outside of a linked worktree, it makes git obey the configuration of an unprotected directory. */
function judgeCommonDirectory({ path, pinned, gitDirectories }: Named): QuarantineJudgement {
  const usual =
    /\/\.git\/worktrees\/[^/]+\/commondir$/u.test(usualPath(path, gitDirectories)) &&
    readSmall(pinned)?.trimEnd() === '../..';
  return usual ? harmless : refused('it makes git use another repository');
}

/** Names the worktree of a git directory. Git deletes that place on `worktree remove`. */
function judgeBackPointer({ path, pinned, roots, gitDirectories }: Named): QuarantineJudgement {
  const target = resolve(dirname(path), readSmall(pinned)?.trimEnd() ?? '');
  const usual =
    /\/\.git\/worktrees\/[^/]+\/gitdir$/u.test(usualPath(path, gitDirectories)) &&
    target.endsWith('/.git') &&
    isInside(roots, target);
  return usual ? harmless : refused(`it points to ${target}`);
}

/**
 * Git's own files, and no deeper: the launcher protects names there as far. Nothing below another git directory, whose
 * objects are not searched.
 */
const gitDirectory =
  /^(?:\/(?![^/]*\.git(?:\/|$))[^/]+)*\/\.git(?:\/worktrees\/[^/]+|\/modules\/[^/]+(?:\/[^/]+){0,3})?$/iu;

/**
 * A `.git` directory is judged by its content. A `.git` file must point to a git directory of a writable root. No link
 * may stand on the way, because a later box could turn it. The git directory must have a configuration, which is
 * protected from then on.
 */
function judgeDotGit({ path, pinned, roots, gitDirectories, isPlain }: Named): QuarantineJudgement {
  if (lstatSync(pinned).isDirectory()) return harmless;
  const target = /^gitdir: (.+?)\n?$/su.exec(readSmall(pinned) ?? '')?.[1];
  if (target === undefined) return refused('it is not a pointer that git writes');
  const directory = resolve(dirname(path), target);
  const usual =
    gitDirectory.test(usualPath(directory, gitDirectories)) &&
    isPlainPlaceIn({ roots, isPlain }, directory) &&
    ['config', 'commondir'].some((name) => isPlainPlaceIn({ roots, isPlain }, join(directory, name)));
  return usual ? harmless : refused(`it points to ${directory}`);
}

/** Returns a path in a git directory of another name as if the directory were `.git`. */
function usualPath(path: string, gitDirectories: readonly string[]): string {
  const around = gitDirectories.find((directory) => isInside([directory], path));
  return around === undefined ? path : `/.git${path.slice(around.length)}`;
}

/** Returns whether a path exists inside a root, with no symlink on the way. */
function isPlainPlaceIn(
  { roots, isPlain = isPlainOnHost }: { readonly roots: readonly string[]; readonly isPlain: Named['isPlain'] },
  path: string,
): boolean {
  return isInside(roots, path) && isPlain(path);
}

function isPlainOnHost(path: string): boolean {
  try {
    return realpathSync.native(path) === path;
  } catch {
    return false;
  }
}

function isInside(roots: readonly string[], path: string): boolean {
  return roots.some((root) => path === root || path.startsWith(root === '/' ? root : `${root}/`));
}

/** Undefined for a special or large file. A FIFO would block us. */
function readSmall(path: Buffer): string | undefined {
  const fd = openRegular(path);
  if (fd === undefined) return undefined;
  try {
    const stats = fstatSync(fd);
    return stats.isFile() && stats.size <= largest ? readFileSync(fd, 'utf8') : undefined;
  } finally {
    closeSync(fd);
  }
}

function openRegular(path: Buffer): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EACCES') throw error;
    return undefined;
  }
}
