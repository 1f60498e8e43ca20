import type { DatabaseSync } from 'node:sqlite';
import type { JournalPosition } from '../entries.ts';

/** How far the index has come. */
export interface Progress {
  /** Where the last entry begins that is in it; absent where none is. */
  readonly last?: JournalPosition;
  readonly next: JournalPosition;
  /** Of that entry; empty where there is none. */
  readonly mac: string;
  /** Lines on the way that are no entries. */
  readonly skipped: number;
}

const beginning: Progress = { next: { part: 1, offset: 0, line: 1 }, mac: '', skipped: 0 };

export function readProgress(database: DatabaseSync): Progress {
  const row = database.prepare('SELECT * FROM progress').get() as Readonly<Record<string, number>> | undefined;
  if (row === undefined) return beginning;
  const { part = 0, offset = 0, line = 0, next_part = 0, next_offset = 0, next_line = 0, skipped = 0 } = row;
  return { last: { part, offset, line }, next: { part: next_part, offset: next_offset, line: next_line }, mac: String(row['mac']), skipped };
}

export function writeProgress(database: DatabaseSync, { last, next, mac, skipped }: Progress): void {
  const { part, offset, line } = last ?? next;
  database
    .prepare('INSERT OR REPLACE INTO progress(id, part, offset, line, next_part, next_offset, next_line, mac, skipped) VALUES(1, ?, ?, ?, ?, ?, ?, ?, ?)')
    .run(part, offset, line, next.part, next.offset, next.line, mac, skipped);
}
