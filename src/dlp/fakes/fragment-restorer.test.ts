import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { growth, linear } from '../../../scripts/testing/work-time.ts';
import { createFragmentRestorer, TextBeginning, readEscape, unescaped } from './fragment-restorer.ts';
import { chosenMap, mapOf, realOfChosen } from './testing/maps.ts';
import { cutInto, replacedInDocument, replacedSlowly, runOf } from './testing/reference.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const lengths = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 5 });
const pem = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEF\n'.repeat(2)}-----END PRIVATE KEY-----\n`;
const reals = [
  'ghp_abcdefghijABCDEFGHIJ0123456789abcdef',
  'a/path/with/a "quote" and \\ and ä\t',
  pem,
  '4111111111111111',
  'p@ss/word/of/six/words',
];
const map = mapOf();
const fakes = reals.map((real) => map.fakeFor(real.startsWith('a/') ? 'session-secret' : 'x', real) ?? '');
const chosen = chosenMap(['aab', 'aabb', 'ab"', '"\\', 'b/a', 'bab\n']);

/** A string as JSON has it, each character in one of the ways that it can be written in. */
function spelt(text: string): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom('plain', 'unicode', 'capital', 'short'), { minLength: 1, maxLength: 7 }).map(
    (ways) =>
      `"${text
        .split('')
        .map((unit, index) => spellUnit(unit, ways[index % ways.length] ?? 'plain'))
        .join('')}"`,
  );
}

function spellUnit(unit: string, way: string): string {
  const code = unit.charCodeAt(0).toString(16).padStart(4, '0');
  if (way === 'unicode') return `\\u${code}`;
  if (way === 'capital') return `\\u${code.toUpperCase()}`;
  if (unit === '/' && way === 'short') return '\\/';
  return JSON.stringify(unit).slice(1, -1);
}

const strings = (parts: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.array(parts, { maxLength: 6 }).chain((pieces) => spelt(pieces.join('')));
const space = fc.constantFrom('', '', ' ', '\n\t');

/** JSON text with strings of these parts, spelt and set in any way. Keys differ. */
function documents(parts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const scalar = fc.oneof(
    { arbitrary: strings(parts), weight: 5 },
    { arbitrary: fc.constantFrom('1', '-0.5e+3', '123456789012345678901234567890', 'true', 'null'), weight: 1 },
  );
  return fc.letrec<{ readonly value: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      scalar,
      fc
        .tuple(space, fc.array(tie('value'), { maxLength: 3 }))
        .map(([gap, all]) => `[${gap}${all.join(`,${gap}`)}${gap}]`),
      fc
        .tuple(space, fc.array(fc.tuple(strings(parts), tie('value')), { maxLength: 3 }))
        .map(
          ([gap, all]) =>
            `{${all.map(([key, value], index) => `${gap}"${index}${key.slice(1)}${gap}:${gap}${value}`).join(',')}${gap}}`,
        ),
    ),
  })).value;
}

const ofFakes = documents(
  fc.oneof(
    fc.constantFrom(...fakes, ...fakes.map((fake) => fake.slice(0, -1)), ...fakes.map((fake) => fake.slice(0, 10))),
    fc.string({ maxLength: 4 }),
  ),
);
const ofChosen = documents(fc.string({ unit: fc.constantFrom('a', 'b', '"', '\\', '/', '\n'), maxLength: 5 }));

describe('a document', () => {
  test.each([
    ['fakes', ofFakes, map],
    ['fakes that overlap', ofChosen, chosen],
  ])('with %s means the same as after replacing strings and keys, in any pieces', (_, documents, of) => {
    fc.assert(
      fc.property(documents, lengths, (text, cuts) => {
        const restored = runOf(createFragmentRestorer(of), [text]);
        expect(JSON.parse(restored)).toEqual(replacedInDocument(JSON.parse(text), of));
        expect(runOf(createFragmentRestorer(of), cutInto(text, cuts))).toBe(restored);
        expect(runOf(createFragmentRestorer(of), text.split(''))).toBe(restored);
      }),
      { numRuns: rounds(300) },
    );
  });

  test('is the same at every cut in two', () => {
    fc.assert(
      fc.property(ofFakes, (text) => {
        const restored = runOf(createFragmentRestorer(map), [text]);
        for (let cut = 0; cut <= text.length; cut += 1)
          expect(runOf(createFragmentRestorer(map), [text.slice(0, cut), text.slice(cut)])).toBe(restored);
      }),
      { numRuns: 12 },
    );
  });

  test('keeps every character that is not of a fake', () => {
    fc.assert(
      fc.property(ofFakes, (text) => {
        const token = /"(?:[^"\\]|\\.)*"/gu;
        const restored = runOf(createFragmentRestorer(map), [text]);
        expect(restored.split(token)).toEqual(text.split(token));
        for (const [index, before] of (text.match(token) ?? []).entries()) {
          const value = JSON.parse(before) as string;
          if (replacedSlowly(value, map) === value) expect(restored.match(token)?.[index]).toBe(before);
        }
      }),
      { numRuns: rounds(200) },
    );
  });
});

describe('a fake', () => {
  const [github = '', ...others] = fakes;

  test('is found where it is written in escapes, and only it is changed', () => {
    const odd = `\\u0067hp_${github.slice(4)}`;
    expect(runOf(createFragmentRestorer(map), [`{"a": "\\u0061\\/x ${odd} \\/y" , "b":1.0}`])).toBe(
      `{"a": "\\u0061\\/x ${reals[0]} \\/y" , "b":1.0}`,
    );
    expect(runOf(createFragmentRestorer(map), ['["\\u00', '67h', 'p_', github.slice(4), '"]'])).toBe(`["${reals[0]}"]`);
  });

  test('is brought back as JSON has it', () => {
    for (const [index, fake] of others.entries()) {
      const real = reals[index + 1];
      expect(runOf(createFragmentRestorer(map), [JSON.stringify({ [fake]: [`x${fake}`] })])).toBe(
        JSON.stringify({ [real ?? '']: [`x${real}`] }),
      );
    }
  });

  test('is left outside of strings, and where it goes on over the end of one', () => {
    for (const text of [
      github,
      `[${github}]`,
      `{"a":${fakes[3]}}`,
      `["${github.slice(0, 9)}","${github.slice(9)}"]`,
      `"a"${github}"b"`,
    ])
      expect(runOf(createFragmentRestorer(map), [text])).toBe(text);
  });

  test('is found in a text that has lost its way, wherever a string may be', () => {
    expect(runOf(createFragmentRestorer(map), [`{{"}"x:"\n\\q\\u00zz${github}`])).toBe(
      `{{"}"x:"\n\\q\\u00zz${reals[0]}`,
    );
    expect(runOf(createFragmentRestorer(map), [`"\\"${github}\\\\"${github}`])).toBe(`"\\"${reals[0]}\\\\"${github}`);
  });

  test('is not found across a character that is not an escape', () => {
    for (const between of ['\\q', '\\u', '\\u00', '\\u123g', '\\']) {
      const text = `"${github.slice(0, 9)}${between}${github.slice(9)}"`;
      expect(runOf(createFragmentRestorer(map), text.split(''))).toBe(text);
    }
  });
});

describe('any text', () => {
  const parts = fc.constantFrom(
    '"',
    '\\',
    '\\"',
    '\\u',
    '\\u00',
    '\\u0061',
    'a',
    'b',
    '/',
    '{',
    '\n',
    'é',
    '\ud83d',
    'aab',
    '\\u0061ab\\u0062',
  );

  test('is the same however it is cut, and unchanged but for fakes', () => {
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 25 }), lengths, (pieces, cuts) => {
        const text = pieces.join('');
        const restored = runOf(createFragmentRestorer(chosen), [text]);
        expect(runOf(createFragmentRestorer(chosen), cutInto(text, cuts))).toBe(restored);
        expect(runOf(createFragmentRestorer(chosen), text.split(''))).toBe(restored);
        expect(runOf(createFragmentRestorer(chosenMap([])), text.split(''))).toBe(text);
        if (!restored.includes('<')) expect(restored).toBe(text);
      }),
      { numRuns: rounds(1000) },
    );
  });

  test('is held back no longer than the longest fake is in escapes, and an escape', () => {
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 40 }), (pieces) => {
        const restorer = createFragmentRestorer(chosenMap(['aab', 'babb']));
        let [pushed, shown] = [0, 0];
        for (const unit of pieces.join('').replaceAll('aab', 'aa').replaceAll('\\u0061ab\\u0062', '').split('')) {
          pushed += 1;
          const more = restorer.push(unit);
          if (more.includes('<')) return;
          shown += more.length;
          expect(pushed - shown).toBeLessThanOrEqual(3 * 6 + 5);
        }
      }),
      { numRuns: rounds(300) },
    );
  });

  test('is not held back outside of strings, nor in them without the beginning of a fake', () => {
    const restorer = createFragmentRestorer(map);
    for (const piece of ['{', '"city', '": ', '"Ber', 'lin \\u00e4 \\n', '", "n": -1', '}'])
      expect(restorer.push(piece)).toBe(piece);
    expect(restorer.end()).toBe('');
  });

  test('is complete at the end, and later text begins outside of strings', () => {
    const restorer = createFragmentRestorer(map);
    expect(restorer.push('{"a":"ghp_\\u00')).toBe('{"a":"');
    expect(restorer.end()).toBe('ghp_\\u00');
    expect(restorer.end()).toBe('');
    expect(restorer.push(`ghp_${fakes[0]}`)).toBe(`ghp_${fakes[0]}`);
    expect(restorer.push(`"${fakes[0]}`)).toBe(`"${reals[0]}`);
  });
});

describe('a map that grows', () => {
  test('counts at once, even for text held back', () => {
    const grown = chosenMap(['abcd']);
    const restorer = createFragmentRestorer(grown);
    expect(restorer.push('["xx\\u0061b\\u00')).toBe('["xx');
    grown.add('abxy');
    expect(restorer.push('78')).toBe('');
    grown.add('zz');
    expect(restorer.push('y zz"]')).toBe(
      `${JSON.stringify(realOfChosen('abxy')).slice(1, -1)} ${JSON.stringify(realOfChosen('zz')).slice(1, -1)}"]`,
    );
  });
});

test.each([
  ['', '['],
  ['', '"'],
  ['"', '\\'],
  ['"', '\\u0061'],
  ['"', (fakes[0] ?? '').slice(0, -1)],
])('text of %j and a hundred thousand characters of %j takes linear time', async (begin, part) => {
  const work = (size: number): void => {
    const text = begin + part.repeat(size / part.length);
    expect(runOf(createFragmentRestorer(map), cutInto(text, [1]))).toBe(text);
    expect(runOf(createFragmentRestorer(map), [text])).toBe(text);
  };
  expect(await growth(work, 1e5)).toBeLessThan(linear);
});

test('only the start of its own string keeps a fake', () => {
  const [real = '', fake = ''] = [reals[0], fakes[0]];
  const begun: string[] = [];
  const restorer = createFragmentRestorer(map, { keeps: (begin) => (begun.push(begin), begin.startsWith('https:')) });
  const text = ['["https:\\/\\u002f', 'a/?', fake, '","', fake, '","x ', fake.slice(0, 9), fake.slice(9), '"]']
    .map((piece) => restorer.push(piece))
    .join('');
  expect([begun, text + restorer.end()]).toEqual([
    ['https://a/?', '', 'x '],
    `["https:\\/\\u002fa/?${fake}","${real}","x ${real}"]`,
  ]);
});

describe('an escape', () => {
  test.each(['\\"', '\\\\', '\\/', '\\b', '\\f', '\\n', '\\r', '\\t', '\\u0000', '\\u0067', '\\uD83d', '\\uFFFF'])(
    '%s reads as a parser reads it',
    (raw) => {
      const text = JSON.parse(`"${raw}"`) as string;
      expect(readEscape(`xy${raw}0`, 2)).toEqual({ code: text.charCodeAt(0), width: raw.length });
      for (let length = 1; length < raw.length; length += 1)
        expect(readEscape(raw.slice(0, length), 0)).toBeUndefined();
    },
  );

  test.each([
    '\\x',
    '\\U0041',
    '\\u00g0',
    '\\u"',
    '\\u0"',
    '\\u-123',
    '\\u 041',
    '\\u123\n',
    '\\é',
    '\\\n',
    '\\1',
    '\\constructor',
    '\\__proto__',
  ])('%j is invalid', (raw) => {
    expect(readEscape(raw, 0)).toEqual({ code: -1, width: 2 });
  });

  test('reads as a parser reads it, with any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ maxLength: 6 }), fc.stringMatching(/^[u"\\/bn][\da-gA-G"]{0,5}$/u)), (rest) => {
        const unit = readEscape(`\\${rest}`, 0);
        if (unit === undefined) return;
        const raw = `\\${rest}`.slice(0, unit.width);
        if (unit.code >= 0) expect((JSON.parse(`"${raw}"`) as string).charCodeAt(0)).toBe(unit.code);
        else expect(() => JSON.parse(`"${raw}${rest.slice(unit.width - 1)}aaaa"`) as unknown).toThrow();
      }),
      { numRuns: rounds(500) },
    );
  });
});

test('a text reads as a parser reads it, without invalid or partial escapes', () => {
  expect(['a\\u0062c', 'a\\/b\\n', 'a\\xb', 'a\\', 'a\\u00', '\\u00g0a'].map(unescaped)).toEqual([
    'abc',
    'a/b\n',
    'ab',
    'a',
    'a',
    '00g0a',
  ]);
});

test('a lead is the first 256 characters, however long the text is and in whatever pieces it came', () => {
  const text = Array.from({ length: 1000 }, (_, index) => String.fromCharCode(0x4e00 + index)).join('');
  for (const length of [1, 100, 255, 256, 257, 1000]) {
    const lead = new TextBeginning();
    for (let at = 0; at < text.length; at += length) lead.add(text, at, Math.min(at + length, text.length));
    expect([lead.before(0), lead.before(900), lead.before(1000), lead.before(2000)]).toEqual([
      text.slice(0, 256),
      text.slice(0, 100),
      '',
      '',
    ]);
    lead.begin();
    expect(lead.before(0)).toBe('');
  }
});
