import { describe, expect, test } from 'vitest';
import { policyFrom, type PolicyTexts, places } from '../../policy/testing/policies.ts';
import { commandField, foundFile, mcpSurface, rulesSurface, sha, trustEntry } from '../testing/values.ts';
import type { ExecutableField, FoundFile, TrustEntry, TrustState } from '../types.ts';
import { trustStatus, trustAnswer } from './trust-status.ts';

function stateOf(found: FoundFile, ...entries: readonly TrustEntry[]): TrustState | undefined {
  return trustStatus({ files: [found] }, { entries })[0]?.state;
}

const spoken: ExecutableField = { path: 'prompt', effect: 'instructs', value: 'Be kind.' };
const other: ExecutableField = { path: 'mcpServers.more.command', effect: 'runs', value: 'more' };

describe('the state of a file', () => {
  const table: Readonly<Record<string, readonly [FoundFile, readonly TrustEntry[], TrustState]>> = {
    'that is new': [foundFile(), [], 'new'],
    'that was approved under another path': [foundFile(), [trustEntry({ path: 'a/.mcp.json' })], 'new'],
    'with its approved content': [foundFile(), [trustEntry()], 'approved'],
    'with the content that was approved for this login only': [
      foundFile(),
      [trustEntry({ sha256: sha('older'), approvedAt: '2027-01-01T00:00:00.000Z' }), trustEntry({ level: 'session' })],
      'approved',
    ],
    'with another executable value': [
      foundFile({ text: 'x', fields: [{ ...commandField, value: 'evil' }] }),
      [trustEntry()],
      'changed',
    ],
    'with an additional executable field': [
      foundFile({ text: 'x', fields: [commandField, other] }),
      [trustEntry()],
      'changed',
    ],
    'without one executable field': [foundFile({ text: 'x', fields: [] }), [trustEntry()], 'changed'],
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
    'with a different text for the model': [
      foundFile({ text: 'x', fields: [commandField, { ...spoken, value: 'Be quick.' }] }),
      [trustEntry({ fields: [commandField, spoken] })],
      'prose',
    ],
    'with a new text for the model': [
      foundFile({ text: 'x', fields: [commandField, spoken] }),
      [trustEntry()],
      'prose',
    ],
    'with a changed script': [
      foundFile({ scripts: [{ path: 'x.sh', sha256: sha('new') }] }),
      [trustEntry({ scripts: [{ path: 'x.sh', sha256: sha('old') }] })],
      'changed',
    ],
    'with a new script': [
      foundFile({ scripts: [{ path: 'x.sh', sha256: sha('new') }] }),
      [trustEntry({ scripts: [{ path: 'x.sh' }] })],
      'changed',
    ],
    'with a removed script': [
      foundFile({ scripts: [{ path: 'x.sh' }] }),
      [trustEntry({ scripts: [{ path: 'x.sh', sha256: sha('old') }] })],
      'changed',
    ],
    'that names one more script, outside its fields': [
      foundFile({ text: 'x', scripts: [{ path: 'x.sh' }] }),
      [trustEntry()],
      'changed',
    ],
    'with unreadable fields': [foundFile({ text: '{', problem: 'broken' }), [trustEntry()], 'changed'],
    'that now belongs to another surface': [
      foundFile({ text: 'x', surface: { ...mcpSurface, name: 'other' } }),
      [trustEntry()],
      'changed',
    ],
    'that is a program': [
      foundFile({ text: 'x', surface: { ...mcpSurface, format: 'source', fields: [] }, fields: [] }),
      [trustEntry({ fields: [] })],
      'changed',
    ],
    'that is a text for a model': [
      foundFile({ text: 'x', surface: rulesSurface, fields: [] }),
      [trustEntry({ surface: 'agents-md', fields: [] })],
      'prose',
    ],
    'that is a text for a model, with a newly permitted tool': [
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

  test('refers to the latest approval', () => {
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

test('an approved file that vanished is reported as gone, once, at its path', () => {
  const files = [foundFile({ path: 'c' }), foundFile({ path: 'a' })];
  const entries = [trustEntry({ path: 'b' }), trustEntry({ path: 'b', level: 'session' }), trustEntry({ path: 'a' })];
  expect(trustStatus({ files }, { entries }).map(({ path, state }) => [path, state])).toEqual([
    ['a', 'approved'],
    ['b', 'gone'],
    ['c', 'new'],
  ]);
});

test('a path with the name of an object’s own property is an ordinary path', () => {
  expect(stateOf(foundFile({ path: '__proto__' }))).toBe('new');
  expect(stateOf(foundFile({ path: 'constructor' }), trustEntry({ path: 'constructor' }))).toBe('approved');
});

const found = foundFile();
const withScript = foundFile({ scripts: [{ path: 'x.sh', sha256: sha('x') }] });
const rule = (decision: string, more = ''): string =>
  `[[trust]]\nname = "r"\ndecision = "${decision}"\npaths = [".mcp.json"]\n${more}`;
const mine = `sha256 = ["${found.sha256}"]`;
const others = `sha256 = ["${sha('other')}"]`;

function answer(texts: PolicyTexts, approved: 'approved' | 'new', file = found): string {
  const entries = approved === 'approved' ? [trustEntry({ scripts: file.scripts })] : [];
  const [status] = trustStatus({ files: [file] }, { entries });
  const result = trustAnswer(policyFrom(texts), places.workspace, {
    ...(status ?? { path: '', state: 'new' }),
    found: file,
  });
  return result.kind === 'approved' ? `${result.kind} by ${result.by}` : result.kind;
}

describe('the answers of a policy and a person', () => {
  test.each<readonly [string, PolicyTexts, readonly [unapproved: string, approved: string]]>([
    ['no rule applies', {}, ['unanswered', 'approved by person']],
    ['a rule allows these bytes', { user: rule('allow', mine) }, ['approved by policy', 'approved by policy']],
    ['a rule notes these bytes', { user: rule('audit', mine) }, ['approved by policy', 'approved by policy']],
    ['a rule allows other bytes', { user: rule('allow', others) }, ['unanswered', 'approved by person']],
    ['a rule allows any bytes', { user: rule('allow') }, ['approved by policy', 'approved by policy']],
    ['a rule denies', { user: rule('deny') }, ['refused', 'refused']],
    ['a rule denies these bytes', { user: rule('deny', mine) }, ['refused', 'refused']],
    ['a rule denies other bytes', { user: rule('deny', others) }, ['unanswered', 'approved by person']],
    ['a rule asks', { user: rule('ask') }, ['unanswered', 'approved by person']],
    [
      'the administrator denies what the user allows',
      { managed: rule('deny'), user: rule('allow', mine) },
      ['refused', 'refused'],
    ],
    ['the repository allows itself', { project: rule('allow', mine) }, ['unanswered', 'approved by person']],
    ['the repository denies', { project: rule('deny') }, ['refused', 'refused']],
  ])('%s', (_name, texts, answers) => {
    expect([answer(texts, 'new'), answer(texts, 'approved')]).toEqual(answers);
  });

  test('a rule about a file does not cover the scripts that it names', () => {
    expect([
      answer({ user: rule('allow', mine) }, 'new', withScript),
      answer({ user: rule('allow', mine) }, 'approved', withScript),
    ]).toEqual(['unanswered', 'approved by policy']);
  });
});
