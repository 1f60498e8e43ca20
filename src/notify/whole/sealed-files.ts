import { closeSync, openSync, writeSync } from 'node:fs';
import { kernelCall } from '../../kernel/index.ts';
import type { FileEntry } from '../../plan/index.ts';
import type { Supervision } from '../supervise/context.ts';

/** Files of a plan that are no files of the host: the box gets them when it opens them. */
export interface SealedFiles {
  /** A new descriptor for reading, with an offset of its own. */
  open(file: FileEntry): number;
}

const closeOnExec = 1;
const allowSealing = 2;
const addSeals = 1033;
/** `F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE`. */
const everySeal = 0xf;

/** Made when they are first wanted, and kept as long as the box. */
export function sealedFiles(atEnd: Supervision['atEnd']): SealedFiles {
  const made = new Map<string, number>();
  atEnd(() => [...made.values()].forEach((memory) => closeSync(memory)));
  return {
    open(file) {
      const memory = made.get(file.target) ?? seal(file);
      made.set(file.target, memory);
      return openSync(`/proc/self/fd/${memory}`, 'r');
    },
  };
}

function seal({ content, encoding = 'utf8' }: FileEntry): number {
  const memory = kernelCall('memfd_create', 'file', closeOnExec | allowSealing);
  try {
    const bytes = Buffer.from(content, encoding);
    for (let at = 0; at < bytes.length; ) at += writeSync(memory, bytes, at);
    kernelCall('fcntl', memory, addSeals, everySeal);
    return memory;
  } catch (error) {
    closeSync(memory);
    throw error;
  }
}
