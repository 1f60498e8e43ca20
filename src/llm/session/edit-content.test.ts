import { describe, expect, test } from 'vitest';
import { createJsonEditor } from '../../dlp/json/edit-json.ts';
import { contentRules, exactFinder, knownSecrets } from './content-rules.ts';
import { editContent } from './edit-content.ts';
import { gatewayOf, key, ruleOf } from './testing/gateway.ts';

function edit(
  value: unknown,
  {
    decision = 'redact' as 'redact' | 'tokenize' | 'block' | 'audit',
    fields = ['**'],
    textOrBase64 = [] as string[],
    patterns = [] as string[],
    secrets = [] as string[],
  } = {},
) {
  const rules = contentRules([ruleOf({ decision, patterns })], knownSecrets(() => secrets)());
  if (rules === undefined) throw new Error('no rules');
  const edited = editContent(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)), {
    rules,
    fakes: gatewayOf().fakes,
    editor: createJsonEditor({ fields, others: textOrBase64 }),
  });
  return {
    ...edited,
    text: edited.kind === 'passes' ? edited.bytes.toString() : '',
    found: edited.kind === 'unreadable' ? [] : edited.found.map(({ counts }) => counts),
  };
}

const gone = '[redacted:github-token]';

describe('a text that may be a file', () => {
  const at = { fields: [], textOrBase64: ['data'] };

  test.each([`data: ${key}`, `data:text/plain,${key}`, `iVBORw0KGgo ${key}`, `JVBERi\n${key}.`, key])(
    '%s is looked into',
    (data) => expect(edit({ data }, at).text).not.toContain(key),
  );
  test.each([`iVBORw0KGgo${'A'.repeat(100)}==`, `data:image/png;base64,${'A'.repeat(40)}`])(
    '%s is let alone',
    (data) => {
      expect(edit({ data }, { ...at, patterns: ['A{20}'] }).found).toEqual([]);
    },
  );
  test('is not text for a rule that blocks only outside of files', () =>
    expect(edit({ data: key }, { ...at, decision: 'block' }).kind).toBe('blocked'));
});

describe('JSON in a text', () => {
  const escaped = [...key].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

  test('is looked into as it is meant, and stays JSON', () => {
    const out = JSON.parse(edit({ arguments: `{"token":"${escaped}", "n":1e400}` }).text);
    expect(out.arguments).toBe(`{"token":"${gone}", "n":1e400}`);
  });

  test('within JSON within JSON, too', () => {
    const inner = JSON.stringify({ b: JSON.stringify({ c: key }) });
    expect(JSON.parse(JSON.parse(JSON.parse(edit({ a: inner }).text).a).b)).toEqual({ c: gone });
  });

  test('has its keys looked at', () => expect(edit({ a: JSON.stringify({ [key]: 1 }) }).text).not.toContain(key));
  test('that breaks off is a text', () =>
    expect(edit({ a: `{"token":"${key}` }).text).toBe(JSON.stringify({ a: `{"token":"${gone}` })));
  test.each(['audit', 'block'] as const)('is counted once by %s', (decision) =>
    expect(edit({ a: JSON.stringify({ b: key }) }, { decision }).found).toEqual([{ 'github-token': 1 }]),
  );
  test('a pattern beyond its bounds finds only text within them', () => {
    const text = edit({ a: '{"a":"secret=abc","b":"x"}' }, { patterns: ['secret=[^ ]{1,50}'] }).text;
    expect(JSON.parse(JSON.parse(text).a)).toEqual({ a: expect.stringContaining('[redacted'), b: 'x' });
  });
  test.each(['[', '{', '"'])('a hundred thousand %j stay unchanged', (open) =>
    expect(edit({ a: open.repeat(100_000) }).found).toEqual([]),
  );
});

describe('a content', () => {
  test.each(['', 'x', '{', '{"a":1,}', '\u0000'])('of %j cannot be inspected', (text) =>
    expect(edit(text).kind).toBe('unreadable'),
  );
  test('has a key taken out under both of two equal names', () =>
    expect(edit(`{"a":"${key}","a":"${key}"}`).found).toEqual([{ 'github-token': 2 }]));
  test('has the same fake for the same key', () => {
    const [one, other] = JSON.parse(edit([key, `it is ${key}`], { decision: 'tokenize' }).text);
    expect(other).toBe(`it is ${one}`);
    expect(one).toMatch(/^ghp_/u);
  });
  test('that is only reported stays the same', () =>
    expect(edit(` {"a":"${key}"} `, { decision: 'audit' }).text).toBe(` {"a":"${key}"} `));
  test('has the secrets of the session taken out in any spelling', () => {
    const text = edit(
      { a: `é😀 ${Buffer.from('correct horse battery').toString('base64')} correct horse battery!` },
      { secrets: ['correct horse battery'] },
    ).text;
    expect(text).not.toContain('correct');
    expect(text).not.toContain(Buffer.from('correct horse').toString('base64').slice(0, 12));
    expect(JSON.parse(text).a).toMatch(/^é😀 .* .*!$/u);
  });
});

describe('known secrets', () => {
  const finder = exactFinder(['pässword-1234', 'short']);

  test('are found where they stand, beside characters of one to four octets', () => {
    for (const before of ['', 'a', 'é', '€', '😀', '\ud800', 'é€😀a']) {
      const text = `${before}pässword-1234${before}pässword-1234`;
      expect(finder.find(text).map(({ start, end }) => text.slice(start, end))).toEqual([
        'pässword-1234',
        'pässword-1234',
      ]);
    }
  });
  test('of a few letters are not searched for', () => expect(finder.find('short')).toEqual([]));
  test('are found a hundred thousand times in no time', () =>
    expect(finder.find('é pässword-1234'.repeat(100_000)).length).toBe(100_000));
});
