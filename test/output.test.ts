import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';

const holdfast = join(import.meta.dirname, '../bin/holdfast');
let directory = '';

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'holdfast-output-'));
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Everything a command prints into a pipe that is read late: the pipe is full by then. */
async function printed(...words: readonly string[]): Promise<string> {
  const child = spawn(holdfast, words, { cwd: directory, stdio: ['ignore', 'pipe', 'inherit'] });
  await sleep(600);
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

test('long output reaches a slow reader to its end', async () => {
  const text = await printed('plan', '--json');
  expect(text.length).toBeGreaterThan(70_000);
  expect(JSON.parse(text)).toHaveProperty('mounts');
});
