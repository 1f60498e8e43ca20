import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createScanner } from '../../scan/scanner.ts';
import { compilePattern } from './compile-pattern.ts';
import { rounds } from '../../../../scripts/testing/extent.ts';

function found(source: string, text: string): readonly string[] {
  const compiled = compilePattern(source);
  if (compiled.kind === 'refused') throw new Error(compiled.why);
  return createScanner({ rules: [compiled.rule] })
    .find(text)
    .map(({ start, end }) => text.slice(start, end));
}

describe('a pattern', () => {
  test.each([
    ['acme_[a-z0-9]{8}', 'x acme_0a1b2c3d y', ['acme_0a1b2c3d']],
    ['acme_[a-z0-9]{2,}', 'acme_0a1b2c3d', ['acme_0a1b2c3d']],
    ['acme_\\w+', 'acme_0aé', ['acme_0a']],
    ['[A-Z]{2}-acme-\\d{4}', 'ID AB-acme-1234', ['AB-acme-1234']],
    ['(?:int|ext)-key-[0-9a-f]{4}', 'int-key-00ff ext-key-11aa oth-key-1111', ['int-key-00ff', 'ext-key-11aa']],
    ['(?i)acme-\\d+', 'ACME-1 Acme-22 acme-333', ['ACME-1', 'Acme-22', 'acme-333']],
    ['\\bacme\\d\\b', 'acme1 xacme2 acme3x', ['acme1']],
    ['acme(-(a|b)){0,3}!', 'acme! acme-a-b! acme-a-b-a-b!', ['acme!', 'acme-a-b!']],
    ['acme.x', 'acme\nx acme€x', ['acme€x']],
    ['acme[^0-9]', 'acme1 acmeé', ['acmeé']],
    ['acme[\\d-]\\.\\x41\\u0042\\t', 'acme-.AB\t', ['acme-.AB\t']],
    ['acme[a-z0-9_]{4,8}_end', 'acmeab_end_end', ['acmeab_end_end']],
    ['acme{1}', 'acme', ['acme']],
    ['acme[]]', undefined, 'it has an empty class'],
    ['', undefined, 'it has no three known characters in a row to search for'],
    ['ab', undefined, 'it has no three known characters in a row to search for'],
    ['[a-z]+', undefined, 'it has no three known characters in a row to search for'],
    ['.*acme', undefined, 'it has no three known characters in a row to search for'],
    ['acme|x', undefined, 'it has no three known characters in a row to search for'],
    ['acme(a)\\1', undefined, 'it refers back to a group'],
    ['acme(?=x)', undefined, 'it looks ahead or behind, or names a group'],
    ['(?<!x)acme', undefined, 'it looks ahead or behind, or names a group'],
    ['acme(?<n>x)', undefined, 'it looks ahead or behind, or names a group'],
    ['^acme', undefined, 'it asks for the beginning or the end of a line'],
    ['acme$', undefined, 'it asks for the beginning or the end of a line'],
    ['acme.*?x', undefined, 'it has two quantifiers in a row, or a lazy one'],
    ['acme\\bx', undefined, '\\b may be used only at its beginning and its end'],
    ['acme\\p{L}', undefined, 'it has the escape \\p, which is not understood'],
    ['acmeé', undefined, 'it has a character that is not ASCII'],
    ['acme(', undefined, 'it does not close a group'],
    ['acme)', undefined, 'it closes a group that it has not opened'],
    ['acme[a', undefined, 'it ends too early'],
    ['acme[z-a]', undefined, 'a range in a class goes backwards, or has an end that is not a single character'],
    ['acme\\', undefined, 'it ends too early'],
    ['*acme', undefined, 'it has a quantifier with nothing before it'],
    ['acmea{2,1}', undefined, 'it repeats something more than 256 times, or has a range that goes backwards'],
    ['acmea{1,100000}', undefined, 'it repeats something more than 256 times, or has a range that goes backwards'],
    ['acmea{257}', undefined, 'it repeats something more than 256 times, or has a range that goes backwards'],
    [`acme${'(a'.repeat(30)}`, undefined, 'its groups are more than 20 deep'],
    ['a'.repeat(501), undefined, 'it has more than 500 characters'],
    ['acme((a{1,99}){1,99}){1,99}', undefined, 'with its repetitions expanded it has more than 1024 positions'],
    ['acme(a?){0,250}(b?){0,250}', undefined, 'too many of its parts are optional'],
    ['acme[a-z]*[a-z]*[a-z]*', undefined, 'one text can be read in too many ways'],
  ] as const)('%s', (source, text, expected) => {
    if (text === undefined) expect(compilePattern(source)).toEqual({ kind: 'refused', why: expected });
    else expect(found(source, text)).toEqual(expected);
  });

  test('never throws, whatever is written', () => {
    const unit = fc.constantFrom(...'abcd01-_.*+?{}[]()|\\^$,:=!<bdwsé\u{1f600} ');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 40 }), fc.string({ unit, maxLength: 60 }), (source, text) => {
        const compiled = compilePattern(`abc${source}`);
        if (compiled.kind === 'rule') createScanner({ rules: [compiled.rule] }).find(`abc${text}`);
        else expect(compiled.why).not.toBe('');
      }),
      { numRuns: rounds(1000) },
    );
  });

  test('finds the same as the JavaScript expression', () => {
    const atom = fc.constantFrom('a', 'b', '[ab]', '[^a]', '\\d', '(?:a|bc)', '(?:ab?c)');
    const part = fc.tuple(atom, fc.constantFrom('', '?', '*', '+', '{2}', '{1,3}')).map((both) => both.join(''));
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 4 }),
        fc.string({ unit: fc.constantFrom(...'abc1'), maxLength: 12 }),
        (parts, text) => {
          const source = `key-${parts.join('')}`;
          const compiled = compilePattern(source);
          if (compiled.kind === 'refused') return;
          const whole = `key-${text}`;
          const ends = Array.from({ length: whole.length }, (_, index) => index + 1).filter((end) =>
            new RegExp(`^(?:${source})$`, 'u').test(whole.slice(0, end)),
          );
          expect(compiled.rule.match(whole, 0)?.end).toBe(ends.at(-1));
        },
      ),
      { numRuns: rounds(500) },
    );
  });
});
