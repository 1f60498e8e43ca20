import { readSync } from 'node:fs';
import { type EntryLine, genesis, newerVersion, parseBody, signedText, splitLine } from './chain.ts';
import { longestLine } from './chunks.ts';
import type { Mac } from './mac.ts';

/** The entry that the next one follows. */
export interface Tip {
  /** Version of the entry; undefined before the first. */
  readonly v: 1 | 2 | undefined;
  readonly seq: number;
  readonly mac: string;
  /** Bytes of whole lines in the file. What lies behind is half a line, left by a crash while it was written. */
  readonly end: number;
  /** True when the holder of the key wrote it. */
  readonly isAuthentic: (mac: Mac) => boolean;
}

/** What a journal begins with. */
export const noTip: Tip = { v: undefined, seq: 0, mac: genesis, end: 0, isAuthentic: () => true };

const firstWindow = 4096;

/** Finds the last whole line of an open file, reading backwards. Throws when it is no entry. */
export function findTip(fd: number, size: number): Tip {
  for (let length = Math.min(size, firstWindow); ; length = Math.min(size, length * 4)) {
    const bytes = Buffer.alloc(length);
    readSync(fd, bytes, 0, length, size - length);
    const end = bytes.lastIndexOf('\n') + 1;
    const start = end < 2 ? 0 : bytes.lastIndexOf('\n', end - 2) + 1;
    if (start === 0 && length > longestLine) throw new Error('its last line is longer than any entry');
    if (start > 0 || length === size)
      return end === 0
        ? noTip
        : { ...tipOf(bytes.toString('utf8', start, Math.max(start, end - 1))), end: size - length + end };
  }
}

function tipOf(line: string): Omit<Tip, 'end'> {
  const parts = splitLine(line);
  const entry = parts === undefined ? undefined : parseBody(parts.body);
  const seq = entry?.['seq'];
  if (parts === undefined || typeof seq !== 'number' || entry?.['v'] !== parts.v) throw new Error(problemOf(line));
  return { v: parts.v, seq, mac: parts.mac, isAuthentic: (mac) => isAuthentic(parts, String(entry['prev']), mac) };
}

function problemOf(line: string): string {
  const version = newerVersion(line);
  return version === undefined
    ? 'its last line is no journal entry'
    : `a newer Holdfast wrote its last line (version ${version} of the format): update this one`;
}

function isAuthentic(parts: EntryLine, prev: string, mac: Mac): boolean {
  const bytes = Buffer.from(signedText(parts, prev));
  return parts.v === 2 && mac(bytes, 0, bytes.length) === parts.mac;
}
