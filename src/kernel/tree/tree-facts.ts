import { type BigIntStats, closeSync, constants, lstatSync, readdirSync } from 'node:fs';
import { openAt, type NameAt, resolve } from '../open-at.ts';
import { below } from './copy-tree.ts';

export interface TreeFacts {
  /** Size on the disk. Holes take no space, and hard links count once. */
  readonly bytes: number;
  /** `shared`: a file in it also has a name outside, through which its content can still be changed. */
  readonly files: 'own' | 'shared';
}

/** Measures a file, a link or a tree. Throws `KernelError` `EXDEV` if something is mounted in it. */
export function treeFacts(place: NameAt): TreeFacts {
  const linked = new Map<bigint, LinkedFile>();
  const bytes = measure(place, linked);
  return { bytes, files: [...linked.values()].some(({ names, found }) => found < names) ? 'shared' : 'own' };
}

interface LinkedFile {
  readonly names: bigint;
  found: bigint;
}

function measure({ directory, name }: NameAt, linked: Map<bigint, LinkedFile>): number {
  const stats = lstatSync(below(directory, name), { bigint: true });
  if (!stats.isDirectory()) return fileBytes(stats, linked);
  const entered = openAt(directory, name, {
    flags: constants.O_RDONLY | constants.O_DIRECTORY,
    resolve: resolve.beneath | resolve.noSymlinks | resolve.noMountCrossing,
  });
  try {
    const inner = readdirSync(below(entered, ''), { encoding: 'buffer' }).map((entry) =>
      measure({ directory: entered, name: entry }, linked),
    );
    return inner.reduce((sum, bytes) => sum + bytes, Number(stats.size));
  } finally {
    closeSync(entered);
  }
}

const blockSize = 512n;

function fileBytes(stats: BigIntStats, linked: Map<bigint, LinkedFile>): number {
  const known = linked.get(stats.ino);
  if (known !== undefined) known.found += 1n;
  else if (stats.nlink > 1n) linked.set(stats.ino, { names: stats.nlink, found: 1n });
  if (known !== undefined) return 0;
  const allocated = stats.blocks * blockSize;
  return Number(stats.isFile() && allocated < stats.size ? allocated : stats.size);
}
