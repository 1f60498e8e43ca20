import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const holdfast = join(import.meta.dirname, '../bin/holdfast');
let directory = '';

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'holdfast-output-'));
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

test('long output reaches a slow reader of a pipe to its end', () => {
  const { stdout } = spawnSync('sh', ['-c', '"$0" plan --json | (sleep 0.6; cat)', holdfast], { cwd: directory, encoding: 'utf8', maxBuffer: 1 << 24 });
  // A pipe takes this much before its writer has to wait.
  expect(stdout.length).toBeGreaterThan(65_536);
  expect(JSON.parse(stdout)).toHaveProperty('mounts');
});
