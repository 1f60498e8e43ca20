import { oPath, pointer, rawKernel, resolve, syscallNumber } from '../../kernel/index.ts';
import { openFlags } from '../perform/open-flags.ts';
import { isPlain } from './box-view.ts';

/** What is asked about every path that a box opens: one system call each, on memory of its own. */
export interface QuickView {
  /** What the kernel is pointed to: it lives as long as whoever asks. */
  readonly memory: readonly Buffer[];
  /** Where a link of `/proc` leads. */
  textOf(link: string): string | undefined;
  /**
   * Whether a path of the box leads through no symlink, so that it is its own real path. It says no where it cannot
   * tell.
   */
  isReal(path: string): boolean;
  /** Where a path that is there leads. */
  realOf(path: string): string | undefined;
}

const longestPath = 4096;

/** `root` is a descriptor of the box's root directory. */
export function openQuickView(root: number): QuickView {
  const { call, errno } = rawKernel();
  const [readlinkat, openat2, close] = [syscallNumber('readlinkat'), syscallNumber('openat2'), syscallNumber('close')];
  const memory = [
    Buffer.alloc(longestPath + 1),
    Buffer.alloc(longestPath),
    Buffer.alloc(howSize),
    Buffer.alloc(howSize),
  ] as const;
  const [words, text, how, follow] = memory;
  const [wordsAt, textAt, howAt, followAt] = memory.map((bytes) => Number(pointer(bytes))) as [
    number,
    number,
    number,
    number,
  ];
  // Of what is no directory it says so, once it is there, and opens nothing that would have to be closed.
  how.writeBigUInt64LE(BigInt(oPath | openFlags.directory | openFlags.closeOnExec), 0);
  how.writeBigUInt64LE(BigInt(resolve.inRoot | resolve.noSymlinks), 16);
  follow.writeBigUInt64LE(BigInt(oPath | openFlags.closeOnExec), 0);
  follow.writeBigUInt64LE(BigInt(resolve.inRoot), 16);
  const textOf = (link: string): string | undefined => {
    words[words.write(link, 'latin1')] = 0;
    const length = call(readlinkat, -1, wordsAt, textAt, longestPath, 0, 0);
    return length <= 0 || length === longestPath ? undefined : text.toString('latin1', 0, length);
  };
  return {
    memory,
    textOf,
    realOf(path) {
      if (path.length >= longestPath) return undefined;
      words[words.write(path, 'latin1')] = 0;
      const opened = call(openat2, root, wordsAt, followAt, howSize, 0, 0);
      if (opened < 0) return undefined;
      const real = textOf(`/proc/self/fd/${opened}`);
      call(close, opened, 0, 0, 0, 0, 0);
      return real?.startsWith('/') === true && !real.endsWith(' (deleted)') ? real : undefined;
    },
    isReal(path) {
      if (path.length >= longestPath || !isPlain(path)) return false;
      words[words.write(path, 'latin1')] = 0;
      const opened = call(openat2, root, wordsAt, howAt, howSize, 0, 0);
      if (opened < 0) return asFarAsThereIs.has(errno());
      call(close, opened, 0, 0, 0, 0, 0);
      return true;
    },
  };
}

/** `sizeof(struct open_how)`. */
const howSize = 24;

/** `ENOENT`, `EACCES`, `ENOTDIR`: no symlink up to there, and nothing that could be one beyond. */
const asFarAsThereIs: ReadonlySet<number> = new Set([2, 13, 20]);
