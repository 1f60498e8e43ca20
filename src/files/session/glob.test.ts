import { describe, expect, test } from 'vitest';
import { compileGlob } from './find-files.ts';

describe('patterns of paths', () => {
  test.each([
    ['*.ts', ['a.ts', 'src/deep/a.ts'], ['a.tsx', 'a.ts/b']],
    ['src/*.ts', ['src/a.ts'], ['a.ts', 'src/b/a.ts', 'x/src/a.ts']],
    ['./src/*.ts', ['src/a.ts'], ['a.ts']],
    ['src/**', ['src/a', 'src/b/c'], ['a', 'srcs/a']],
    ['**/*.{ts,tsx}', ['a.ts', 'b/c.tsx'], ['a.js', '{ts,tsx}']],
    ['src/**/test/*.ts', ['src/test/a.ts', 'src/a/b/test/c.ts'], ['src/a.ts', 'test/a.ts']],
    ['{a,{b,c}}/?', ['a/x', 'b/y', 'c/z'], ['d/x', 'a/xy']],
    ['a\\*', ['a*', 'b/a*'], ['ab']],
    ['\\{a,b\\}', ['{a,b}'], ['a', 'b']],
    ['**', ['a', 'a/b'], []],
    ['{a}', ['{a}'], ['a']],
  ])('%s', (pattern, meant, others) => {
    const isMeant = compileGlob(pattern);
    expect([meant.filter(isMeant), others.filter(isMeant)]).toEqual([meant, []]);
  });

  test.each(['', '../*', 'a/../b', 'x'.repeat(5000), '{a,b}'.repeat(7)])('refused: %.20s', (pattern) => {
    expect(() => compileGlob(pattern)).toThrow(expect.objectContaining({ code: 'HF_USAGE' }) as Error);
  });

  test('hostile patterns end', () => {
    const isMeant = compileGlob(`${'**/*a'.repeat(200)}b`);
    expect(isMeant(`${'a'.repeat(200)}/`.repeat(20))).toBe(false);
    expect(() => compileGlob('{'.repeat(4000))).not.toThrow();
    expect(() => compileGlob(`{${','.repeat(4000)}`)).not.toThrow();
  });
});
