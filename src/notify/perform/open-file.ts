import { closeSync, fstatSync } from 'node:fs';
import { kernelCall, openAt } from '../../kernel/index.ts';
import { toBytes } from '../view/byte-text.ts';
import { openFlags } from './open-flags.ts';
import { asJudged, inDirectory, type Side } from './side.ts';

/** What is taken over from the caller. `openat2` refuses what it does not know, where `open` ignored it. */
const taken =
  openFlags.accessMode |
  openFlags.create |
  openFlags.exclusive |
  openFlags.truncate |
  openFlags.append |
  openFlags.dataSync |
  openFlags.sync |
  openFlags.noAccessTime |
  openFlags.directory |
  openFlags.direct;

export interface OpenWish {
  readonly flags: number;
  readonly mode: number;
}

/**
 * A descriptor of a regular file or, in the box, of a directory; undefined when something else lies there: opening a
 * pipe would wait for its other end, and a directory of the host would lead out of the box by `..`. Throws
 * `KernelError`.
 */
export function openFile(side: Side, path: string, { flags, mode }: OpenWish): number | undefined {
  const creates = (flags & openFlags.create) !== 0;
  const descriptor = inDirectory(side, path, ({ directory, name }) =>
    openAt(directory, toBytes(name), {
      flags: (flags & taken) | openFlags.nonBlocking | openFlags.noTerminal,
      resolve: asJudged,
      ...(creates ? { mode: mode & 0o7777 } : {}),
    }),
  );
  const found = fstatSync(descriptor);
  if (!found.isFile() && !(found.isDirectory() && side.kind === 'box')) {
    closeSync(descriptor);
    return undefined;
  }
  kernelCall(
    'fcntl',
    descriptor,
    setStatusFlags,
    flags & (openFlags.append | openFlags.nonBlocking | openFlags.direct | openFlags.async),
  );
  return descriptor;
}

const setStatusFlags = 4;
