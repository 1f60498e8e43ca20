import { closeSync, fstatSync, readFileSync } from 'node:fs';
import { kernelCall, KernelError, oPath, openAt } from '../../kernel/index.ts';
import { toBytes } from '../view/byte-text.ts';
import { openFlags } from './open-flags.ts';
import { asJudged, inDirectory, type PerformSide } from './side.ts';

const busy = 16;

/**
 * A name with a mount on it is protected or hidden in the box. The kernel stops the box from moving such a name, but
 * not the supervisor. When a process outside moves it, the mount comes off.
 */
export function refuseMountPoint(box: PerformSide, path: string): void {
  inDirectory(box, path, ({ directory, name }) => {
    const there = openOrNothing(directory, name);
    if (there === undefined) return;
    const mounts = [directory, there].map(mountOf);
    closeSync(there);
    if (mounts[0] !== mounts[1]) throw new KernelError('rename', busy);
  });
}

function openOrNothing(directory: number, name: string): number | undefined {
  try {
    return openAt(directory, toBytes(name), { flags: oPath | openFlags.noFollow, resolve: asJudged });
  } catch {
    return undefined;
  }
}

function mountOf(descriptor: number): string | undefined {
  return /^mnt_id:\s*(\d+)$/mu.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'))?.[1];
}

/** Flags of the caller that are passed on. `openat2` refuses unknown flags, and `open` ignored them. */
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

interface OpenWish {
  readonly flags: number;
  readonly mode: number;
}

/**
 * Opens a regular file or, in the box, a directory, and returns its descriptor. Undefined for anything else. Opening a
 * pipe would wait for its other end. A host directory would lead out of the box through `..`. Throws `KernelError`.
 */
export function openFile(side: PerformSide, path: string, { flags, mode }: OpenWish): number | undefined {
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
