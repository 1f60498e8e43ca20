/**
 * Kills writers of a journal at random moments, for as long as you like: `journal-kill-sweep.ts [MINUTES]`. Prints
 * losses and damage, and exits with 1 after any.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { killWriters } from '../src/audit/testing/kill-writers.ts';

const end = Date.now() + Number(process.argv[2] ?? 60) * 60_000;
let rounds = 0;
let wrong = 0;

do {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-journal-'));
  const found = await killWriters({
    file: join(directory, 'state/journal.jsonl'),
    writers: 12,
    events: 30,
    rotateAt: 1000 + Math.floor(Math.random() * 60_000),
    killed: 8,
  });
  for (const line of found) console.error(line);
  // A broken journal stays for inspection.
  if (found.length === 0) rmSync(directory, { recursive: true });
  wrong += found.length;
  rounds++;
} while (Date.now() < end);

console.log(`journal-kill-sweep: ${rounds * 8} writers killed, ${wrong} problems`);
process.exitCode = wrong === 0 ? 0 : 1;
