/**
 * Makes a folder for one run of all tests, and removes it after the run. It holds files that many test files would
 * otherwise make again.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

/** Vitest calls it before it starts any worker, once for each project. All projects share the first one's folder. */
export function setup(): () => void {
  if (process.env['HOLDFAST_TEST_FOLDER'] !== undefined) return () => undefined;
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-tests-'));
  process.env['HOLDFAST_TEST_FOLDER'] = folder;
  // Threads and programs of tests load the sources. To compile them again takes a second of a processor each time.
  process.env['NODE_COMPILE_CACHE'] ??= join(folder, 'compiled');
  return () => rmSync(folder, { recursive: true, force: true });
}
