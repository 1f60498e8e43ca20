import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { removeDeadGroups } from './dead-groups.ts';

test('groups of dead supervisors go when they are old and empty, and nothing else', () => {
  const directory = mkdtempSync(join(tmpdir(), 'groups-'));
  const dead = spawnSync('true').pid.toString(36);
  const names = {
    empty: `holdfast-time-${dead}-1.2`,
    used: `holdfast-time-${dead}-3.4`,
    living: `holdfast-time-${process.pid.toString(36)}-1.2`,
    other: 'docker',
    hostile: `holdfast-hostile-${process.pid}`,
  };
  for (const name of Object.values(names)) mkdirSync(join(directory, name));
  writeFileSync(join(directory, names.used, 'file'), '');
  const own = [join(directory, 'holdfast-time-me-5.6')];
  removeDeadGroups(own);
  expect(readdirSync(directory)).toHaveLength(5);
  removeDeadGroups(own, Date.now() + 120_000);
  expect(readdirSync(directory).sort()).toEqual([names.used, names.living, names.other, names.hostile].sort());
  removeDeadGroups([join(directory, 'missing/x')]);
  rmSync(directory, { recursive: true });
});
