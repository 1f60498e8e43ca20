import { closeSync } from 'node:fs';
import { atFdcwd, isKernelError, openAt, oPath, resolve } from '../../kernel/index.ts';
import { openFlags } from '../perform/open-flags.ts';
import { toBytes } from './byte-text.ts';
import { linkText } from './caller.ts';

/** The box's own view: its mounts, including those that hide or protect paths. */
export interface BoxView {
  /** `O_PATH` descriptor of the box's root directory. */
  readonly root: number;
  /**
   * The target of a path, without symlinks. Undefined if the target has no name: magic links, loops, `..` past a
   * missing directory.
   */
  locate(path: string, end: 'follow' | 'itself'): string | undefined;
  close(): void;
}

/** All processes of a box share one root, because none may change it. */
export function openBoxView(thread: number): BoxView {
  const root = openAt(atFdcwd, `/proc/${thread}/root`, { flags: oPath | openFlags.directory });
  return { root, locate: (path, end) => locate({ root, path, end, links: 0 }), close: () => closeSync(root) };
}

/** The kernel's limit, `MAXSYMLINKS`. */
const mostLinks = 40;

interface Question {
  readonly root: number;
  readonly path: string;
  readonly end: 'follow' | 'itself';
  readonly links: number;
}

/**
 * The kernel walks the part of the path that exists in the box. The rest (a new name, or a path below a hidden
 * directory) is added as written.
 */
function locate(question: Question): string | undefined {
  const { root, path, end } = question;
  if (question.links > mostLinks) return undefined;
  const present = realPath(root, path, end);
  if (present !== 'absent') return present;
  const { parent, name } = split(path);
  if (name === '') return undefined;
  const above = locate({ root, path: parent, end: 'follow', links: question.links + 1 });
  if (above === undefined) return undefined;
  // A hidden directory has a name, but no path can go through it.
  if (name === '.' || name === '..')
    return realPath(root, above, 'itself') === 'absent' ? undefined : name === '.' ? above : split(above).parent;
  const here = above === '/' ? `/${name}` : `${above}/${name}`;
  const link = end === 'follow' ? danglingLink(root, here) : undefined;
  if (link === undefined) return here;
  return locate({ ...question, path: link.startsWith('/') ? link : `${above}/${link}`, links: question.links + 1 });
}

function realPath(root: number, path: string, end: 'follow' | 'itself'): string | undefined {
  const flags = oPath | (end === 'itself' ? openFlags.noFollow : 0);
  const words = toBytes(path);
  try {
    if (isPlainPath(path)) {
      closeSync(openAt(root, words, { flags, resolve: resolve.inRoot | resolve.noSymlinks }));
      return path;
    }
  } catch (error) {
    if (isKernelError(error, 'ENOENT') || isKernelError(error, 'ENOTDIR') || isKernelError(error, 'EACCES'))
      return 'absent';
    if (!isKernelError(error, 'ELOOP')) return undefined;
  }
  try {
    const found = openAt(root, words, { flags, resolve: resolve.inRoot });
    const real = linkText(`/proc/self/fd/${found}`);
    closeSync(found);
    return real?.endsWith(' (deleted)') === true ? undefined : real;
  } catch (error) {
    return isKernelError(error, 'ENOENT') || isKernelError(error, 'ENOTDIR') || isKernelError(error, 'EACCES')
      ? 'absent'
      : undefined;
  }
}

/** Whether the kernel would keep the path as written: it has no `.`, `..` or doubled slash. */
export function isPlainPath(path: string): boolean {
  return !/\/(?:\/|\.{0,2}$|\.{1,2}\/)/u.test(path);
}

/** The text of a symlink whose target does not exist in the box. */
function danglingLink(root: number, path: string): string | undefined {
  const { parent, name } = split(path);
  try {
    const directory = openAt(root, toBytes(parent), {
      flags: oPath | openFlags.directory,
      resolve: resolve.inRoot | resolve.noSymlinks,
    });
    const text = linkText(`/proc/self/fd/${directory}/${name}`);
    closeSync(directory);
    return text;
  } catch {
    return undefined;
  }
}

export interface SplitPath {
  readonly parent: string;
  readonly name: string;
}

/** Trailing slashes do not count. */
export function split(path: string): SplitPath {
  const trimmed = path.replace(/(?<!\/)\/+$/u, '');
  const slash = trimmed.lastIndexOf('/');
  return { parent: slash <= 0 ? '/' : trimmed.slice(0, slash), name: trimmed.slice(slash + 1) };
}
