import { describe, expect, test } from 'vitest';
import { filterText, mostFindings } from './filter-text.ts';

describe('modes', () => {
  const text = 'a\u200bb\u202ec';

  test('reveal is the default, and reports each run', () => {
    expect(filterText(text)).toEqual({
      text: 'a⟦U+200B⟧b⟦U+202E⟧c',
      findings: [
        { kind: 'invisible', start: 1, end: 2, what: 'U+200B' },
        { kind: 'bidi', start: 3, end: 4, what: 'U+202E' },
      ],
    });
  });

  test('strip removes them', () => {
    expect(filterText(text, { mode: 'strip' }).text).toBe('abc');
  });

  test('report leaves them in place', () => {
    expect(filterText(text, { mode: 'report' })).toEqual({ ...filterText(text), text });
  });

  test('reject names the first one', () => {
    expect(() => filterText(text, { mode: 'reject' })).toThrow(/U\+200B \(invisible\) at offset 1/u);
  });

  test('runs of different kinds are separate findings', () => {
    expect(filterText('\u200b\u202e\u{e0041}').text).toBe('⟦U+200B⟧⟦U+202E⟧⟦U+E0041⟧');
  });
});

describe('replacements in mode strip', () => {
  test.each([
    ['prose', 'a\u2028b', 'a\nb'],
    ['prose', 'a\u2029b', 'a\nb'],
    ['code', 'a\rb', 'a\nb'],
    ['prose', 'a\u00a0b', 'a\u00a0b'],
    ['name', 'a\u00a0b', 'a b'],
    ['name', 'a\u3000b', 'a b'],
    ['name', 'a\nb', 'a b'],
    ['name', 'a\tb', 'a b'],
    ['name', 'a\r\nb', 'a b'],
    ['name', 'a\u2028b', 'a b'],
    ['command', 'a\u2002b', 'a b'],
    ['command', 'a\rb', 'a b'],
    ['prose', 'a\0b', 'ab'],
    ['name', 'a\u200bb', 'ab'],
  ] as const)('as %s, %j becomes %j', (form, text, stripped) => {
    expect(filterText(text, { mode: 'strip', form }).text).toBe(stripped);
  });
});

describe('forms', () => {
  test.each([
    ['prose', 'a\tb\nc', true],
    ['code', 'a\tb\nc', true],
    ['command', 'cat <<X\n\tb\nX', true],
    ['name', 'a\tb', false],
    ['name', 'a\nb', false],
    ['prose', 'a\r\nb', true],
    ['code', 'a\r\nb', true],
    ['command', 'a\r\nb', false],
    ['name', 'a\r\nb', false],
    ['prose', 'a\u00a0b', true],
    ['code', 'a\u3000b', true],
    ['command', 'rm\u00a0-rf', false],
    ['name', 'a\u2003b', false],
    ['name', '❤\ufe0f.txt', true],
    ['command', 'echo ❤\ufe0f', false],
    ['name', 'می\u200cخواهم', true],
    ['command', 'echo می\u200cخواهم', false],
    ['command', 'echo 👩\u200d💻', false],
    ['name', '⠓\u2800⠑', false],
    ['prose', '⠓\u2800⠑', true],
  ] as const)('as %s, %j is clean: %s', (form, text, isClean) => {
    expect(filterText(text, { form }).findings.length === 0).toBe(isClean);
  });
});

describe('byte order marks', () => {
  test.each(['prose', 'code'] as const)('one at the start of %s is dropped without a finding', (form) => {
    expect(filterText('\ufeffabc', { form })).toEqual({ text: 'abc', findings: [] });
    expect(filterText('\ufeffabc', { form, mode: 'reject' })).toEqual({ text: 'abc', findings: [] });
    expect(filterText('\ufeffabc', { form, mode: 'report' })).toEqual({ text: '\ufeffabc', findings: [] });
  });

  test('a second one is revealed, at its own place', () => {
    expect(filterText('\ufeff\ufeffabc')).toEqual({
      text: '⟦U+FEFF⟧abc',
      findings: [{ kind: 'invisible', start: 1, end: 2, what: 'U+FEFF' }],
    });
  });

  test.each(['name', 'command'] as const)('one at the start of a %s is revealed', (form) => {
    expect(filterText('\ufeffabc', { form }).text).toBe('⟦U+FEFF⟧abc');
  });

  test('a lone one leaves an empty text', () => {
    expect(filterText('\ufeff').text).toBe('');
  });
});

describe('reveal cannot be forged', () => {
  test.each([
    ['⟦U+200B⟧', '⟦U+27E6⟧U+200B⟧'],
    ['⟦U+27E6⟧U+200B⟧', '⟦U+27E6⟧U+27E6⟧U+200B⟧'],
    ['⟦⟦U+', '⟦⟦U+27E6⟧U+'],
    ['⟦x⟧ ⟦U 200B⟧', '⟦x⟧ ⟦U 200B⟧'],
  ])('%s becomes %s, and is no finding', (text, shown) => {
    expect(filterText(text)).toEqual({ text: shown, findings: [] });
  });

  test.each(['strip', 'report', 'reject'] as const)('%s leaves the notation unchanged', (mode) => {
    expect(filterText('⟦U+200B⟧', { mode }).text).toBe('⟦U+200B⟧');
  });
});

describe('bounds', () => {
  test('findings beyond a thousand are counted, and still revealed', () => {
    const { text, findings, omitted } = filterText('a\u200b'.repeat(mostFindings + 5));
    expect(findings).toHaveLength(mostFindings);
    expect(omitted).toBe(5);
    expect(text).not.toContain('\u200b');
  });

  test('few findings omit nothing', () => {
    expect(filterText('a\u200b')).not.toHaveProperty('omitted');
  });

  test('a long mixture is named with a count', () => {
    const { findings } = filterText('\u200b\u200c'.repeat(50));
    expect(findings[0]?.what).toBe(`${'U+200B U+200C '.repeat(12)}+76 more`);
  });

  test('a long run of one character stays short', () => {
    expect(filterText('\u200b'.repeat(100_000)).text).toBe('⟦U+200B×100000⟧');
  });
});

test('a clean text is returned as the same string', () => {
  const text = 'x'.repeat(100);
  expect(filterText(text).text).toBe(text);
});

describe('look-alikes are reported in names and commands only, and never rewritten', () => {
  test.each(['prose', 'code'] as const)('not in %s', (form) => {
    expect(filterText('pаypal', { form }).findings).toEqual([]);
  });

  test.each(['name', 'command'] as const)('in a %s, in every mode', (form) => {
    for (const mode of ['reveal', 'strip', 'reject', 'report'] as const) {
      const { text, findings } = filterText('pаypal', { form, mode });
      expect(text).toBe('pаypal');
      expect(findings.map(({ kind }) => kind)).toEqual(['mixed-script', 'confusable']);
    }
  });
});
