import { describe, expect, test } from 'vitest';
import { guardedLength } from './guarded-length.ts';

const lengthIn = (path: string, chain: string, except: readonly string[] = []) =>
  guardedLength(path.split('/'), { components: chain.split('/'), except });

describe('guardedLength', () => {
  test.each<[string, string, number | undefined]>([
    ['.vscode', '.vscode', 1],
    ['a/b/.vscode', '.vscode', 3],
    ['a/.vscode/settings.json', '.vscode', 2],
    ['a/.vscode/b/.vscode', '.vscode', 2],
    ['.git/hooks/x', '.git/hooks', 2],
    ['.git/a/hooks', '.git/hooks', undefined],
    ['.git', '.git/hooks', undefined],
    ['hooks', '.git/hooks', undefined],
    ['a/.GIT/Hooks', '.git/hooks', 3],
    ['.git/modules/lib/hooks/y', '.git/modules/*/hooks', 4],
    ['.env.local', '.env.*', 1],
    ['.env', '.env.*', undefined],
    ['a', 'b', undefined],
    ['', 'b', undefined],
  ])('%s, %s: %s', (path, chain, length) => {
    expect(lengthIn(path, chain)).toBe(length);
  });

  test('exceptions do not count, and deeper paths may', () => {
    expect(lengthIn('.env.example', '.env.*', ['.env.example'])).toBeUndefined();
    expect(lengthIn('.ENV.Example', '.env.*', ['.env.example'])).toBeUndefined();
    expect(lengthIn('.env.example/.env.local', '.env.*', ['.env.example'])).toBe(2);
  });
});
