import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { HoldfastError } from '../../errors/index.ts';
import type { WorkspaceFacts } from '../../plan/facts.ts';

export interface WorkspaceOptions {
  /** Start directory of the command. */
  readonly cwd: string;
  /** The root that the user named; otherwise the top of the git work tree, or `cwd` outside of git. */
  readonly root?: string;
  readonly home: string;
}

/**
 * Finds the writable root of a session. Throws `HF_WORKSPACE_MISSING`, `HF_WORKSPACE_UNSAFE` and
 * `HF_PATH_UNREPRESENTABLE`.
 */
export function findWorkspace(options: WorkspaceOptions): WorkspaceFacts {
  const cwd = realDirectory(options.cwd);
  const root = options.root === undefined ? (findTop(cwd) ?? cwd) : realDirectory(options.root);
  refuseUnsafe(root, options.home);
  return {
    root,
    cwd: isInside(cwd, root) ? cwd : root,
    gitDirectories: linkedGitDirectories(root).filter((directory) => !isUnsafe(directory, options.home)),
  };
}

function realDirectory(path: string): string {
  const real = realPath(path);
  // Node reads a path with invalid UTF-8 with replacement characters, and would then use another file.
  if (path.includes('\uFFFD') || real?.includes('\uFFFD') === true) {
    throw new HoldfastError('HF_PATH_UNREPRESENTABLE', `the path ${JSON.stringify(real ?? path)} is not valid UTF-8`, {
      remedy: 'rename the directory to valid UTF-8',
    });
  }
  if (real === undefined) {
    throw new HoldfastError(
      'HF_WORKSPACE_MISSING',
      `the workspace ${JSON.stringify(path)} does not exist or cannot be entered`,
      { remedy: 'start in an existing directory, or name one with --workspace' },
    );
  }
  if (lstatSync(real, { throwIfNoEntry: false })?.isDirectory() === true) return real;
  throw new HoldfastError('HF_WORKSPACE_MISSING', `the workspace ${JSON.stringify(path)} is not a directory`, {
    remedy: 'name a directory with --workspace',
  });
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** Directories that are not projects, but may contain some. */
const shared = [
  '/',
  '/home',
  '/media',
  '/mnt',
  '/opt',
  '/root',
  '/srv',
  '/tmp',
  '/usr',
  '/usr/local',
  '/var',
  '/var/lib',
  '/var/tmp',
];
/** Directories of the system, including everything in them. */
const system = [
  '/bin',
  '/boot',
  '/dev',
  '/etc',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/proc',
  '/run',
  '/sbin',
  '/sys',
  '/usr/bin',
  '/usr/lib',
  '/usr/lib32',
  '/usr/lib64',
  '/usr/libexec',
  '/usr/sbin',
];

/** A writable root that contains the home directory or the system would expose both to the box. */
function refuseUnsafe(root: string, home: string): void {
  if (!isUnsafe(root, home)) return;
  const what =
    root === (realPath(home) ?? home) ? 'your whole home directory' : 'directories of the system or of others';
  throw new HoldfastError(
    'HF_WORKSPACE_UNSAFE',
    `${JSON.stringify(root)} cannot be a workspace: the box would own ${what}`,
    {
      remedy: 'start in a project directory, or name one with --workspace',
      details: { root },
    },
  );
}

function isUnsafe(root: string, home: string): boolean {
  return (
    shared.includes(root) ||
    isInside(realPath(home) ?? home, root) ||
    system.some((directory) => isInside(root, directory))
  );
}

export function isInside(path: string, directory: string): boolean {
  return path === directory || directory === '/' || path.startsWith(`${directory}/`);
}

function findTop(from: string): string | undefined {
  for (let directory = from; ; directory = dirname(directory)) {
    if (existsSync(join(directory, '.git'))) return directory;
    if (directory === dirname(directory)) return undefined;
  }
}

/**
 * Returns real paths of git directories outside the workspace that a linked worktree or submodule uses. A worktree uses
 * the main repository's whole git directory, a submodule its own. Empty for a `.git` directory.
 *
 * Anyone could have written a `.git` file, so its target counts only if it points back. Attack: `gitdir:
 * /home/you/other`. The main repository counts only if it contains the git directory, where git itself puts it. Attack:
 * a crafted git directory with the `commondir` of someone else.
 */
export function linkedGitDirectories(root: string): readonly string[] {
  const pointer = join(root, '.git');
  const target = /^gitdir: (.+?)\n?$/su.exec(readPlainText(pointer))?.[1];
  const gitDirectory = target === undefined ? undefined : realPath(resolve(root, target));
  if (
    gitDirectory === undefined ||
    readPlainText(join(gitDirectory, 'HEAD')) === '' ||
    !pointsBack(gitDirectory, pointer)
  )
    return [];
  const common = commonDirectory(gitDirectory);
  return common === undefined || common === root || common.startsWith(`${root}/`) ? [] : [common];
}

/**
 * Returns the git directory itself, or `X` for `X/worktrees/NAME`. Undefined if `commondir` names another directory.
 */
function commonDirectory(gitDirectory: string): string | undefined {
  const told = withoutNewline(readPlainText(join(gitDirectory, 'commondir')));
  if (told === '') return gitDirectory;
  const expected = dirname(dirname(gitDirectory));
  return basename(dirname(gitDirectory)) === 'worktrees' && realPath(resolve(gitDirectory, told)) === expected
    ? expected
    : undefined;
}

/**
 * A worktree's git directory names the `.git` file in `gitdir`. A submodule's names the work tree in its configuration.
 */
function pointsBack(gitDirectory: string, pointer: string): boolean {
  const back = withoutNewline(readPlainText(join(gitDirectory, 'gitdir')));
  if (back !== '') return isSame(resolve(gitDirectory, back), pointer);
  const workTree = toldWorkTree(readPlainText(join(gitDirectory, 'config')));
  return (
    workTree !== undefined &&
    isSame(isAbsolute(workTree) ? workTree : resolve(gitDirectory, workTree), dirname(pointer))
  );
}

/**
 * Returns the `core.worktree` of a configuration, as written. Attack: a megabyte of newlines, at each of which `\s*` would
 * read all the others.
 */
export function toldWorkTree(config: string): string | undefined {
  return /^[^\S\n\r\u2028\u2029]*worktree[^\S\n]*=[^\S\n]*(.+)$/mu.exec(config)?.[1]?.trim();
}

function isSame(a: string, b: string): boolean {
  const real = realPath(a);
  return real !== undefined && real === realPath(b);
}

function withoutNewline(text: string): string {
  return text.replace(/(?<!\n)\n+$/u, '');
}

const largest = 1 << 20;

/**
 * Returns the text. Empty unless the path is a regular file of reasonable size: a FIFO would block, and a link could
 * lead elsewhere.
 */
export function readPlainText(path: string): string {
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
