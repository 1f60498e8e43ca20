import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Path of a future journal, in a directory that is removed after the test. */
export function freshJournal(): string {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-audit-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, 'state/journal.jsonl');
}
