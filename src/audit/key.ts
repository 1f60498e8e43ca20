import { linkSync, readSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unusable } from './failure.ts';
import { macFor } from './mac.ts';
import { withOwn, writeAside } from './open-own.ts';

/** Bytes. */
const keySize = 32;

export function keyPath(file: string): string {
  return join(dirname(file), 'audit.key');
}

/**
 * The key that chains the journal; undefined when there is none yet. Throws `HF_JOURNAL_FAILED` for a file that is no
 * key, or that others may read.
 */
export function readKey(file: string, purpose: 'read' | 'rely'): Buffer | undefined {
  const path = keyPath(file);
  try {
    return withOwn(path, purpose, ({ fd, stats }) => {
      if ((stats.mode & 0o077) !== 0)
        throw unusable(path, 'others may read it', `find out who could, then run: chmod 600 ${path}`);
      const key = Buffer.alloc(keySize + 1);
      if (readSync(fd, key, 0, key.length, 0) !== keySize) throw unusable(path, 'it is no key');
      return key.subarray(0, keySize);
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** A key that is on the disk, but not in use before it gets its name. */
export interface NewKey {
  readonly key: Buffer;
  /** Throws `EEXIST` when there is one already. */
  readonly putInPlace: () => void;
}

/** Whole or not at all: the bytes are on the disk before the name is there. */
export function makeKey(file: string): NewKey {
  const key = Buffer.from(globalThis.crypto.getRandomValues(new Uint8Array(keySize)));
  const aside = `${keyPath(file)}.new`;
  writeAside(aside, key);
  return {
    key,
    putInPlace: () => {
      linkSync(aside, keyPath(file));
      rmSync(aside);
    },
  };
}

/** Names a key without telling anything of it. */
export function keyName(key: Buffer): string {
  const text = Buffer.from('holdfast audit key');
  return macFor(key, 1)(text, 0, text.length).slice(0, 16);
}
