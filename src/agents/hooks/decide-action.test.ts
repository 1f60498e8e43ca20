import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readPlace } from '../../place/place.ts';
import { scratchDirectory } from '../../place/testing/scratch.ts';
import { freshDecisions } from './fresh-decisions.ts';
import type { HookDecision, ToolAction } from './types.ts';

/** Returns the decision under this user policy. */
function decided(policy: string, action: (workspace: string) => ToolAction): HookDecision {
  const root = realpathSync(scratchDirectory());
  const environment = { XDG_CONFIG_HOME: root, XDG_STATE_HOME: root, PATH: '/usr/bin:/bin' };
  const place = readPlace({ cwd: root, workspace: root, environment });
  const sources = [{ kind: 'user' as const, file: place.paths.userPolicy, text: `version = 1\n${policy}\n` }];
  return freshDecisions()(
    { place: { ...place, sources }, environment, program: ['/node', '/holdfast.cjs'] },
    action(root),
    { moment: 'before', event: 'x', tool: 'x', input: {}, cwd: root },
  );
}

const tools = (...names: readonly string[]): ToolAction => ({
  kind: 'mcp',
  requests: names.map((name) => ({
    kind: 'tool',
    server: name.split('/')[0] ?? '',
    tool: name.split('/')[1] ?? '',
    arguments: '{"secret":1}',
  })),
});

test.each<readonly [string, readonly string[], string]>([
  ['[tools]\ndeny = ["my_mail/send"]', ['my/mail_send', 'my_mail/send'], 'deny'],
  ['[tools]\ndeny = ["my_mail/send"]\nallow = ["my/*"]', ['my/mail_send', 'my_mail/send'], 'deny'],
  ['[tools]\nask = ["my_mail/*"]\nallow = ["my/*"]', ['my/mail_send', 'my_mail/send'], 'ask'],
  ['[tools]\nallow = ["my/*"]', ['my/mail_send', 'my_mail/send'], 'pass'],
  ['', ['my/mail_send', 'my_mail/send'], 'pass'],
])('under %j a tool that may be %j: %s', (policy, names, kind) => {
  const { answer, judged } = decided(policy, () => tools(...names));
  expect(answer.kind).toBe(kind);
  expect(judged.length).toBeGreaterThan(0);
  expect(JSON.stringify(judged)).not.toContain('secret');
});

interface Wished {
  readonly policy: string;
  readonly path: string;
  readonly operation: 'read' | 'write' | 'create';
  readonly kind: string;
}

test.each<Wished>([
  { policy: '', path: 'a', operation: 'create', kind: 'pass' },
  { policy: '', path: '.', operation: 'read', kind: 'pass' },
  { policy: '', path: '../beside', operation: 'create', kind: 'deny' },
  { policy: '', path: `${tmpdir()}/of-the-host`, operation: 'create', kind: 'deny' },
  { policy: '', path: '../NAME-beside/a', operation: 'create', kind: 'deny' },
  { policy: '[files]\ndeny = ["a"]', path: 'a', operation: 'read', kind: 'deny' },
  {
    policy: '[[file]]\nname = "aside"\ndecision = "stage"\npaths = ["a"]\noperations = ["write"]',
    path: 'a',
    operation: 'write',
    kind: 'deny',
  },
  {
    policy: '[[file]]\nname = "elsewhere"\ndecision = "redirect"\nredirect_to = "b"\npaths = ["a"]',
    path: 'a',
    operation: 'read',
    kind: 'deny',
  },
  { policy: '[[file]]\nname = "first"\ndecision = "ask"\npaths = ["a"]', path: 'a', operation: 'read', kind: 'ask' },
])('under $policy to $operation $path: $kind', ({ policy, path, operation, kind }) => {
  expect(
    decided(policy, (root) => ({
      kind: 'access',
      requests: [{ kind: 'file', operation, path: resolve(root, path.replace('NAME', basename(root))) }],
    })).answer.kind,
  ).toBe(kind);
});

test.each(['echo a\0b', 'echo \ud800'])('a text that no shell can be given is refused: %j', (text) => {
  expect(decided('', () => ({ kind: 'command', text, member: 'command' })).answer.kind).toBe('deny');
});

const answerTo = (policy: string, text: string): HookDecision['answer'] =>
  decided(policy, () => ({ kind: 'command', text, member: 'command' })).answer;

test('a line that only reads is not asked about, and any other is, with its class', () => {
  const policy = '[commands]\nask_above = "reads"\ndeny_above = "changes the machine"';
  expect(answerTo(policy, 'ls | wc -l')).toMatchObject({ kind: 'rewrite', input: expect.anything() });
  expect(answerTo(policy, 'ls | wc -l')).not.toHaveProperty('ask');
  expect(answerTo(policy, 'touch a')).toMatchObject({
    kind: 'rewrite',
    ask: expect.stringContaining('Class: writes the workspace (touch a: writes a)'),
  });
  expect(answerTo(policy, 'ls; rm -r $X')).toMatchObject({
    kind: 'deny',
    reason: expect.stringContaining('Class: destroys (rm -r $X: deletes $X)'),
  });
});

test('a request that another rule asks about or refuses also shows its class', () => {
  expect(answerTo('[commands]\ndeny = ["git push"]', 'git push --force')).toMatchObject({
    kind: 'deny',
    reason: expect.stringContaining('Class: destroys (git push --force: '),
  });
  expect(answerTo('[commands]\nask = ["git push"]', 'git push')).toMatchObject({
    ask: expect.stringContaining('Class: reaches out (git push: '),
  });
});
