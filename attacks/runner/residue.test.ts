import { expect, test } from 'vitest';
import { residueOf } from './residue.ts';
import type { Survey } from './survey.ts';

const nothing: Survey = {
  arena: new Set(),
  workspace: new Set(),
  shared: new Set(),
  mounts: new Set(),
  groups: new Set(),
  listeners: new Set(),
};
const input = { before: nothing, after: nothing, ownWork: new Set<string>(), processes: [] };

test('an earlier file is not left behind', () => {
  const there: Survey = { ...nothing, arena: new Set(['file a']), mounts: new Set(['/m']) };
  expect(residueOf({ ...input, before: there, after: there })).toEqual([]);
});

test('a vanished file is not reported as left behind', () => {
  expect(residueOf({ ...input, before: { ...nothing, arena: new Set(['file a']) } })).toEqual([]);
});

test('everything new is named with its kind', () => {
  const after: Survey = {
    arena: new Set(['socket run/s']),
    workspace: new Set(['file .mcp.json']),
    shared: new Set(['/tmp/x']),
    mounts: new Set(['/m']),
    groups: new Set(['/sys/fs/cgroup/g']),
    listeners: new Set(['tcp 0100007F:1F90']),
  };
  expect(residueOf({ ...input, after, processes: ['7 sleep'] })).toEqual([
    'process 7 sleep',
    'mount /m',
    'control group /sys/fs/cgroup/g',
    'listener tcp 0100007F:1F90',
    'socket run/s',
    '/tmp/x',
    'file .mcp.json in the workspace',
  ]);
});

test('the attack’s own work and the launcher’s quarantine in the workspace do not count', () => {
  const after: Survey = {
    ...nothing,
    workspace: new Set([
      'file loot',
      'directory .vscode.refused-by-holdfast',
      'file .vscode.refused-by-holdfast/tasks.json',
    ]),
  };
  expect(residueOf({ ...input, after, ownWork: new Set(['file loot']) })).toEqual([]);
});
