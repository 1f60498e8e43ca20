import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { credentialOf } from '../inject/testing/context.ts';
import { createDraw } from './decode-around.ts';
import { createPhantomRegistry } from './registry.ts';
import { jwtExample, vendorExamples } from './testing/vendor-examples.ts';
import { unescapeAscii } from './unescape.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const main = credentialOf({ injection: { kind: 'bearer' } });
const registry = createPhantomRegistry({ key: Buffer.alloc(32, 5) });
const phantom = registry.mint(main, undefined);
const examples = vendorExamples.map(({ vendor, like }) => ({
  vendor,
  own: registry.mint(credentialOf({ injection: { kind: 'bearer' }, name: vendor }), like),
}));

const percentAll = (text: string): string => [...text].map((each) => `%${each.charCodeAt(0).toString(16)}`).join('');
const jsonAll = (text: string): string =>
  [...text].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const everySecond = (text: string, spell: (each: string) => string): string =>
  [...text].map((each, index) => (index % 2 === 0 ? spell(each) : each)).join('');
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const hex = (text: string): string => Buffer.from(text).toString('hex');

/** How a text is written, and as what it is found. */
const spellings: readonly (readonly [string, (text: string) => string, 'plain' | 'base64' | 'hex'])[] = [
  ['in the clear', (text) => text, 'plain'],
  ['percent-encoded', percentAll, 'plain'],
  ['percent-encoded in capitals', (text) => percentAll(text).toUpperCase(), 'plain'],
  ['percent-encoded here and there', (text) => everySecond(text, percentAll), 'plain'],
  ['in escapes of JSON', jsonAll, 'plain'],
  ['in escapes of JSON here and there', (text) => everySecond(text, jsonAll), 'plain'],
  ['in base64', base64, 'base64'],
  ['in base64 after one byte', (text) => base64(`x${text}`), 'base64'],
  ['in base64 after two bytes', (text) => base64(`xy${text}`), 'base64'],
  ['in base64 with much around it', (text) => base64(`{"key":"${text}","more":"${'m'.repeat(100)}"}`), 'base64'],
  ['in base64url', (text) => Buffer.from(`x\xff\xfe${text}\xff\xfe`).toString('base64url'), 'base64'],
  ['in percent-encoded base64', (text) => encodeURIComponent(base64(`x${text}`)), 'base64'],
  [
    'in base64 whose slashes are escaped for JSON',
    (text) => base64(`\xff\xff${text}\xff\xff`).replaceAll('/', '\\/'),
    'base64',
  ],
  ['in hexadecimal', hex, 'hex'],
  ['in hexadecimal of capitals', (text) => hex(text).toUpperCase(), 'hex'],
  ['in hexadecimal with more around it', (text) => hex(`a: ${text};`), 'hex'],
];

describe('a phantom is found', () => {
  test.each(spellings)('%s, at any place, in every form', (_, spell, encoding) => {
    for (const { vendor, own } of examples) {
      for (const [before, after] of [
        ['', ''],
        ['Bearer ', ''],
        ['key=', '&x=1'],
        ['{"a":"', '"}'],
        ['\n', '\r\n'],
        ['a%20', '%0a'],
        ['100% of ', ' %zz'],
      ] as const) {
        const sightings = registry.findIn(Buffer.from(`${before}${spell(own)}${after}`));
        expect(
          sightings.map(({ credential, role, state, encoding: found }) => [credential, role, state, found]),
        ).toEqual([[vendor, 'secret', 'good', encoding]]);
      }
    }
  });

  test('with the exact place where it begins and ends', () => {
    const escaped = `%41${percentAll(phantom)}%42`;
    for (const [bytes, start, end] of [
      [`ab ${phantom} cd`, 3, 3 + phantom.length],
      [escaped, 3, escaped.length - 3],
      [`ab ${hex(phantom)} cd`, 3, 3 + 2 * phantom.length],
    ] as const)
      expect(registry.findIn(Buffer.from(bytes))).toMatchObject([{ start, end }]);
    const [inBase64] = registry.findIn(Buffer.from(`"${base64(`${phantom}--`)}"`));
    expect(inBase64).toMatchObject({ start: 1, end: 1 + Math.ceil((phantom.length * 4) / 3) });
  });

  test('at each occurrence, with others between', () => {
    const sightings = registry.findIn(
      Buffer.from(`${phantom}${phantom} ${base64(phantom)} x ${examples[0]?.own} ${hex(phantom)}`),
    );
    expect(sightings.map(({ credential, encoding }) => [credential, encoding])).toEqual([
      ['main', 'plain'],
      ['main', 'plain'],
      ['main', 'base64'],
      [examples[0]?.vendor, 'plain'],
      ['main', 'hex'],
    ]);
    expect(sightings.every(({ start }, index) => index === 0 || start >= (sightings[index - 1]?.start ?? 0))).toBe(
      true,
    );
  });

  test('in bytes of any kind, at its place', () => {
    const [, spell] = spellings[0] ?? [];
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.uint8Array({ maxLength: 60 }), (before, after) => {
        const bytes = Buffer.concat([before, Buffer.from(spell?.(phantom) ?? ''), after]);
        expect(
          registry
            .findIn(bytes)
            .some(({ start, end }) => start === before.length && end === before.length + phantom.length),
        ).toBe(true);
      }),
      { numRuns: rounds(300) },
    );
  });
});

describe('no phantom is found', () => {
  test.each([
    ['in nothing', ''],
    ['in all but its end', phantom.slice(0, -1)],
    ['in all but its beginning', phantom.slice(1)],
    ['where one sign is another', `${phantom.slice(0, 20)}${phantom[20] === 'x' ? 'y' : 'x'}${phantom.slice(21)}`],
    ['where it is cut in two', `${phantom.slice(0, 20)} ${phantom.slice(20)}`],
    ['in the phantom of another session', createPhantomRegistry({ key: Buffer.alloc(32, 6) }).mint(main, undefined)],
    ['in a token of which only header and claims are the same', jwtExample],
  ])('%s', (_, text) => {
    for (const [, spell] of spellings) expect(registry.findIn(Buffer.from(spell(text)))).toEqual([]);
  });

  test('in any bytes that hold none', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => registry.findIn(bytes).length === 0));
    expect(createPhantomRegistry().findIn(Buffer.from(phantom))).toEqual([]);
    expect(createPhantomRegistry().undecidedIn(Buffer.from(phantom))).toBe(0);
  });
});

describe('the text kept back', () => {
  test.each(spellings)('is every beginning of four signs or more, %s', (_, spell) => {
    const spelled = spell(phantom);
    const other = spell('~'.repeat(phantom.length));
    const before = [...spelled].findIndex((sign, index) => sign !== other[index]);
    // One sign is encoded in up to six bytes.
    for (let length = before + 4 * 6; length < spelled.length; length += 1) {
      const bytes = Buffer.from(`some text ${spelled.slice(0, length)}`);
      const isFound = registry.findIn(bytes).length > 0;
      if (!isFound)
        expect(registry.undecidedIn(bytes), `of ${length} bytes`).toBeGreaterThanOrEqual(length - before - 6);
      expect(registry.undecidedIn(bytes)).toBeLessThanOrEqual(registry.longest);
    }
  });

  test('begins where the phantom does', () => {
    for (let length = 4; length < phantom.length; length += 1)
      expect(registry.undecidedIn(Buffer.from(`some text ${phantom.slice(0, length)}`))).toBe(length);
  });

  test('is a possible beginning only', () => {
    for (const text of [
      '',
      'x',
      'some text',
      `${phantom.slice(0, 20)} `,
      `${phantom.slice(0, 20)}!`,
      `${phantom} `,
      '%',
      'a\\',
      '{"a":"b"}',
    ])
      expect(registry.undecidedIn(Buffer.from(text))).toBeLessThanOrEqual(1);
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 100 }),
        (bytes) => registry.undecidedIn(Buffer.concat([bytes, Buffer.from('   ')])) === 0,
      ),
    );
  });
});

describe('escapes', () => {
  test.each([
    ['%41%42', 'AB'],
    ['a%2fb%2F', 'a/b/'],
    ['\\u0041\\u007a', 'Az'],
    ['\\/a\\/', '/a/'],
    ['%41\\u0042C', 'ABC'],
    ['100%41', '100A'],
    ['%2541', '%41'],
  ])('%s are %s', (raw, plain) => {
    expect(String(unescapeAscii(Buffer.from(raw))?.bytes)).toBe(plain);
  });

  test.each(['', 'plain', '%', '%4', '%zz', '%ff', '\\u0100', '\\u00', '\\u00e9', '\\n', '50% off'])(
    '%j has none',
    (raw) => {
      expect(unescapeAscii(Buffer.from(raw))).toBeUndefined();
    },
  );

  test('of any text are decoded, and every place is found again', () => {
    const unit = fc.tuple(fc.constantFrom(...'aZ09-_%/ "'), fc.constantFrom('plain', 'percent', 'json'));
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 30 }), (units) => {
        const parts = units.map(([sign, how]) =>
          how === 'percent' || sign === '%' ? percentAll(sign) : how === 'json' ? jsonAll(sign) : sign,
        );
        const raw = Buffer.from(parts.join(''));
        const undone = unescapeAscii(raw);
        expect(String(undone?.bytes ?? raw)).toBe(units.map(([sign]) => sign).join(''));
        let at = 0;
        for (const [index, part] of parts.entries()) {
          expect(undone?.rawOffset(index) ?? index).toBe(at);
          at += part.length;
        }
        expect(undone?.rawOffset(parts.length) ?? parts.length).toBe(raw.length);
      }),
    );
  });
});

describe('a drawn text', () => {
  test('is the same for the same key and label, and otherwise another', () => {
    const draw = (fill: number, label: string): string => createDraw(Buffer.alloc(32, fill), label)('abcdefgh', 40);
    expect(draw(1, 'x')).toBe(draw(1, 'x'));
    expect(new Set([draw(1, 'x'), draw(2, 'x'), draw(1, 'y')]).size).toBe(3);
  });

  test('has each sign of its alphabet as often as the others', () => {
    const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    const counts = new Map<string, number>();
    for (const sign of createDraw(Buffer.alloc(32, 9), 'counted')(alphabet, 62_000))
      counts.set(sign, (counts.get(sign) ?? 0) + 1);
    const square = [...alphabet].reduce((sum, sign) => sum + ((counts.get(sign) ?? 0) - 1000) ** 2 / 1000, 0);
    // Chi-square of 61 degrees of freedom: beyond 120 once in 100,000 draws, and this one is always the same.
    expect(square).toBeLessThan(120);
  });
});
