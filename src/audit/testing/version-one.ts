import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { JournalEvent } from '../events.ts';

/** Writes a journal in the old format, without a key. */
export function writeVersionOne(file: string, events: readonly JournalEvent[]): void {
  let prev = '0'.repeat(64);
  const lines = events.map((event, index) => {
    const body = JSON.stringify({ v: 1, seq: index + 1, time: new Date().toISOString(), ...event, prev });
    prev = createHash('sha256').update(`${prev}\n${body}`).digest('hex');
    return `${body.slice(0, -1)},"hash":"${prev}"}\n`;
  });
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, lines.join(''), { mode: 0o600 });
}
