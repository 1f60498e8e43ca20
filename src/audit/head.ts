import { readSync, renameSync, writeSync } from 'node:fs';
import { dirname, join, parse } from 'node:path';
import type { Moment } from './clock.ts';
import { unusable } from './failure.ts';
import type { Mac } from './mac.ts';
import { type OwnFile, withOwn, writeAside } from './open-own.ts';

/** How far the journal reaches, kept beside it: without it, nobody could tell a cut end from a shorter run. */
export interface Head extends Moment {
  readonly seq: number;
  /** `mac` of the entry `seq`. */
  readonly mac: string;
  /**
   * The last entry that was on the disk for certain. Those behind it may be gone after a loss of power, and only then.
   */
  readonly synced: number;
}

/** In one sector, so that it is never half written. */
const headSize = 512;
const domain = 'holdfast journal head ';

export function headPath(file: string): string {
  return join(dirname(file), `${parse(file).name}.head`);
}

/** Undefined when there is none. Throws `HF_JOURNAL_FAILED` when it is not what the holder of the key wrote. */
export function readHead(file: string, mac: Mac, purpose: 'read' | 'rely'): Head | undefined {
  const path = headPath(file);
  try {
    return withOwn(path, purpose, (own) => parseHead(own, path, mac));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Creates it, whole or not at all. */
export function createHead(file: string, head: Head, mac: Mac): void {
  const aside = `${headPath(file)}.new`;
  writeAside(aside, headBytes(head, mac));
  renameSync(aside, headPath(file));
}

/** Replaces what it says, in place. */
export function writeHead(file: string, head: Head, mac: Mac): void {
  withOwn(headPath(file), 'change', ({ fd }) => writeSync(fd, headBytes(head, mac), 0, headSize, 0));
}

function headBytes({ seq, mac: last, synced, time, uptime, boot }: Head, mac: Mac): Buffer {
  const text = JSON.stringify({ v: 2, seq, mac: last, synced, time, uptime, boot });
  return Buffer.from(`${`${text.slice(0, -1)},"head":"${signature(text, mac)}"}`.padEnd(headSize - 1)}\n`);
}

function parseHead({ fd, stats }: OwnFile, path: string, mac: Mac): Head {
  const bytes = Buffer.alloc(headSize);
  const read = stats.size === headSize ? readSync(fd, bytes, 0, headSize, 0) : 0;
  const match = /^(\{"v":2,.*),"head":"([0-9a-f]{64})"\} *\n$/u.exec(bytes.toString('latin1', 0, read));
  const text = `${match?.[1] ?? ''}}`;
  if (match === null || signature(text, mac) !== match[2])
    throw unusable(path, 'it was changed, or it was written with another key');
  return JSON.parse(text) as Head;
}

function signature(text: string, mac: Mac): string {
  const bytes = Buffer.from(domain + text);
  return mac(bytes, 0, bytes.length);
}
