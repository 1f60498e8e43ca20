import { describe, expect, test } from 'vitest';
import { createScanner } from '../scan/scanner.ts';
import { rulePacks } from './index.ts';
import { allSamples } from './testing/all-samples.ts';

const rules = Object.values(rulePacks).flat();

describe.each(allSamples.map(([rule, samples]) => ({ name: rule.name, rule, ...samples })))(
  '$name',
  ({ rule, found, ignored }) => {
    const alone = createScanner({ rules: [rule] });
    const together = createScanner({ rules });

    test.each(found)('finds: $why', ({ text, before = '', after = '' }) => {
      const finding = { rule: rule.name, start: before.length, end: before.length + text.length };
      expect(alone.find(before + text + after)).toEqual([finding]);
      expect(together.find(before + text + after)).toEqual([finding]);
    });

    test.each(ignored)('ignores: $why', ({ text, before = '', after = '' }) => {
      expect(alone.find(before + text + after)).toEqual([]);
    });
  },
);

describe('the rules', () => {
  test('have samples that are found and samples that are not, each of them', () => {
    expect(allSamples.map(([rule]) => rule.name).toSorted()).toEqual(rules.map((rule) => rule.name).toSorted());
    expect(allSamples.filter(([, { found, ignored }]) => found.length === 0 || ignored.length === 0)).toEqual([]);
  });

  test('have names of their own, leads of ASCII of at least three places, and sources', () => {
    expect(new Set(rules.map((rule) => rule.name)).size).toBe(rules.length);
    expect(rules.filter(({ leads, sources }) => leads.length === 0 || sources.length === 0)).toEqual([]);
    expect(
      rules
        .flatMap(({ leads }) => leads)
        .filter((lead) => lead.length < 3 || lead.some((characters) => !/^[\0-\x7f]+$/u.test(characters))),
    ).toEqual([]);
  });
});
