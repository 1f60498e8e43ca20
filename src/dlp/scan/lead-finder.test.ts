import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Lead } from '../rules/types.ts';
import { createLeadFinder } from './lead-finder.ts';

/** A chunk of the finder, in characters. */
const chunk = 32_768;

function found(leads: readonly Lead[], text: string): readonly string[] {
  const visited: string[] = [];
  createLeadFinder(leads.map((lead, of) => ({ of, lead }))).each(text, (of, at) => visited.push(`${at} ${of}`));
  return visited.toSorted();
}

/** Each lead at each place, one character after the other. */
function expected(leads: readonly Lead[], text: string): readonly string[] {
  return leads.flatMap((lead, of) => Array.from({ length: text.length }, (_, at) => at).filter((at) => lead.every((characters, place) => text[at + place] !== undefined && characters.includes(text[at + place] ?? ''))).map((at) => `${at} ${of}`)).toSorted();
}

describe('a finder of leads', () => {
  const characters = fc.uniqueArray(fc.constantFrom('a', 'b', 'q', 'A', '1', '-'), { minLength: 1, maxLength: 3 }).map((all) => all.join(''));
  const lead = fc.array(characters, { minLength: 3, maxLength: 6 });
  // U+0161 ends in the byte of `a`, U+0171 in that of `q`.
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'q', 'A', '1', '-', '\u0161', '\u0171', '\u00e1', '\ud83d\ude00'), maxLength: 40 });

  test('finds each place where one stands, and no other', () => {
    fc.assert(fc.property(fc.array(lead, { maxLength: 4 }), text, (leads, of) => {
      expect(found(leads, of)).toEqual(expected(leads, of));
    }), { numRuns: 1000 });
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
