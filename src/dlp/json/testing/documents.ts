import * as fc from 'fast-check';
import type { JsonPath } from '../../types.ts';

/** A string leaf in its spelling in a document, including quotes. */
export interface SpelledLeaf {
  readonly path: JsonPath;
  readonly text: string;
  readonly spelled: string;
}

/** A document, cut at its string leaves. */
export type SpelledDocument = readonly (string | SpelledLeaf)[];

type Value = (path: JsonPath) => SpelledDocument;

interface Spelled {
  readonly text: string;
  readonly spelled: string;
}

const space = fc.constantFrom('', '', '', ' ', '\n\t', '\r\n  ');
const scalar = fc.constantFrom(
  '0',
  '-0',
  '7',
  '1e400',
  '-1E+2',
  '0.1e-7',
  '1.50',
  '12345678901234567890123',
  'true',
  'false',
  'null',
);
const shortEscapes = [
  ['\\"', '"'],
  ['\\\\', '\\'],
  ['\\/', '/'],
  ['\\b', '\b'],
  ['\\f', '\f'],
  ['\\n', '\n'],
  ['\\r', '\r'],
  ['\\t', '\t'],
] as const;

/** Documents in every spelling of the grammar, with `unique` keys, or with keys that come twice in an object. */
export function documents(keys: 'unique' | 'any'): fc.Arbitrary<SpelledDocument> {
  const { value } = fc.letrec<{ value: Value }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      {
        weight: 4,
        arbitrary: spelledText.map(
          ({ text, spelled }): Value =>
            (path) => [{ path, text, spelled }],
        ),
      },
      {
        weight: 1,
        arbitrary: scalar.map(
          (token): Value =>
            () => [token],
        ),
      },
      {
        weight: 3,
        arbitrary: fc
          .tuple(fc.array(fc.tuple(space, tie('value'), space), { maxLength: 4 }), space)
          .map(([elements, inner]) => arrayOf(elements, inner)),
      },
      {
        weight: 4,
        arbitrary: fc.tuple(members(tie('value'), keys), space).map(([each, inner]) => objectOf(each, inner)),
      },
    ),
  }));
  return fc.tuple(space, value, space).map(([before, value, after]) => [before, ...value([]), after]);
}

/** A string token in a random spelling: raw characters, short escapes, `\uXXXX` in both cases, and halves of pairs. */
export const spelledText: fc.Arbitrary<Spelled> = fc
  .array(
    fc.oneof(
      fc
        .constantFrom('a', 'b', 'ghp_', ' ', 'é', '漢', '😀', '\u2028', '\u007f')
        .map((text) => ({ text, spelled: text })),
      fc
        .string({ unit: 'binary', minLength: 1, maxLength: 1 })
        .map((text) => ({ text, spelled: JSON.stringify(text).slice(1, -1) })),
      fc.constantFrom(...shortEscapes).map(([spelled, text]) => ({ text, spelled })),
      fc
        .oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0xd800, max: 0xdfff }))
        .chain((unit) => fc.boolean().map((isUpper) => escaped(unit, isUpper))),
    ),
    { maxLength: 5 },
  )
  .map(joined);

/** Keys that patterns name, in several cases and spellings, and occasionally any other. */
const spelledKey: fc.Arbitrary<Spelled> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a', 'b', 'A', '0', 'content', 'Content', 'a.b', '').chain(inSomeSpelling) },
  { weight: 1, arbitrary: spelledText },
);

function inSomeSpelling(text: string): fc.Arbitrary<Spelled> {
  return fc
    .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
    .map((escapes) =>
      joined(
        [...text].map((character, index) =>
          escapes[index] === true
            ? escaped(character.charCodeAt(0), index % 2 === 0)
            : { text: character, spelled: character },
        ),
      ),
    );
}

function escaped(unit: number, isUpper: boolean): Spelled {
  const digits = unit.toString(16).padStart(4, '0');
  return { text: String.fromCharCode(unit), spelled: `\\u${isUpper ? digits.toUpperCase() : digits}` };
}

function joined(pieces: readonly Spelled[]): Spelled {
  return {
    text: pieces.map(({ text }) => text).join(''),
    spelled: `"${pieces.map(({ spelled }) => spelled).join('')}"`,
  };
}

type Member = readonly [before: string, key: Spelled, colon: string, value: Value, after: string];

function members(value: fc.Arbitrary<Value>, keys: 'unique' | 'any'): fc.Arbitrary<readonly Member[]> {
  const member = fc.tuple(space, spelledKey, space, value, space);
  return keys === 'any'
    ? fc.array(member, { maxLength: 4 })
    : fc.uniqueArray(member, { maxLength: 4, selector: ([, key]) => key.text });
}

function arrayOf(elements: readonly (readonly [string, Value, string])[], inner: string): Value {
  return (path) => [
    '[',
    ...(elements.length === 0 ? [inner] : []),
    ...elements.flatMap(([before, value, after], index) => [
      index === 0 ? before : `,${before}`,
      ...value([...path, index]),
      after,
    ]),
    ']',
  ];
}

function objectOf(each: readonly Member[], inner: string): Value {
  return (path) => [
    '{',
    ...(each.length === 0 ? [inner] : []),
    ...each.flatMap(([before, key, colon, value, after], index) => [
      `${index === 0 ? '' : ','}${before}${key.spelled}${colon}:${before}`,
      ...value([...path, key.text]),
      after,
    ]),
    '}',
  ];
}

/** The document as sent. */
export function bytesOf(document: SpelledDocument): Buffer {
  return Buffer.from(document.map((part) => (typeof part === 'string' ? part : part.spelled)).join(''));
}

export function leavesOf(document: SpelledDocument): readonly SpelledLeaf[] {
  return document.filter((part) => typeof part !== 'string');
}
