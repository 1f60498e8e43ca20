import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';

/**
 * The git directory that belongs to a linked worktree or submodule but lies outside of it: the whole of the main
 * repository's for a worktree, its own for a submodule. Real paths; none for a `.git` directory.
 *
 * A `.git` file is content that anyone could have written, so what it names is taken only if it points back (attack:
 * `gitdir: /home/you/other`), and the main repository only if the git directory lies in it, where git itself puts it
 * (attack: a git directory of one's own with the `commondir` of somebody else).
 */
export function linkedGitDirectories(root: string): readonly string[] {
  const pointer = join(root, '.git');
  const target = /^gitdir: (.+?)\n?$/su.exec(readText(pointer))?.[1];
  const gitDirectory = target === undefined ? undefined : realPath(resolve(root, target));
  if (gitDirectory === undefined || readText(join(gitDirectory, 'HEAD')) === '' || !pointsBack(gitDirectory, pointer)) return [];
  const common = commonDirectory(gitDirectory);
  return common === undefined || common === root || common.startsWith(`${root}/`) ? [] : [common];
}

/** The git directory itself, or of `X/worktrees/NAME` the `X`; undefined when `commondir` says something else. */
function commonDirectory(gitDirectory: string): string | undefined {
  const told = withoutNewline(readText(join(gitDirectory, 'commondir')));
  if (told === '') return gitDirectory;
  const expected = dirname(dirname(gitDirectory));
  return basename(dirname(gitDirectory)) === 'worktrees' && realPath(resolve(gitDirectory, told)) === expected ? expected : undefined;
}

/** A worktree's git directory names the `.git` file in `gitdir`, a submodule's names the work tree in its configuration. */
function pointsBack(gitDirectory: string, pointer: string): boolean {
  const back = withoutNewline(readText(join(gitDirectory, 'gitdir')));
  if (back !== '') return isSame(resolve(gitDirectory, back), pointer);
  const workTree = /^\s*worktree\s*=\s*(.+)$/mu.exec(readText(join(gitDirectory, 'config')))?.[1]?.trim();
  return workTree !== undefined && isSame(isAbsolute(workTree) ? workTree : resolve(gitDirectory, workTree), dirname(pointer));
}

function isSame(a: string, b: string): boolean {
  const real = realPath(a);
  return real !== undefined && real === realPath(b);
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function withoutNewline(text: string): string {
  return text.replace(/\n+$/u, '');
}

const largest = 1 << 20;

/** Empty for what is no regular file of reasonable size: a FIFO would hold us up, and a link lead elsewhere. */
function readText(path: string): string {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = fstatSync(fd);
    return stats.isFile() && stats.size <= largest ? readFileSync(fd, 'utf8') : '';
  } catch {
    return '';
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
