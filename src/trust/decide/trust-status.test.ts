import { describe, expect, test } from 'vitest';
import { commandField, foundFile, mcpSurface, rulesSurface, sha, trustEntry } from '../testing/values.ts';
import type { ExecutableField, FoundFile, TrustEntry, TrustState } from '../types.ts';
import { trustStatus } from './trust-status.ts';

function stateOf(found: FoundFile, ...entries: readonly TrustEntry[]): TrustState | undefined {
  return trustStatus({ files: [found] }, { entries })[0]?.state;
}

const spoken: ExecutableField = { path: 'prompt', effect: 'instructs', value: 'Be kind.' };
const other: ExecutableField = { path: 'mcpServers.more.command', effect: 'runs', value: 'more' };

describe('the state of a file', () => {
  const table: Readonly<Record<string, readonly [FoundFile, readonly TrustEntry[], TrustState]>> = {
    'that nobody has seen': [foundFile(), [], 'new'],
    'of which another path was approved': [foundFile(), [trustEntry({ path: 'a/.mcp.json' })], 'new'],
    'that is what was approved': [foundFile(), [trustEntry()], 'approved'],
    'that is what was approved for this login, though not for always': [
      foundFile(),
      [trustEntry({ sha256: sha('older'), approvedAt: '2027-01-01T00:00:00.000Z' }), trustEntry({ level: 'session' })],
      'approved',
    ],
    'with another executable value': [
      foundFile({ text: 'x', fields: [{ ...commandField, value: 'evil' }] }),
      [trustEntry()],
      'changed',
    ],
    'with one executable field more': [
      foundFile({ text: 'x', fields: [commandField, other] }),
      [trustEntry()],
      'changed',
    ],
    'with one executable field less': [foundFile({ text: 'x', fields: [] }), [trustEntry()], 'changed'],
    'with the same field twice': [
      foundFile({ text: 'x', fields: [commandField, commandField] }),
      [trustEntry()],
      'changed',
    ],
    'with the same fields in another order': [
      foundFile({ text: 'x', fields: [other, commandField] }),
      [trustEntry({ fields: [commandField, other] })],
      'prose',
    ],
    'with other white space': [foundFile({ text: '{ }' }), [trustEntry()], 'prose'],
    'that speaks otherwise': [
      foundFile({ text: 'x', fields: [commandField, { ...spoken, value: 'Be quick.' }] }),
      [trustEntry({ fields: [commandField, spoken] })],
      'prose',
    ],
    'that speaks now': [foundFile({ text: 'x', fields: [commandField, spoken] }), [trustEntry()], 'prose'],
    'whose script is another': [
      foundFile({ scripts: [{ path: 'x.sh', sha256: sha('new') }] }),
      [trustEntry({ scripts: [{ path: 'x.sh', sha256: sha('old') }] })],
      'changed',
    ],
    'whose script has come into being': [
      foundFile({ scripts: [{ path: 'x.sh', sha256: sha('new') }] }),
      [trustEntry({ scripts: [{ path: 'x.sh' }] })],
      'changed',
    ],
    'whose script is gone': [
      foundFile({ scripts: [{ path: 'x.sh' }] }),
      [trustEntry({ scripts: [{ path: 'x.sh', sha256: sha('old') }] })],
      'changed',
    ],
    'that names a script more, in no field': [
      foundFile({ text: 'x', scripts: [{ path: 'x.sh' }] }),
      [trustEntry()],
      'changed',
    ],
    'whose fields nobody can read': [foundFile({ text: '{', problem: 'broken' }), [trustEntry()], 'changed'],
    'that counts as something else now': [
      foundFile({ text: 'x', surface: { ...mcpSurface, name: 'other' } }),
      [trustEntry()],
      'changed',
    ],
    'that is as a whole a program': [
      foundFile({ text: 'x', surface: { ...mcpSurface, format: 'source', fields: [] }, fields: [] }),
      [trustEntry({ fields: [] })],
      'changed',
    ],
    'that is a text to a model': [
      foundFile({ text: 'x', surface: rulesSurface, fields: [] }),
      [trustEntry({ surface: 'agents-md', fields: [] })],
      'prose',
    ],
    'that is a text to a model, with a tool that it may use now': [
      foundFile({
        text: 'x',
        surface: rulesSurface,
        fields: [{ path: 'allowed-tools', effect: 'permits', value: 'Bash' }],
      }),
      [trustEntry({ surface: 'agents-md', fields: [] })],
      'changed',
    ],
  };

  test.each(Object.entries(table))('%s', (_name, [found, entries, state]) => {
    expect(stateOf(found, ...entries)).toBe(state);
  });

  test('is told against the latest approval', () => {
    const [older, newer] = [
      trustEntry({ sha256: sha('1'), fields: [other] }),
      trustEntry({ sha256: sha('2'), level: 'session', approvedAt: '2027-01-01T00:00:00.000Z' }),
    ];
    for (const entries of [
      [older, newer],
      [newer, older],
    ]) {
      expect(trustStatus({ files: [foundFile()] }, { entries })).toMatchObject([
        { state: 'prose', entry: { sha256: sha('2') } },
      ]);
    }
  });
});

test('what was approved and is not there is gone, once, and everything stands by its path', () => {
  const files = [foundFile({ path: 'c' }), foundFile({ path: 'a' })];
  const entries = [trustEntry({ path: 'b' }), trustEntry({ path: 'b', level: 'session' }), trustEntry({ path: 'a' })];
  expect(trustStatus({ files }, { entries }).map(({ path, state }) => [path, state])).toEqual([
    ['a', 'approved'],
    ['b', 'gone'],
    ['c', 'new'],
  ]);
});

test('a path that is called like something of every object is a path', () => {
  expect(stateOf(foundFile({ path: '__proto__' }))).toBe('new');
  expect(stateOf(foundFile({ path: 'constructor' }), trustEntry({ path: 'constructor' }))).toBe('approved');
});
