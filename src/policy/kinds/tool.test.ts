import { describe, expect, test } from 'vitest';
import { argumentsMatch } from './tool.ts';

const matches = (
  patterns: Readonly<Record<string, readonly string[]>>,
  given: unknown,
  effect: 'allows' | 'restricts',
): boolean => argumentsMatch(patterns, typeof given === 'string' ? given : JSON.stringify(given), effect);

describe('a rule that allows', () => {
  test.each([
    [{ path: ['src/*'] }, { path: 'src/a' }, true],
    [{ path: ['src/*'] }, { path: 'lib/a' }, false],
    [{ path: ['src/*'] }, {}, false],
    [{ path: ['src/*'] }, { path: [] }, false],
    [{ path: ['src/*'] }, { path: ['src/a', 'src/b'] }, true],
    [{ path: ['src/*'] }, { path: ['src/a', 'etc'] }, false],
    [{ path: ['src/*'] }, { path: { a: 'src/a', b: 'etc' } }, false],
    [{ path: ['src/*'] }, { path: 'src/../etc/passwd' }, false],
    [{ path: ['src/*'] }, { path: String.raw`src/a\..\..\x` }, false],
    [{ path: ['*'] }, { path: '..' }, false],
    [{ path: ['*..*'] }, { path: 'a..b' }, true],
    [{ 'options.depth': ['1', '2'] }, { options: { depth: 2 } }, true],
    [{ 'options.depth': ['1', '2'] }, { options: { depth: 3 } }, false],
    [{ 'a.b': ['1'] }, { 'a.b': '1' }, true],
    [{ 'a.b': ['1'] }, { 'a.b': '1', a: { b: '2' } }, false],
    [{ 'a.b': ['1'] }, { 'a.b': '2', a: { b: '1' } }, false],
    [{ '*': ['a*'] }, { x: 'a1', y: ['a2'] }, true],
    [{ '*': ['a*'] }, { x: 'a1', y: ['b'] }, false],
    [{ constructor: ['*'] }, {}, false],
    [{ __proto__: ['*'] } as Readonly<Record<string, readonly string[]>>, {}, true],
    [{ path: ['*'] }, '[]', false],
    [{ path: ['*'] }, 'no json', false],
  ] as const)('%j of %j: %s', (patterns, given, expected) => {
    expect(matches(patterns, given, 'allows')).toBe(expected);
  });
});

describe('a rule that restricts', () => {
  test.each([
    [{ path: ['*.pem'] }, { path: 'a.pem' }, true],
    [{ path: ['*.pem'] }, { path: ['a', 'b.pem'] }, true],
    [{ path: ['*.pem'] }, { path: { deep: { er: 'b.pem' } } }, true],
    [{ path: ['*.pem'] }, { path: 'a/../b.pem' }, true],
    [{ path: ['*.pem'] }, { other: 'a.pem' }, false],
    [{ 'a.b': ['*.pem'] }, { 'a.b': 'x', a: { b: 'a.pem' } }, true],
    [{ 'a.b': ['*.pem'] }, { 'a.b': 'a.pem', a: { b: 'x' } }, true],
    [{ '*': ['*secret*'] }, { a: [{ b: 'my secret' }] }, true],
    [{ path: ['*.pem'], mode: ['w'] }, { path: 'a.pem', mode: 'r' }, false],
    [{ path: ['*.pem'] }, 'no json', true],
    [{ path: ['*.pem'] }, '[]', true],
  ] as const)('%j of %j: %s', (patterns, given, expected) => {
    expect(matches(patterns, given, 'restricts')).toBe(expected);
  });
});
