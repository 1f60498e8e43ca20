import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { growth, linear } from '../../../scripts/testing/work-time.ts';
import { defaultRules, rulePacks } from '../rules/index.ts';
import { allSamples } from '../rules/testing/all-samples.ts';
import type { RuleLead, SecretRule, MatchSpan } from '../rules/types.ts';
import { createLeadFinder, createScanner, settleFindings } from './scanner.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const rules = Object.values(rulePacks).flat();
const scanner = createScanner({ rules });
const pieces = allSamples
  .flatMap(([, { found, ignored }]) => [...found, ...ignored])
  .map(({ text, before = '' }) => before + text);

test('scanners with the same first rule, one after the other, find what their own rules say', () => {
  const [first, ...others] = rules;
  if (first === undefined) throw new Error('no rules');
  const [text] = pieces;
  const found = (of: readonly SecretRule[], name?: string): readonly string[] =>
    createScanner({ rules: of, rank: (rule) => (rule === name ? 1 : 0) })
      .find(pieces.join('\n'))
      .map(({ rule }) => rule);
  const own = new Set(found([first]));
  expect([...own]).toEqual([first.name]);
  const all = found(rules);
  expect(new Set(all).size).toBeGreaterThan(1);
  expect(new Set(found([first, ...others.slice(0, 1)])).has(others.at(-1)?.name ?? '')).toBe(false);
  expect([found(rules), new Set(found([first])), createScanner({ rules: [] }).find(text ?? '')]).toEqual([
    all,
    own,
    [],
  ]);
});

describe('leads', () => {
  const character = fc.constantFrom(...'abcAB12-é\u{20ac}');
  const lead = fc.array(fc.string({ unit: fc.constantFrom(...'abcAB12-'), minLength: 1, maxLength: 3 }), {
    minLength: 3,
    maxLength: 6,
  });

  test('are found wherever they stand, and nowhere else', () => {
    fc.assert(
      fc.property(
        fc.array(lead, { maxLength: 5 }),
        fc.array(character, { maxLength: 200 }).map((all) => all.join('')),
        (leads: readonly RuleLead[], text) => {
          const expected = leads.flatMap((each, of) =>
            Array.from({ length: text.length }, (_, at) => at)
              .filter((at) =>
                each.every(
                  (characters, place) => text[at + place] !== undefined && characters.includes(text[at + place] ?? ''),
                ),
              )
              .map((at) => `${of} ${at}`),
          );
          expect(leadsIn(leads, text).toSorted()).toEqual(expected.toSorted());
        },
      ),
    );
  });

  test.each([32_760, 32_765, 32_766, 32_767, 32_768, 65_534, 65_535])(
    'are found across the border of a block, at %i',
    (at) => {
      expect(leadsIn([[...'abcd']], `${'-'.repeat(at)}abcd${'-'.repeat(9)}`)).toEqual([`0 ${at}`]);
    },
  );

  function leadsIn(leads: readonly RuleLead[], text: string): readonly string[] {
    const found: string[] = [];
    createLeadFinder(leads.map((each, of) => ({ of, lead: each }))).each(text, (of, at) => found.push(`${of} ${at}`));
    return found;
  }
});

describe('findings', () => {
  const span = fc.tuple(fc.nat(40), fc.nat(8)).map(([start, length]): MatchSpan => ({ start, end: start + length }));
  const spans = fc.array(span, { maxLength: 12 });
  const named = (rule: string, all: readonly MatchSpan[]) => all.map(({ start, end }) => ({ rule, start, end }));
  const covered = (all: readonly MatchSpan[]): string =>
    Array.from({ length: 60 }, (_, at) => (all.some(({ start, end }) => start <= at && at < end) ? '#' : '.')).join('');

  test('come in order, none over another one, and cover all that was found', () => {
    fc.assert(
      fc.property(spans, spans, (secrets, others) => {
        const settled = settleFindings(named('session-secret', secrets), named('other', others));
        expect(settled.every(({ start, end }, index) => end > start && start >= (settled[index - 1]?.end ?? 0))).toBe(
          true,
        );
        expect(covered(settled)).toBe(covered([...secrets, ...others]));
        expect(covered(settled.filter(({ rule }) => rule === 'session-secret'))).toBe(covered(secrets));
      }),
    );
  });

  test('hold where they are earlier, and where they are longer', () => {
    const settled = settleFindings(
      [],
      [
        { rule: 'b', start: 0, end: 5 },
        { rule: 'a', start: 0, end: 9 },
        { rule: 'c', start: 4, end: 12 },
        { rule: 'd', start: 5, end: 7 },
      ],
    );
    expect(settled).toEqual([
      { rule: 'a', start: 0, end: 9 },
      { rule: 'c', start: 9, end: 12 },
    ]);
  });

  test('of a rule around a secret of the session keep the rest of their text', () => {
    expect(settleFindings([{ rule: 'session-secret', start: 3, end: 5 }], [{ rule: 'a', start: 0, end: 9 }])).toEqual([
      { rule: 'a', start: 0, end: 3 },
      { rule: 'session-secret', start: 3, end: 5 },
      { rule: 'a', start: 5, end: 9 },
    ]);
  });
});

describe('a scanner', () => {
  test('with no rules finds the exact secrets only', () => {
    const exact = { find: (text: string) => [{ start: text.indexOf('hunter2'), end: text.indexOf('hunter2') + 7 }] };
    expect(createScanner({ rules: [], exact }).find('xx hunter2')).toEqual([
      { rule: 'session-secret', start: 3, end: 10 },
    ]);
    expect(createScanner({ rules: [] }).find('ghp_')).toEqual([]);
  });

  test('reports a secret of the session as such, even inside a larger find', () => {
    const token = pieces.find((piece) => piece.startsWith('ghp_')) ?? '';
    const exact = { find: () => [{ start: 10, end: 14 }] };
    expect(createScanner({ rules, exact }).find(token)).toEqual([
      { rule: 'github-token', start: 0, end: 10 },
      { rule: 'session-secret', start: 10, end: 14 },
      { rule: 'github-token', start: 14, end: token.length },
    ]);
  });

  test('finds only real text, and never throws', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.constantFrom(...pieces),
            fc.string({ unit: 'binary', maxLength: 20 }),
            fc.constantFrom('\ud800', '\0', '\\n', '-----', '@', '.', '4111', 'eyJ'),
          ),
          { maxLength: 12 },
        ),
        (parts) => {
          const text = parts.join('');
          const found = scanner.find(text);
          expect(
            found.every(
              ({ start, end }, index) => start >= (found[index - 1]?.end ?? 0) && end > start && end <= text.length,
            ),
          ).toBe(true);
        },
      ),
      { numRuns: rounds(300) },
    );
  });

  test('says the same of a text each time, whatever it has looked at between', () => {
    fc.assert(
      fc.property(fc.constantFrom(...pieces), fc.constantFrom(...pieces), (one, other) => {
        const first = scanner.find(one);
        scanner.find(other);
        expect(scanner.find(one)).toEqual(first);
      }),
    );
  });
});

describe('a text that was made to cost', () => {
  const leads = rules.flatMap((rule) =>
    rule.leads.map((lead) => lead.map((characters) => characters[0] ?? '').join('')),
  );
  const costly: readonly (readonly [string, string])[] = [
    ...[...new Set(leads)].map((lead) => [`the lead ${lead}`, lead] as const),
    ['addresses', 'a@a'],
    ['addresses with dots', 'a@a.'],
    ['digits', '4'],
    ['groups of digits', '4111 '],
    ['tokens', 'eyJhbGci.'],
    ['tokens of long parts', `eyJ${'a'.repeat(1990)}.`],
    ['keys', '-----BEGIN PRIVATE KEY-----'],
    ['keys with headers', '-----BEGIN PRIVATE KEY-----\nAbc: '],
    ['keys of long bodies', `-----BEGIN PRIVATE KEY-----\n${'MIIE'.repeat(40)}`],
    ['beginnings of OpenAI', 'sk-T3BlbkFJ '],
    ['beginnings with dashes', ' sk-ant-api03-'],
    ['Private-Lines', 'Private-Lines: 1\n'],
    ['accounts', 'DE89 '],
    ['country codes', 'DE89'],
    ['plus signs', '+1 '],
    ['words before', `${'a'.repeat(63)}@`],
  ];

  test.each(costly)('costs no more than its length: %s', async (_, piece) => {
    expect(await growth((size) => scanner.find(piece.repeat(Math.ceil(size / piece.length))), 160_000)).toBeLessThan(
      linear,
    );
  });
});

test('the default rules are those of all packs but the personal one', () => {
  const names = new Set(defaultRules.map((rule: SecretRule) => rule.name));
  expect(rulePacks.personal.some((rule) => names.has(rule.name))).toBe(false);
  expect(names.size).toBe(rules.length - rulePacks.personal.length);
});

/** A chunk of the finder, in characters. */
const chunk = 32_768;

function found(leads: readonly RuleLead[], text: string): readonly string[] {
  const visited: string[] = [];
  createLeadFinder(leads.map((lead, of) => ({ of, lead }))).each(text, (of, at) => visited.push(`${at} ${of}`));
  return visited.toSorted();
}

/** Each lead at each place, one character after the other. */
function expected(leads: readonly RuleLead[], text: string): readonly string[] {
  return leads
    .flatMap((lead, of) =>
      Array.from({ length: text.length }, (_, at) => at)
        .filter((at) =>
          lead.every(
            (characters, place) => text[at + place] !== undefined && characters.includes(text[at + place] ?? ''),
          ),
        )
        .map((at) => `${at} ${of}`),
    )
    .toSorted();
}

describe('a finder of leads', () => {
  const characters = fc
    .uniqueArray(fc.constantFrom('a', 'b', 'q', 'A', '1', '-'), { minLength: 1, maxLength: 3 })
    .map((all) => all.join(''));
  const lead = fc.array(characters, { minLength: 3, maxLength: 6 });
  // U+0161 ends in the byte of `a`, U+0171 in that of `q`.
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', 'q', 'A', '1', '-', '\u0161', '\u0171', '\u00e1', '\ud83d\ude00'),
    maxLength: 40,
  });

  test('finds exactly the places of leads', () => {
    fc.assert(
      fc.property(fc.array(lead, { maxLength: 4 }), text, (leads, of) => {
        expect(found(leads, of)).toEqual(expected(leads, of));
      }),
      { numRuns: rounds(1000) },
    );
  });

  test.each(['x', '\u0161'])('finds it wherever a chunk ends, among %j', (filler) => {
    const leads = [[...'qAb'], [...'1-qAbq']];
    for (const chunks of [1, 2]) {
      for (let at = chunk * chunks - 8; at <= chunk * chunks + 3; at += 1) {
        const of = `${filler.repeat(at)}1-qAbq`;
        expect(found(leads, of)).toEqual([`${at} 1`, `${at + 2} 0`]);
        expect(found(leads, `${of}${filler.repeat(3)}`)).toEqual([`${at} 1`, `${at + 2} 0`]);
      }
    }
  });

  test('finds nothing where a text ends within one', () => {
    expect(found([[...'qAbc']], 'qAb')).toEqual([]);
    expect(found([[...'qAbc']], '')).toEqual([]);
    // What a chunk before has left behind in the memory is no text.
    expect(found([[...'qAbc']], `${'qAbc'.repeat(chunk / 4)}qAb`)).toHaveLength(chunk / 4);
  });
});
