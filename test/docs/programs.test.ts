import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { written } from '../lib/docs-pages.ts';
import { Project } from '../lib/holdfast.ts';
import { type Machine, startMachine } from '../lib/machine.ts';
import { SnippetDirectory } from '../lib/snippets.ts';

const home = new Project();
const directory = new SnippetDirectory();
const named = written('ts').map((snippet) => ({ ...snippet, name: `${snippet.at.replaceAll(/\W/gu, '-')}.ts` }));
for (const { name, code } of named) directory.add(name, code);

let machine: Machine;
beforeAll(async () => {
  machine = await startMachine({ directory: join(home.root, 'machine') });
}, 60_000);
afterAll(async () => {
  await machine[Symbol.asyncDispose]();
  directory[Symbol.dispose]();
  home[Symbol.dispose]();
});

test('type check', { timeout: 300_000 }, () => {
  const { status, stdout } = directory.types();
  expect(status, stdout).toBe(0);
});

test.each(named)('$at', { timeout: 300_000 }, ({ name }) => {
  const { status, stdout, stderr } = directory.run(machine, name);
  expect(status, `${stdout}\n${stderr}`).toBe(0);
});
