import { expect, test } from 'vitest';
import { docsProject, runShell } from './snippets.ts';

const answers: Readonly<Record<string, string>> = {
  'curl -sS http://example.com/a https://api.example.com/b': 'GET example.com /a\nGET api.example.com /b\n',
  'curl -sS http://localhost:3000/c': 'GET localhost /c\n',
  'https_proxy=http://proxy.example.com:3128 curl -sS https://example.com/d; cat "$MACHINE/proxied"': 'GET example.com /d\nexample.com:443\n',
  'npm install --silent && node -p "require(\'left-pad\')(1, 3)"': '  1\n',
};

test.each(Object.entries(answers))('the machine of the examples, without a box: %s', { timeout: 60_000 }, (code, expected) => {
  using project = docsProject();
  const { status, stdout, stderr } = runShell(project, code);
  expect({ status, stdout, stderr }).toMatchObject({ status: 0, stdout: expected });
});

test('leads nowhere else', () => {
  using project = docsProject();
  expect(runShell(project, 'curl -sS --max-time 5 http://192.0.2.1/').status).toBe(7);
});
