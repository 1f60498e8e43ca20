import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Alarm, alarmsOf } from './alarms-of.ts';
import { repositories } from './repositories.ts';

/** The alarms of all made repositories, with the name of the repository before each path. */
export async function alarmsOfMade(): Promise<{ readonly files: number; readonly alarms: readonly Alarm[] }> {
  const all: Alarm[] = [];
  for (const [name, files] of Object.entries(repositories))
    for (const alarm of await alarmsOfFiles(files)) all.push({ ...alarm, path: `${name}/${alarm.path}` });
  return { files: Object.values(repositories).flat().length, alarms: all };
}

async function alarmsOfFiles(files: readonly string[]): Promise<readonly Alarm[]> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'alarms-')));
  try {
    for (const path of files) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), 'x\n');
    }
    return await alarmsOf(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
