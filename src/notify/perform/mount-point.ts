import { closeSync, readFileSync } from 'node:fs';
import { KernelError, openAt, oPath } from '../../kernel/index.ts';
import { toBytes } from '../view/byte-text.ts';
import { asJudged, inDirectory, type Side } from './side.ts';
import { openFlags } from './open-flags.ts';

const busy = 16;

/**
 * A name on which the box has a mount is protected or hidden there. The kernel keeps such names from the box, but not
 * from the supervisor: for a process outside, moving one takes the mount off.
 */
export function refuseMountPoint(box: Side, path: string): void {
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
