/**
 * Makes a folder for one run of all tests, and removes it with the run: for what each of many files would make again.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

/** Vitest calls it before it starts any worker, once for each project: they share the first one's. */
export function setup(): () => void {
  if (process.env['HOLDFAST_TEST_FOLDER'] !== undefined) return () => undefined;
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-tests-'));
  process.env['HOLDFAST_TEST_FOLDER'] = folder;
  // Threads and programs of tests load the sources: compiling them again takes a second of a processor each time.
  process.env['NODE_COMPILE_CACHE'] ??= join(folder, 'compiled');
  return () => rmSync(folder, { recursive: true, force: true });
}
