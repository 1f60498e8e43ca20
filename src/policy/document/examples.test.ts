import { describe, expect, test } from 'vitest';
import { documentFrom, problemsIn } from '../testing/policies.ts';
import { tryExamples } from './examples.ts';
import type { PolicyValue } from './types.ts';

/**
 * A policy value with file rules and their examples. Not parsed, because a document with a broken example is invalid.
 */
function filePolicy(
  ...rules: readonly (readonly [
    paths: string,
    examples: { readonly match?: readonly string[]; readonly not_match?: readonly string[] },
  ])[]
): PolicyValue {
  return {
    version: 1,
    file: rules.map(([paths, examples], index) => ({
      name: `r${index}`,
      decision: 'deny',
      paths: [paths],
      ...examples,
    })),
  };
}

const outcomes = (value: PolicyValue) =>
  tryExamples(value).map(({ at, outcome }) => [
    at,
    outcome.kind === 'passed' ? 'passed' : `${outcome.message}; ${outcome.remedy}`,
  ]);

describe('tryExamples', () => {
  test('has nothing to try without examples', () => {
    expect(tryExamples(filePolicy(['src', {}], ['doc', {}]))).toEqual([]);
    expect(tryExamples({ version: 1 })).toEqual([]);
  });

  test('an example of `match` is decided by its own rule', () => {
    expect(outcomes(filePolicy(['src', { match: ['src/a', 'write src/b'] }]))).toEqual([
      ['file[0].match[0]', 'passed'],
      ['file[0].match[1]', 'passed'],
    ]);
  });

  test('an example without a matching rule says so', () => {
    expect(outcomes(filePolicy(['src', { match: ['doc/a'] }]))).toEqual([
      ['file[0].match[0]', '"r0" does not match its example "doc/a"; change the rule or the example'],
    ]);
  });

  test('an example that only a later rule matches is not matched by its own', () => {
    expect(outcomes(filePolicy(['src', { match: ['doc/a'] }], ['doc', {}]))).toEqual([
      ['file[0].match[0]', '"r0" does not match its example "doc/a"; change the rule or the example'],
    ]);
  });

  test('an example taken by an earlier rule names that rule', () => {
    expect(outcomes(filePolicy(['other', {}], ['src/a', {}], ['src', { match: ['src/a/x', 'src/b'] }]))).toEqual([
      [
        'file[2].match[0]',
        '"r2" never decides its example "src/a/x": the earlier rule "r1" matches it; move the rule above the other one, or narrow the other one',
      ],
      ['file[2].match[1]', 'passed'],
    ]);
  });

  test('an example of `not_match` is about its rule alone, whatever comes before', () => {
    expect(outcomes(filePolicy(['src', {}], ['src/a', { not_match: ['src/b', 'src/a/x'] }]))).toEqual([
      ['file[1].not_match[0]', 'passed'],
      ['file[1].not_match[1]', '"r1" matches "src/a/x", which it must not; change the rule or the example'],
    ]);
  });

  test('an invalid request shows the right form', () => {
    const value: PolicyValue = {
      version: 1,
      connect: [{ name: 'c', decision: 'deny', hosts: ['a.test'], match: ['not a host'], not_match: ['nor: this'] }],
    };
    expect(outcomes(value)).toEqual([
      [
        'connect[0].match[0]',
        expect.stringMatching(/^"not a host" is not an example of a connect request; write it as /u),
      ],
      [
        'connect[0].not_match[0]',
        expect.stringMatching(/^"nor: this" is not an example of a connect request; write it as /u),
      ],
    ]);
  });

  // An example that no rule could match would seem to be one that this rule does not match, and would test nothing.
  test.each<[string, PolicyValue]>([
    [
      'a port that there is not',
      { version: 1, connect: [{ name: 'r', decision: 'deny', hosts: ['a.test'], not_match: ['a.test:99999'] }] },
    ],
    [
      'a host with two dots',
      { version: 1, http: [{ name: 'r', decision: 'deny', hosts: ['a.test'], not_match: ['GET https://a..test/'] }] },
    ],
    [
      'a name that is none',
      { version: 1, dns: [{ name: 'r', decision: 'deny', names: ['a.test'], not_match: ['a..test'] }] },
    ],
    ['no variable', { version: 1, env: [{ name: 'r', decision: 'deny', names: ['A'], not_match: ['A=B'] }] }],
    ['NUL in a path', { version: 1, file: [{ name: 'r', decision: 'deny', paths: ['a'], not_match: ['b\0'] }] }],
    [
      'NUL in a socket',
      { version: 1, socket: [{ name: 'r', decision: 'deny', addresses: ['/a'], not_match: ['/b\0'] }] },
    ],
    [
      'NUL in what is trusted',
      { version: 1, trust: [{ name: 'r', decision: 'deny', paths: ['a'], not_match: ['b\0'] }] },
    ],
  ])('%s is not an example', (_, value) => {
    expect(outcomes(value)).toEqual([
      [
        expect.stringMatching(/\.not_match\[0\]$/u),
        expect.stringMatching(/ is not an example of a \w+ request; write it as /u),
      ],
    ]);
  });

  test('rules of other tables are not in the way', () => {
    const text =
      '[[socket]]\nname = "s"\ndecision = "deny"\naddresses = ["/run"]\n[[file]]\nname = "f"\ndecision = "deny"\npaths = ["/run"]\nmatch = ["/run/x"]';
    expect(tryExamples(documentFrom(text).value)).toEqual([
      { at: 'file[0].match[0]', rule: 'f', expects: 'match', example: '/run/x', outcome: { kind: 'passed' } },
    ]);
  });

  test('a document with a wrong example is refused at its line', () => {
    const [problem] = problemsIn(
      'version = 1\n[[file]]\nname = "f"\ndecision = "deny"\npaths = ["src"]\nmatch = [\n  "src/a",\n  "doc/a",\n]',
    );
    expect(problem).toMatchObject({ line: 8, message: '"f" does not match its example "doc/a"' });
  });
});
