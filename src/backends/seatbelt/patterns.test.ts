import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exactName, exactText, foldedName, foldedText, otherThan } from './patterns.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const whole = (pattern: string): RegExp => new RegExp(`^${pattern}$`, 'u');

describe('foldedText', () => {
  test.each([
    ['.git', ['.GIT', '.Git'], ['xgit', '.gi', '.gitt']],
    ['.husky', ['.hu\u017fky', '.hus\u212ay', '.HU\u017f\u212aY'], ['.huky']],
    ['.ssh', ['.\u00dfh', '.\u1e9eH', '.\u017fsh'], ['.sh']],
    ['.gitconfig', ['.gitcon\ufb01g'], ['.gitconig']],
    ['history', ['hi\ufb05ory', 'hi\ufb06ory'], []],
    ['office', ['o\ufb03ce', 'o\ufb00ice', 'of\ufb01ce'], []],
    ['caf\u00e9', ['cafe\u0301', 'CAFE\u0301', 'CAF\u00c9'], ['cafe']],
    ['cafe\u0301', ['caf\u00e9'], ['cafe']],
    ['\u1ebf', ['e\u0302\u0301', '\u00ea\u0301', '\u1ebe'], ['e', '\u00ea']],
    ['\ud55c', ['\u1112\u1161\u11ab'], []],
    ['a.b+(c)[d]{2}|^$\\', ['A.B+(C)[D]{2}|^$\\'], ['aXb+(c)[d]{2}|^$\\']],
  ])('%j is every spelling that a disk takes for it', (text, same, others) => {
    for (const each of [text, ...same]) expect(each).toMatch(whole(foldedText(text)));
    for (const each of others) expect(each).not.toMatch(whole(foldedText(text)));
  });

  test('no text is less than itself, and in every normal form and case', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom(...'aks.*\\^$([{|?+-', '\u00e9', '\u0301', '\u00df', '\u0130', '\ud55c', '\u{1f600}'),
          maxLength: 8,
        }),
        (text) => {
          for (const each of [text, text.normalize('NFC'), text.normalize('NFD')])
            expect(each).toMatch(whole(foldedText(text)));
          expect(text).toMatch(whole(exactText(text)));
        },
      ),
    );
  });
});

test('`*` stays in a name, and `?` is a character however many bytes it has', () => {
  for (const [pattern, name, matches] of [
    ['.env*', '.env.local', true],
    ['.env*', '.env/x', false],
    ['caf?', 'caf\u00e9', true],
    ['caf?', 'caf', false],
    ['a*?', 'A', false],
  ] as const)
    expect(whole(foldedName(pattern)).test(name), pattern).toBe(matches);
  expect(whole(exactName('.env.?')).test('.env.ab')).toBe(false);
  expect(whole(exactName('.env.*')).test('.ENV.\u212a')).toBe(true);
});

test('all names except some words', () => {
  const words = ['node_modules', '.git'];
  const other = whole(otherThan(words));
  for (const word of [...words, 'NODE_MODULES', '.Git', '', 'a/b']) expect(word).not.toMatch(other);
  fc.assert(
    fc.property(
      fc.constantFrom(...words),
      fc.nat(12),
      fc.string({ unit: fc.constantFrom('n', 'O', '_', '.', 'g', 's'), maxLength: 3 }),
      (word, cut, end) => {
        const name = word.slice(0, cut) + end;
        expect(other.test(name)).toBe(name !== '' && !words.includes(name.toLowerCase()));
      },
    ),
    { numRuns: rounds(500) },
  );
  expect(whole(otherThan(['refs', 'logs'])).test('ref')).toBe(true);
});
