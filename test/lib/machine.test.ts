import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Project } from './holdfast.ts';
import { type Machine, startMachine } from './machine.ts';
import { docsProject, runShell } from './snippets.ts';

const answers: Readonly<Record<string, string>> = {
  'curl -sS http://example.com/a https://api.example.com/b': 'GET example.com /a\nGET api.example.com /b\n',
  'curl -sS http://localhost:3000/c': 'GET localhost /c\n',
  'https_proxy=http://proxy.example.com:3128 curl -sS https://example.com/d; cat "$MACHINE/proxied"':
    'GET example.com /d\nexample.com:443\n',
  'npm install --silent && node -p "require(\'left-pad\')(1, 3)"': '  1\n',
};

const home = new Project();
let machine: Machine;
beforeAll(async () => {
  machine = await startMachine({ directory: join(home.root, 'machine') });
});
afterAll(async () => {
  await machine[Symbol.asyncDispose]();
  home[Symbol.dispose]();
});

test.each(Object.entries(answers))(
  'the machine of the examples, without a box: %s',
  { timeout: 60_000 },
  (code, expected) => {
    using project = docsProject();
    const { status, stdout, stderr } = runShell({ project, machine }, code);
    expect({ status, stdout, stderr }).toMatchObject({ status: 0, stdout: expected });
  },
);

test('leads nowhere else', () => {
  using project = docsProject();
  expect(runShell({ project, machine }, 'curl -sS --max-time 5 http://192.0.2.1/').status).toBe(7);
});
