import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A file that every user may read. It ends with the test. */
export function publicFile(name: string, content: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-file-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  chmodSync(directory, 0o755);
  const file = join(directory, name);
  writeFileSync(file, content, { mode: 0o644 });
  return file;
}
