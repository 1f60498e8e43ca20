import { describe, expect, test } from 'vitest';
import { knownSecrets } from './known-secrets.ts';
import { cachedContentRules } from './rules-cache.ts';
import { ruleOf } from './testing/gateway.ts';

describe('the rules of a conversation', () => {
  const one = ruleOf({ name: 'one' });
  const other = ruleOf({ name: 'other', patterns: ['ACME-[0-9]{6}'] });
  const names = (rules: ReturnType<ReturnType<typeof cachedContentRules>>, text: string): readonly string[] => rules?.scanner.find(text).map((finding) => rules.ruleFor(finding).name) ?? ['nothing is looked for'];

  test('are made once, for as long as they and the secrets are the same', () => {
    const secrets: string[] = [];
    const rulesFor = cachedContentRules(knownSecrets(() => secrets));
    const first = rulesFor([one]);
    expect([rulesFor([one]) === first, rulesFor([other]) === first, rulesFor([one]) === first]).toEqual([true, false, true]);
    secrets.push('correct-horse-battery');
    const second = rulesFor([one]);
    expect([second === first, names(first, 'a correct-horse-battery'), names(second, 'a correct-horse-battery')]).toEqual([false, [], ['built-in: secrets of the session']]);
    secrets[0] = 'incorrect-horse-batter';
    expect(names(rulesFor([one]), 'a correct-horse-battery')).toEqual([]);
  });

  test('are those that were asked for, of however many', () => {
    const rulesFor = cachedContentRules(knownSecrets(() => []));
    const rules = Array.from({ length: 40 }, (_, index) => ruleOf({ name: String(index), finds: [], patterns: [`ACME-${index}-[0-9]{6}`] }));
    for (let round = 0; round < 2; round += 1) {
      for (const [index, rule] of rules.entries()) expect(names(rulesFor([rule]), `ACME-${index}-123456 ACME-${index + 1}-123456`)).toEqual([String(index)]);
    }
    expect(names(rulesFor([]), 'ACME-1-123456')).toEqual(['nothing is looked for']);
  });

  test('are 16 at most, for each has large tables', () => {
    const rulesFor = cachedContentRules(knownSecrets(() => []));
    const rules = Array.from({ length: 17 }, (_, index) => ruleOf({ name: String(index), finds: [], patterns: [`ACME-${index}-[0-9]{6}`] }));
    const made = rules.map((rule) => rulesFor([rule]));
    expect([rulesFor(rules.slice(16)) === made[16], rulesFor(rules.slice(0, 1)) === made[0]]).toEqual([true, false]);
  });
});
