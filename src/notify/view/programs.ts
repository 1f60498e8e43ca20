import { closeSync, fstatSync, readSync } from 'node:fs';
import { isKernelError, KernelError, oPath, openAt, resolve } from '../../kernel/index.ts';
import { openFlags } from '../perform/open-flags.ts';
import { type BoxView, isPlainPath } from './box-view.ts';
import { toBytes } from './byte-text.ts';
import { absoluteWords } from './caller.ts';
import { throughProcess } from './magic-links.ts';

/** The interpreter that the first line of a script names after `#!`. */
interface Interpreter {
  /** As written. A relative path starts at the working directory. */
  readonly path: string;
  /** The rest of the line, as one argument. */
  readonly argument?: string;
}

/** The number of bytes that the kernel reads: `BINPRM_BUF_SIZE`. */
export const interpreterBytes = 256;

/** A file that would be executed, as the box sees it. Paths are bytes as latin1. */
export interface Program {
  /** Path of the name, in a directory without symlinks. The name itself may be a symlink. */
  readonly named: string;
  /** Real path of the file. */
  readonly real: string;
  /** `device:inode`. */
  readonly identity: string;
  /** Differs after every change of the file. */
  readonly version: string;
  readonly interpreter: Interpreter | undefined;
}

export type ProgramLookup =
  | ({ readonly kind: 'program' } & Program)
  /** The kernel would refuse it with this errno. */
  | { readonly kind: 'nothing'; readonly errno: number }
  /** The file has no path that a rule could name. */
  | { readonly kind: 'unnamed'; readonly text: string };

export interface ProgramView {
  /** `words` start at `directory`, a descriptor of the thread. */
  find(thread: number, directory: number, words: string): ProgramLookup;
}

/** `isFixed` reports paths that the box cannot change, so that earlier findings there stay valid. */
export function openProgramView(view: BoxView, isFixed: (path: string) => boolean): ProgramView {
  const known = new Map<string, ProgramLookup>();
  return {
    find(thread, directory, words) {
      const before = known.get(words);
      if (before !== undefined) return before;
      const found = findProgram(view, { thread, directory, words });
      if (
        words.startsWith('/') &&
        found.kind === 'program' &&
        isFixed(words) &&
        isFixed(found.named) &&
        isFixed(found.real)
      )
        remember(known, words, found);
      return found;
    },
  };
}

const mostKnown = 1000;

function remember(known: Map<string, ProgramLookup>, words: string, found: ProgramLookup): void {
  if (known.size >= mostKnown) known.clear();
  known.set(words, found);
}

interface Search {
  readonly thread: number;
  readonly directory: number;
  readonly words: string;
}

function findProgram(view: BoxView, { thread, directory, words }: Search): ProgramLookup {
  const absolute = absoluteWords(thread, directory, words);
  if (absolute === undefined) return { kind: 'unnamed', text: words };
  const led = throughProcess(view.root, absolute);
  if (led === undefined) return { kind: 'unnamed', text: absolute };
  // Most relative paths look like `./build.sh`. Removes only `/./` and doubled slashes.
  const path = led.replaceAll(/\/(?:\.?\/)+/gu, '/');
  return (isPlainPath(path) ? fileAt(view.root, { named: path, real: path }) : undefined) ?? throughLinks(view, path);
}

function throughLinks(view: BoxView, path: string): ProgramLookup {
  const [named, real] = [view.locate(path, 'itself'), view.locate(path, 'follow')];
  if (named === undefined || real === undefined) return { kind: 'unnamed', text: path };
  return fileAt(view.root, { named, real }) ?? { kind: 'unnamed', text: path };
}

/** Undefined if a symlink is on the way. */
function fileAt(root: number, names: Pick<Program, 'named' | 'real'>): ProgramLookup | undefined {
  try {
    const descriptor = openToLook(root, toBytes(names.real));
    try {
      const stats = fstatSync(descriptor, { bigint: true });
      if (!stats.isFile()) return { kind: 'nothing', errno: notExecutable };
      return {
        kind: 'program',
        ...names,
        identity: `${stats.dev}:${stats.ino}`,
        version: `${stats.ctimeNs}:${stats.size}`,
        interpreter: interpreterOf(startOf(descriptor)),
      };
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (isKernelError(error, 'ELOOP')) return undefined;
    if (error instanceof KernelError) return { kind: 'nothing', errno: error.errno };
    throw error;
  }
}

const notExecutable = 13;
const walk = resolve.inRoot | resolve.noSymlinks;
/** The open neither waits for another process nor gives the supervisor a terminal. */
const looking = openFlags.nonBlocking | openFlags.noTerminal | openFlags.closeOnExec;

/**
 * Looks at an executable but unreadable file without opening it. No interpreter could read it, so it is not a script.
 */
function openToLook(root: number, path: Buffer): number {
  try {
    return openAt(root, path, { flags: looking, resolve: walk });
  } catch (error) {
    if (!isKernelError(error, 'EACCES')) throw error;
    return openAt(root, path, { flags: oPath | openFlags.noFollow | openFlags.closeOnExec, resolve: walk });
  }
}

/** Empty if the file is unreadable. */
function startOf(descriptor: number): string {
  try {
    return start.toString('latin1', 0, readSync(descriptor, start, 0, interpreterBytes, 0));
  } catch {
    return '';
  }
}

const start = Buffer.alloc(interpreterBytes);

/** `start`: the first bytes of a file, as latin1. */
export function interpreterOf(start: string): Interpreter | undefined {
  if (!start.startsWith('#!')) return undefined;
  const [line = ''] = start.slice(2, interpreterBytes).split('\n', 1);
  const found = /^[ \t]*([^ \t\0]+)(?:[ \t]+([^\0]*))?/u.exec(line);
  if (found?.[1] === undefined) return undefined;
  const argument = found[2]?.replace(/(?<![ \t])[ \t]+$/u, '');
  return { path: found[1], ...(argument === undefined || argument === '' ? {} : { argument }) };
}
