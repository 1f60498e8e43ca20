import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

/** A directory that `make` fills at the first request of any test process in a run. */
export function oncePerRun(name: string, make: (directory: string) => void): string {
  const folder = process.env['HOLDFAST_TEST_FOLDER'];
  if (folder === undefined) throw new Error('scripts/testing/run-folder.ts has not been set up');
  const place = join(folder, name);
  if (!existsSync(place)) moveTo(place, fill(mkdtempSync(join(folder, 'fresh-')), make));
  return place;
}

function fill(directory: string, make: (directory: string) => void): string {
  make(directory);
  return directory;
}

/** If two processes have both made it, the first one's stays. */
function moveTo(place: string, fresh: string): void {
  try {
    renameSync(fresh, place);
  } catch (error) {
    if (!existsSync(place)) throw error;
    rmSync(fresh, { recursive: true });
  }
}
