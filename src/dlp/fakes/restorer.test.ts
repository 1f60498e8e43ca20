import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { growth, linear } from '../../../scripts/testing/work-time.ts';
import type { FakeMap } from '../types.ts';
import { createRestorer } from './restorer.ts';
import { chosenMap, mapOf, realOfChosen } from './testing/maps.ts';
import { cutInto, replacedSlowly, runOf, undecidedSlowly } from './testing/reference.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const few = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom('a', 'b'), minLength, maxLength });
const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });

const values = [
  ['anthropic', `sk-ant-api03-${'aB3'.repeat(31)}AA`],
  ['anthropic', `sk-ant-api03-${'xY9'.repeat(31)}AA`],
  ['github', 'ghp_abcdefghijABCDEFGHIJ0123456789abcdef'],
  ['github', 'ghp_abcdefghijABCDEFGHIJ0123456789abcdeg'],
  ['email', 'jane.doe@corp.test'],
  ['card', '4111 1111 1111 1111'],
  ['session-secret', 'a "quoted" pass\\phrase, länger'],
  [
    'private-key',
    `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEF\n'.repeat(4)}-----END PRIVATE KEY-----`,
  ],
] as const;

function filled(): {
  readonly map: FakeMap;
  readonly pairs: readonly { readonly real: string; readonly fake: string }[];
} {
  const map = mapOf();
  return { map, pairs: values.map(([rule, real]) => ({ real, fake: map.fakeFor(rule, real) ?? '' })) };
}

const { map, pairs } = filled();
/** Fakes, and what nearly is one. */
const nearly = pairs.flatMap(({ fake }) => [
  fake,
  fake.slice(0, -1),
  fake.slice(1),
  fake.slice(0, 9),
  `${fake.slice(0, -1)}~`,
  fake.toUpperCase(),
  fake.slice(-9),
  `${fake.slice(0, 12)}${fake}`,
]);
const texts = fc
  .array(
    fc.oneof(fc.constantFrom(...nearly), fc.string({ maxLength: 10 }), fc.constantFrom('sk-', '-----', 'ghp_', ' ')),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

describe('a restorer', () => {
  test('gives the same however the text is cut', () => {
    fc.assert(
      fc.property(texts, lengths, (text, cuts) => {
        const expected = replacedSlowly(text, map);
        expect(runOf(createRestorer(map), [text])).toBe(expected);
        expect(runOf(createRestorer(map), cutInto(text, cuts))).toBe(expected);
        expect(runOf(createRestorer(map), text.split(''))).toBe(expected);
      }),
      { numRuns: rounds(300) },
    );
  });

  test('does so with fakes that overlap, repeat and stand in one another', () => {
    fc.assert(
      fc.property(fc.array(few(2, 7), { maxLength: 5 }), few(0, 40), lengths, (fakes, text, cuts) => {
        const chosen = chosenMap(fakes);
        expect(runOf(createRestorer(chosen), cutInto(text, cuts))).toBe(replacedSlowly(text, chosen));
      }),
      { numRuns: rounds(1000) },
    );
  });

  test('holds back only a possible beginning of a fake', () => {
    fc.assert(
      fc.property(fc.array(few(2, 9), { maxLength: 4 }), few(0, 30), lengths, (fakes, text, cuts) => {
        const chosen = chosenMap(fakes);
        const restorer = createRestorer(chosen);
        let [seen, shown] = ['', ''];
        for (const piece of cutInto(text, cuts)) {
          seen += piece;
          shown += restorer.push(piece);
          // Behind the last real value, of which no part begins a fake.
          const rest = replacedSlowly(seen, chosen).split('>').at(-1) ?? '';
          const undecided = undecidedSlowly(rest, chosen);
          expect(shown).toBe(replacedSlowly(seen, chosen).slice(0, undecided === 0 ? undefined : -undecided));
          expect(undecided).toBeLessThan(Math.max(1, ...fakes.map((fake) => fake.length)));
        }
        expect(shown + restorer.end()).toBe(replacedSlowly(text, chosen));
      }),
      { numRuns: rounds(500) },
    );
  });

  test('holds back nothing of ordinary text but what begins as a fake does', () => {
    const restorer = createRestorer(map);
    expect(restorer.push('The key is ')).toBe('The key is ');
    expect(restorer.push('sk-ant-api03-')).toBe('');
    expect(restorer.push('…')).toBe('sk-ant-api03-…');
    expect(restorer.push('--------')).toBe('---');
    expect(restorer.push('BEGIN')).toBe('');
    expect(restorer.push(' ')).toBe('');
    expect(restorer.end()).toBe('-----BEGIN ');
    expect(restorer.end()).toBe('');
  });

  test('begins again behind an end', () => {
    for (const { fake, real } of pairs) {
      const restorer = createRestorer(map);
      restorer.push(fake.slice(0, 5));
      restorer.end();
      expect(restorer.push(fake.slice(5)) + restorer.end()).toBe(fake.slice(5));
      expect(restorer.push(fake)).toBe(real);
    }
  });

  test('restores every fake at its last character, in any surroundings', () => {
    for (const { fake, real } of pairs) {
      const restorer = createRestorer(map);
      expect(runOf(restorer, fake.slice(0, -1).split(''))).toBe(fake.slice(0, -1));
      for (const unit of fake.slice(0, -1)) expect(restorer.push(unit)).toBe('');
      expect(restorer.push(fake.slice(-1))).toBe(real);
      expect(runOf(createRestorer(map), [`${fake}${fake}x${fake}`])).toBe(`${real}${real}x${real}`);
    }
  });

  test('brings back all that was put in, whatever the text', () => {
    const parts = fc.array(fc.oneof(fc.constantFrom(...values), fc.string({ maxLength: 20 })), { maxLength: 8 });
    fc.assert(
      fc.property(parts, lengths, fc.string(), (pieces, cuts, key) => {
        const own = mapOf(key);
        const text = pieces.map((piece) => (typeof piece === 'string' ? piece : piece[1])).join('');
        const sent = pieces
          .map((piece) => (typeof piece === 'string' ? piece : own.fakeFor(piece[0], piece[1])))
          .join('');
        expect(runOf(createRestorer(own), cutInto(sent, cuts))).toBe(text);
        for (const piece of pieces) if (typeof piece !== 'string') expect(sent).not.toContain(piece[1]);
      }),
    );
  });

  test('does not search its own output', () => {
    const own = mapOf();
    const first = own.fakeFor('key', 'abcdefghijkl0123') ?? '';
    const outer = own.fakeFor('session-secret', `${first} and more of it`) ?? '';
    expect(runOf(createRestorer(own), [outer])).toBe(`${first} and more of it`);
  });
});

describe('a map that grows', () => {
  test('counts at once, even for text held back', () => {
    const chosen = chosenMap(['abcd']);
    const restorer = createRestorer(chosen);
    expect(restorer.push('xxab')).toBe('xx');
    chosen.add('abxy');
    chosen.add('bz');
    expect(restorer.push('x')).toBe('');
    expect(restorer.push('y')).toBe(realOfChosen('abxy'));
    expect(restorer.push('bzab')).toBe(realOfChosen('bz'));
    expect(restorer.end()).toBe('ab');
  });

  test('loses nothing, whenever it grows', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            few(1, 6).map((push) => ({ push })),
            few(2, 5).map((add) => ({ add })),
          ),
          { maxLength: 12 },
        ),
        (steps) => {
          const chosen = chosenMap([]);
          const restorer = createRestorer(chosen);
          let [pushed, shown] = ['', ''];
          for (const step of steps) {
            if ('add' in step) chosen.add(step.add);
            else [pushed, shown] = [pushed + step.push, shown + restorer.push(step.push)];
          }
          shown += restorer.end();
          expect(shown.replaceAll(/<([AB]+)"\\\n>/gu, (_, fake: string) => fake.toLowerCase())).toBe(pushed);
        },
      ),
      { numRuns: rounds(500) },
    );
  });
});

describe('work', () => {
  const pass = (of: FakeMap, text: string, length: number) => async (size: number) =>
    runOf(createRestorer(of), cutInto(text.slice(0, size), [length]));

  test.each([
    ['dashes before a fake of dashes', `${'-'.repeat(200)}abcdefghijklmnopqrst`, '-'],
    ['a beginning over and over', 'sk-ant-api03-sk-ant-api03-abcdefghijklmnopqrst', 'sk-ant-api03-'],
  ])('is linear with %s', async (_, fake, repeated) => {
    const own = chosenMap([fake]);
    const text = repeated.repeat(Math.ceil((1 << 21) / repeated.length));
    // A search that began again at every character would take 200 times as long as one of plain text.
    const plain = 'e'.repeat(text.length);
    expect(await growth(pass(own, text, 1 << 16), 1 << 21)).toBeLessThan(linear);
    expect(await growth(pass(own, text, 1), 1 << 18)).toBeLessThan(linear);
    const compared = (size: number) => pass(own, size === 1 << 21 ? text : plain, 1 << 16)(1 << 21);
    expect((await growth(compared, 1 << 21)) * 16).toBeLessThan(40);
  });

  test('is linear where all but the end of a fake comes over and over', async () => {
    const text = pairs
      .map(({ fake }) => fake.slice(0, -1))
      .join('')
      .repeat(3000);
    expect(text.length).toBeGreaterThan(1 << 20);
    expect(await growth(pass(map, text, 1 << 16), 1 << 20)).toBeLessThan(linear);
  });
});
