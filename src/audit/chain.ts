import { linkSync, readSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unusable } from './failure.ts';
import { macFor } from './mac.ts';
import { withOwn, writeAside } from './open-own.ts';

/** `prev` of the first entry. */
export const genesis = '0'.repeat(64);

/** Format of new entries. Version 1 was chained with SHA-256 and without a key. */
export const currentVersion = 2;

/** The parts of a journal line. */
export interface EntryLine {
  readonly v: 1 | 2;
  /** The entry's JSON without its fields of the chain. */
  readonly body: string;
  readonly mac: string;
}

const macFields = [
  { v: 2, pattern: /,"mac":"([0-9a-f]{64})"\}$/u },
  { v: 1, pattern: /,"hash":"([0-9a-f]{64})"\}$/u },
] as const;

/** Undefined for a line that is not an entry, or has an unknown version. */
export function splitLine(line: string): EntryLine | undefined {
  for (const { v, pattern } of macFields) {
    const match = pattern.exec(line);
    if (match?.[1] !== undefined) return { v, body: `${line.slice(0, match.index)}}`, mac: match[1] };
  }
  return undefined;
}

/**
 * Returns the authenticated text. In version 2, that is the line up to the field `mac`. It includes the previous MAC as
 * `prev`.
 */
export function signedText({ v, body }: EntryLine, prev: string): string {
  return v === 1 ? `${prev}\n${body}` : body.slice(0, -1);
}

/** Returns the version of an entry that a newer Holdfast wrote. Undefined for anything else. */
export function newerVersion(line: string): number | undefined {
  const version = Number(/^\{"v":(\d{1,9}),/u.exec(line)?.[1]);
  return version > currentVersion ? version : undefined;
}

/** Returns the fields of an entry, unchecked. Undefined for a text that is not a JSON object. */
export function parseBody(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(body) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}

/** Bytes. */
const keySize = 32;

export function keyPath(file: string): string {
  return join(dirname(file), 'audit.key');
}

/**
 * Reads the key that chains the journal. Undefined for a journal without a key. Throws `HF_JOURNAL_FAILED` for an
 * invalid key, or a file that others may read.
 */
export function readJournalKey(file: string, purpose: 'read' | 'rely'): Buffer | undefined {
  const path = keyPath(file);
  try {
    return withOwn(path, purpose, ({ fd, stats }) => {
      if ((stats.mode & 0o077) !== 0)
        throw unusable(path, 'others may read it', `find out who could read it, then run: chmod 600 ${path}`);
      const key = Buffer.alloc(keySize + 1);
      if (readSync(fd, key, 0, key.length, 0) !== keySize) throw unusable(path, 'it is not a key');
      return key.subarray(0, keySize);
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** A key that is on the disk, but not in use until it gets its name. */
interface NewKey {
  readonly key: Buffer;
  /** Throws `EEXIST` if a key already exists. */
  readonly putInPlace: () => void;
}

/** Creates a key completely or not at all: the bytes are on the disk before the name exists. */
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

/** Returns a name for a key that reveals no part of it. */
export function keyName(key: Buffer): string {
  const text = Buffer.from('holdfast audit key');
  return macFor(key, 1)(text, 0, text.length).slice(0, 16);
}
