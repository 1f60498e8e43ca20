import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { except, sbplLiteral, sbplString, rule, ruleText, subpath } from './sbpl.ts';
import { evaluator } from './testing/evaluator.ts';
import { hostileName } from './testing/plans.ts';
import { readProfile } from './testing/reader.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

test.each([
  ['a"b\\c', '"a\\"b\\\\c"'],
  ['\n\r\t\x01\x7f', '"\\n\\r\\t\\x01\\x7f"'],
  ['#"a"', '"#\\"a\\""'],
  ['caf\u00e9 \u{1f600}', '"caf\u00e9 \u{1f600}"'],
  ['', '""'],
])('%j is written as %s', (text, written) => {
  expect(sbplString(text)).toBe(written);
});

test('a long text is joined from pieces that every reader has room for', () => {
  expect(sbplString('x'.repeat(201))).toBe(`(string-append "${'x'.repeat(200)}" "x")`);
  expect(sbplString('\u00e9'.repeat(101))).toBe(`(string-append "${'\u00e9'.repeat(100)}" "\u00e9")`);
});

test('any path is one string: no part of it becomes a rule', () => {
  fc.assert(
    fc.property(
      fc.array(hostileName, { minLength: 1, maxLength: 3 }),
      fc.array(hostileName, { minLength: 1, maxLength: 3 }),
      (names, others) => {
        const [path, other] = [`/${names.join('/')}`, `/${others.join('/')}`];
        const profile = `(version 1)\n(deny default)\n${rule('allow', ['file-read*'], [sbplLiteral(path)])
          .map((each) => ruleText(each, path))
          .join('')}`;
        expect(readProfile(profile)).toHaveLength(3);
        expect(evaluator(profile)({ operation: 'file-read-data', path }).decision).toBe('allow');
        expect(evaluator(profile)({ operation: 'file-read-data', path: other }).decision).toBe(
          path === other ? 'allow' : 'deny',
        );
      },
    ),
    { numRuns: rounds(300) },
  );
});

test('a rule without filters is dropped, because it would match everything', () => {
  expect(rule('allow', ['file-read*'], [])).toEqual([]);
});

test('the last matching rule wins, and its tag is reported', () => {
  const [allow, deny] = [
    rule('allow', ['file-read*'], [subpath('/a')]),
    rule('deny', ['file-read*'], [except(subpath('/a/b'), [sbplLiteral('/a/b/c')])]),
  ];
  const ask = (rules: typeof allow, path: string) =>
    evaluator(['(version 1)(deny default)', ...rules.map((each) => ruleText(each, 'tag "1"'))].join('\n'))({
      operation: 'file-read-data',
      path,
    });
  expect(ask([...allow, ...deny], '/a/b')).toEqual({ decision: 'deny', message: 'tag "1"' });
  expect(ask([...deny, ...allow], '/a/b')).toEqual({ decision: 'allow', message: undefined });
  expect(ask([...allow, ...deny], '/a/b/c').decision).toBe('allow');
  expect(ask([...allow, ...deny], '/ab').decision).toBe('deny');
});

test.each(['(', ')', '"', '(allow "\\x1")', '(allow #"x")'])('the reader of the tests takes no %j', (text) => {
  expect(() => readProfile(text)).toThrow();
});
