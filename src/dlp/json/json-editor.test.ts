import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FieldPattern } from '../types.ts';
import { editJson } from './edit-json.ts';
import { foldCase } from './places.ts';
import { bytesOf, documents, leavesOf, type SpelledDocument, type SpelledLeaf } from './testing/documents.ts';
import { isMatch, isUtf8, parsed, valuesOf } from './testing/reference.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const patterns: fc.Arbitrary<readonly FieldPattern[]> = fc.array(
  fc
    .array(fc.constantFrom('a', 'b', 'content', '0', '*', '*', '**'), { minLength: 1, maxLength: 4 })
    .map((keys) => keys.join('.')),
  { maxLength: 4 },
);

const isField = ({ path }: SpelledLeaf, fields: readonly FieldPattern[], except: readonly FieldPattern[]): boolean =>
  fields.some((pattern) => isMatch(pattern, path, foldCase)) && !except.some((pattern) => isMatch(pattern, path));

/** What the document must be when its fields are edited, byte for byte. */
function expectedBytes(
  document: SpelledDocument,
  isEdited: (leaf: SpelledLeaf) => boolean,
  edit: (text: string) => string,
): Buffer {
  return Buffer.from(
    document
      .map((part) =>
        typeof part === 'string' ? part : isEdited(part) ? JSON.stringify(edit(part.text)) : part.spelled,
      )
      .join(''),
  );
}

const ordered = (values: readonly unknown[]): readonly string[] => values.map((value) => JSON.stringify(value)).sort();

describe('documents in any spelling', () => {
  test('edit is asked exactly for the leaves that the fields name, with their texts and paths, in order', () => {
    fc.assert(
      fc.property(documents('any'), patterns, patterns, (document, fields, except) => {
        const asked: unknown[] = [];
        editJson(bytesOf(document), { fields, except, edit: (text, path) => void asked.push({ text, path }) });
        const wanted = leavesOf(document).filter((leaf) => isField(leaf, fields, except));
        expect(asked).toEqual(wanted.map(({ text, path }) => ({ text, path })));
      }),
      { numRuns: rounds(500) },
    );
  });

  test('each leaf equals the one of JSON.parse', () => {
    fc.assert(
      fc.property(documents('unique'), (document) => {
        const bytes = bytesOf(document);
        const asked: unknown[] = [];
        editJson(bytes, { fields: ['**'], edit: (value, path) => void asked.push({ path, value }) });
        const leaves = [...valuesOf(parsed(bytes)?.value)].filter(({ value }) => typeof value === 'string');
        expect(ordered(asked)).toEqual(ordered(leaves));
      }),
      { numRuns: rounds(300) },
    );
  });

  test('the very same buffer comes back where nothing is changed, also where edit gives the text that it got', () => {
    fc.assert(
      fc.property(documents('any'), fc.boolean(), (document, same) => {
        const bytes = bytesOf(document);
        const edited = editJson(bytes, { fields: ['**'], edit: (text) => (same ? text : undefined) });
        expect(edited).toEqual({ kind: 'json', bytes, edits: 0 });
        expect(edited.kind === 'json' && edited.bytes === bytes).toBe(true);
      }),
      { numRuns: rounds(300) },
    );
  });

  test('only the tokens that change are written again, and every other byte stays', () => {
    fc.assert(
      fc.property(
        documents('any'),
        patterns,
        fc.constantFrom(
          (text: string) => `${text}${text}!`,
          () => '',
          (text: string) => text.replaceAll('a', '\ud83d"\n'),
        ),
        (document, fields, change) => {
          const bytes = bytesOf(document);
          const before = Buffer.from(bytes);
          const isEdited = (leaf: SpelledLeaf): boolean => isField(leaf, fields, []) && change(leaf.text) !== leaf.text;
          const edited = editJson(bytes, { fields, edit: change });
          expect(edited).toEqual({
            kind: 'json',
            bytes: expectedBytes(document, isEdited, change),
            edits: leavesOf(document).filter(isEdited).length,
          });
          expect(bytes.equals(before)).toBe(true);
        },
      ),
      { numRuns: rounds(500) },
    );
  });

  test('an edited document parses as the same one with the new texts', () => {
    fc.assert(
      fc.property(documents('unique'), (document) => {
        const edited = editJson(bytesOf(document), { fields: ['**'], edit: (text) => `<${text}\ud800>` });
        if (edited.kind !== 'json') throw new Error(edited.why);
        const before = [...valuesOf(parsed(bytesOf(document))?.value)].map(({ path, value }) => ({
          path,
          value: typeof value === 'string' ? `<${value}\ud800>` : typeof value === 'object' ? null : value,
        }));
        const after = [...valuesOf(parsed(edited.bytes)?.value)].map(({ path, value }) => ({
          path,
          value: typeof value === 'object' ? null : value,
        }));
        expect(ordered(after)).toEqual(ordered(before));
      }),
      { numRuns: rounds(300) },
    );
  });
});

describe('bytes that someone damaged', () => {
  const damage = fc.array(
    fc.tuple(
      fc.nat(),
      fc.constantFrom('replace', 'insert', 'remove', 'cut'),
      fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(...Buffer.from('{}[],:"\\u0-+.eE \ntrue'))),
    ),
    { minLength: 1, maxLength: 3 },
  );

  const damaged = (bytes: Buffer, hits: readonly (readonly [number, string, number])[]): Buffer =>
    hits.reduce((bytes, [where, how, byte]) => {
      const at = where % (bytes.length + 1);
      const rest = bytes.subarray(how === 'insert' ? at : how === 'cut' ? bytes.length : at + 1);
      return Buffer.concat([
        bytes.subarray(0, at),
        Buffer.from(how === 'replace' || how === 'insert' ? [byte] : []),
        rest,
      ]);
    }, bytes);

  /** That the editor takes exactly what JSON.parse takes. */
  const expectSameVerdict = (bytes: Buffer): void => {
    const edited = editJson(bytes, { fields: ['**'], edit: () => undefined });
    expect({ text: bytes.toString('latin1'), kind: edited.kind }).toEqual({
      text: bytes.toString('latin1'),
      kind: parsed(bytes) === undefined ? 'unreadable' : 'json',
    });
    if (edited.kind === 'unreadable' && edited.why === 'not-utf8') expect(isUtf8(bytes)).toBe(false);
    if (edited.kind === 'unreadable' && isUtf8(bytes)) expect(edited.why).toBe('not-json');
  };

  test('they are unreadable exactly where JSON.parse throws', () => {
    fc.assert(
      fc.property(documents('any'), damage, (document, hits) => expectSameVerdict(damaged(bytesOf(document), hits))),
      { numRuns: rounds(1500) },
    );
  });

  test('so is any mixture of tokens, and of bytes', () => {
    const token = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '"a"',
      '"b":',
      '\\',
      '\\u00e9',
      '\\ud800',
      'u',
      '0',
      '-',
      '1',
      '.',
      'e',
      'E',
      '+',
      '1.5e3',
      'true',
      'false',
      'null',
      'nul',
      'NaN',
      ' ',
      '\n',
      '\t',
      '\f',
      '\u00a0',
      '/',
      '//',
      "'",
      '\ufeff',
      '\0',
      '\u001f',
      'é',
      '😀',
    );
    const tokens = fc.array(token, { maxLength: 7 }).map((all) => Buffer.from(all.join('')));
    fc.assert(
      fc.property(
        fc.oneof(
          tokens,
          fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes)),
        ),
        expectSameVerdict,
      ),
      { numRuns: rounds(4000) },
    );
  });

  test('a document that is cut at any byte is unreadable', () => {
    fc.assert(
      fc.property(documents('any'), (document) => {
        const bytes = Buffer.from(`{"a":${bytesOf(document).toString()}}`);
        for (let end = 0; end < bytes.length; end += 1)
          expect(editJson(bytes.subarray(0, end), { fields: ['**'], edit: (text) => `${text}!` }).kind).toBe(
            'unreadable',
          );
      }),
      { numRuns: rounds(100) },
    );
  });

  test.each([
    '',
    ' ',
    '[1,]',
    '{"a":1,}',
    '[,1]',
    '{,}',
    '{"a"}',
    '{"a":}',
    '{"a" 1}',
    '{a:1}',
    "{'a':1}",
    '[1 2]',
    '[1}',
    '{"a":1]',
    '1 2',
    '{}{}',
    '[',
    '{',
    ']',
    '"',
    '"a',
    '"\\"',
    '"\\x41"',
    '"\\u12"',
    '"\\u12g4"',
    '"\\U0041"',
    '"a\nb"',
    '"\t"',
    '"\u0000"',
    '01',
    '-',
    '-a',
    '+1',
    '.5',
    '1.',
    '1.e5',
    '1e',
    '1e+',
    '0x10',
    '1_000',
    'NaN',
    'Infinity',
    '-Infinity',
    '1n',
    'tru',
    'truex',
    'True',
    'nulll',
    'undefined',
    '/* */1',
    '1 // a',
    '# a\n1',
    '\u00a01',
    '1\u2028',
    '\v1',
    '\f1',
    '\ufeff\ufeff1',
    '1\ufeff',
    '1\0',
    '0',
    '-0',
    '0.0',
    '-0.0e-0',
    '1E9',
    '1e+9',
    ' \t\r\n1 ',
    '"\\u0000"',
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"\u007f\u2028"',
    '[]',
    '[ ]',
    '{ }',
    '[[],{}]',
    '{"":""}',
    '{"a":1,"a":2}',
    '\ufeff{}',
    '\ufeff',
    'true',
    '"\\/"',
  ])('%j: read by the same rules', (text) => expectSameVerdict(Buffer.from(text)));

  test.each([
    '80',
    'c080',
    'c1bf',
    'e08080',
    'e09fbf',
    'eda080',
    'edbfbf',
    'f08080af',
    'f08fbfbf',
    'f4908080',
    'f5808080',
    'f880808080',
    'ff',
    'c3',
    'e282',
    'f09f98',
    'c328',
    'e28228',
    'f09f9828',
    'a0a1',
  ])('%s in a string: not UTF-8', (hex) => {
    for (const [before, after] of [
      ['["', '"]'],
      ['{"', '":1}'],
      ['["\\n', 'x"]'],
      ['[', ']'],
    ] as const) {
      const bytes = Buffer.concat([Buffer.from(before), Buffer.from(hex, 'hex'), Buffer.from(after)]);
      expect(editJson(bytes, { fields: ['**'], edit: () => 'x' })).toEqual({ kind: 'unreadable', why: 'not-utf8' });
    }
  });
});
