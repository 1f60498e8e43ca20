import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { HoldfastError } from '../../errors/index.ts';
import type { WorkspaceFacts } from '../../plan/index.ts';

export interface WorkspaceOptions {
  /** Where the command starts. */
  readonly cwd: string;
  /** The root the user named; otherwise the top of the git work tree, or `cwd` outside git. */
  readonly root?: string;
  readonly home: string;
}

/** Finds the writable root of a session. Throws `HF_WORKSPACE_MISSING` and `HF_WORKSPACE_UNSAFE`. */
export function findWorkspace(options: WorkspaceOptions): WorkspaceFacts {
  const cwd = realDirectory(options.cwd);
  const root = options.root === undefined ? (findTop(cwd) ?? cwd) : realDirectory(options.root);
  refuseUnsafe(root, options.home);
  return { root, cwd: isInside(cwd, root) ? cwd : root, gitDirectories: linkedGitDirectories(root) };
}

function realDirectory(path: string): string {
  // A path with invalid UTF-8 comes out of Node with replacement characters, and would name another file.
  if (path.includes('\uFFFD')) {
    throw new HoldfastError('HF_PATH_UNREPRESENTABLE', `the path ${JSON.stringify(path)} is not valid UTF-8`, { remedy: 'rename the directory to valid UTF-8' });
  }
  try {
    const real = realpathSync.native(path);
    if (lstatSync(real).isDirectory()) return real;
  } catch (cause) {
    throw new HoldfastError('HF_WORKSPACE_MISSING', `the workspace ${path} does not exist or cannot be entered`, { remedy: 'start in an existing directory, or name one with --workspace', cause });
  }
  throw new HoldfastError('HF_WORKSPACE_MISSING', `the workspace ${path} is not a directory`, { remedy: 'name a directory with --workspace' });
}

/** A writable root that holds the home directory or the system would hand both to the box. */
function refuseUnsafe(root: string, home: string): void {
  const system = ['/', '/bin', '/boot', '/dev', '/etc', '/home', '/lib', '/lib64', '/opt', '/proc', '/root', '/run', '/sbin', '/sys', '/usr', '/var'];
  const realHome = existsSync(home) ? realpathSync.native(home) : home;
  const unsafe = system.includes(root) || isInside(realHome, root) || ['/dev', '/proc', '/sys', '/run', '/etc'].some((directory) => isInside(root, directory));
  if (!unsafe) return;
  throw new HoldfastError('HF_WORKSPACE_UNSAFE', `${root} cannot be a workspace: the box would own ${root === realHome ? 'your whole home directory' : 'system or home directories'}`, {
    remedy: 'start in a project directory, or name one with --workspace',
    details: { root },
  });
}

function isInside(path: string, directory: string): boolean {
  return path === directory || directory === '/' || path.startsWith(`${directory}/`);
}

function findTop(from: string): string | undefined {
  for (let directory = from; ; directory = dirname(directory)) {
    if (existsSync(join(directory, '.git'))) return directory;
    if (directory === dirname(directory)) return undefined;
  }
}

/**
 * The git directory of a linked worktree or submodule, and the main repository's, when they lie elsewhere. A `.git` file
 * is content that anyone could have written, so each is taken only if it points back (attack: `gitdir: /home/you/.ssh`).
 */
function linkedGitDirectories(root: string): readonly string[] {
  const pointer = join(root, '.git');
  if (!lstatSync(pointer, { throwIfNoEntry: false })?.isFile()) return [];
  const target = /^gitdir: (.+)\n?$/u.exec(readText(pointer))?.[1];
  if (target === undefined) return [];
  const gitDirectory = resolve(root, target);
  if (!existsSync(join(gitDirectory, 'HEAD')) || !pointsBack(gitDirectory, pointer)) return [];
  const common = readText(join(gitDirectory, 'commondir')).trim();
  const directories = common === '' ? [gitDirectory] : [resolve(gitDirectory, common)];
  return directories.filter((directory) => !isInside(directory, root)).map((directory) => realpathSync.native(directory));
}

function pointsBack(gitDirectory: string, pointer: string): boolean {
  const back = readText(join(gitDirectory, 'gitdir')).trim();
  if (back !== '') return samePath(back, pointer);
  const workTree = /^\s*worktree\s*=\s*(.+)$/mu.exec(readText(join(gitDirectory, 'config')))?.[1]?.trim();
  return workTree !== undefined && samePath(isAbsolute(workTree) ? workTree : resolve(gitDirectory, workTree), dirname(pointer));
}

function samePath(a: string, b: string): boolean {
  return existsSync(a) && existsSync(b) && realpathSync.native(a) === realpathSync.native(b);
}

function readText(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
