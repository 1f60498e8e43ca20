import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { growth, linear } from '../../../scripts/testing/work-time.ts';
import { wordTable } from './command-index.ts';

interface Entry {
  readonly order: number;
  readonly words: readonly string[] | undefined;
}

const word = fc.constantFrom('a', 'b', 'c', 'd', '');
const entries = fc
  .array(fc.option(fc.array(word, { minLength: 1, maxLength: 3 }), { nil: undefined }), { maxLength: 20 })
  .map((all) => all.map((words, order): Entry => ({ order, words })));
const needs = ({ words }: Entry) => words;

test('finds what trying every pattern in turn finds', () => {
  fc.assert(
    fc.property(entries, fc.array(word, { maxLength: 40 }), fc.nat(3), (all, argv, modulus) => {
      const passes = ({ order, words }: Entry) =>
        order % (modulus + 1) === 0 &&
        (words === undefined || argv.some((given, at) => at > 0 && words.some((needed) => needed === given)));
      expect(wordTable(all, needs).first(argv, passes)).toBe(all.find(passes));
    }),
  );
});

test('tries only those whose word is there', () => {
  const all = Array.from({ length: 100 }, (_, order): Entry => ({ order, words: [`w${order}`] }));
  const tried: number[] = [];
  wordTable(all, needs).first(['w1', 'w7', 'x', 'w7'], ({ order }) => tried.push(order) === 0);
  expect(tried).toEqual([7]);
});

test('a command of many equal words takes linear time', async () => {
  const all = Array.from({ length: 50 }, (_, order): Entry => ({ order, words: ['a'] }));
  const table = wordTable(all, needs);
  const look = (length: number): void =>
    expect(table.first(Array<string>(length).fill('a'), () => false)).toBeUndefined();
  expect(await growth(look, 20_000)).toBeLessThan(linear);
});
