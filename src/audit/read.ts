import { readFileSync } from 'node:fs';
import { parseBody, splitLine } from './chain.ts';
import type { JournalEvent } from './events.ts';
import { journalFailed } from './failure.ts';

export type JournalEntry = JournalEvent & {
  readonly v: 1;
  readonly seq: number;
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly prev: string;
  readonly hash: string;
};

/** All entries in order; a missing journal has none. Lines that are no entries are left out: `verifyJournal` names them. */
export function readEvents(file: string): readonly JournalEntry[] {
  return readLines(file).lines.flatMap((line) => {
    const parts = splitLine(line);
    const fields = parts === undefined ? undefined : parseBody(parts.body);
    return parts === undefined || fields === undefined ? [] : [{ ...fields, hash: parts.hash } as unknown as JournalEntry];
  });
}

export interface JournalLines {
  readonly lines: readonly string[];
  /** What stands behind the last newline: empty, or half a line that a crash left. */
  readonly torn: string;
}

export function readLines(file: string): JournalLines {
  try {
    const lines = readFileSync(file, 'utf8').split('\n');
    return { lines: lines.slice(0, -1), torn: lines.at(-1) ?? '' };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { lines: [], torn: '' };
    throw journalFailed(file, error);
  }
}
