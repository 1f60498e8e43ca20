import { readSync } from 'node:fs';
import { genesis, parseBody, splitLine } from './chain.ts';

/** The entry that the next one follows. */
export interface Tip {
  readonly seq: number;
  readonly hash: string;
  /** Bytes of whole lines. What lies behind is half a line, left by a crash while it was written. */
  readonly end: number;
}

const firstWindow = 65_536;

/** Finds the last whole line of an open journal, reading backwards. Throws when it is no entry. */
export function findTip(fd: number, size: number): Tip {
  for (let length = Math.min(size, firstWindow); ; length = Math.min(size, length * 2)) {
    const bytes = Buffer.alloc(length);
    readSync(fd, bytes, 0, length, size - length);
    const end = bytes.lastIndexOf('\n') + 1;
    const start = end < 2 ? 0 : bytes.lastIndexOf('\n', end - 2) + 1;
    if (start > 0 || length === size) return { ...tipOf(bytes.toString('utf8', start, Math.max(start, end - 1)), end), end: size - length + end };
  }
}

function tipOf(line: string, end: number): Omit<Tip, 'end'> {
  if (end === 0) return { seq: 0, hash: genesis };
  const parts = splitLine(line);
  const seq = parts === undefined ? undefined : parseBody(parts.body)?.['seq'];
  if (parts === undefined || typeof seq !== 'number') throw new Error('its last line is no journal entry');
  return { seq, hash: parts.hash };
}
