import { describe, expect, test } from 'vitest';
import { analysisOf } from '../testing/analyses.ts';
import { places } from '../testing/policies.ts';
import { execRequestOf } from './decide-command.ts';
import type { ResolvedProgram } from './types.ts';

const requestOf = (argv: readonly string[], resolved?: ResolvedProgram) =>
  analysisOf([{ argv }]).invocations.map((invocation) => execRequestOf(invocation, places, resolved))[0];

describe('execRequestOf', () => {
  test.each<[string, ResolvedProgram | undefined, string]>([
    ['a builtin of the shell', undefined, 'git'],
    ['a program that is not there', { kind: 'missing' }, 'git'],
    ['one that is there', { kind: 'found', path: '/usr/bin/git' }, '/usr/bin/git'],
    ['a planted one', { kind: 'planted', path: '/tmp/git' }, '/tmp/git'],
  ])('%s', (_, resolved, program) => {
    expect(requestOf(['git', 'push'], resolved)).toEqual({
      kind: 'exec',
      program,
      argv: ['git', 'push'],
      context: 'direct',
    });
  });

  test('the home directory is written out, in words and in the program', () => {
    expect(requestOf(['~/bin/tool', '~/x', 'a~/b'])).toEqual({
      kind: 'exec',
      program: '/home/dev/bin/tool',
      argv: ['/home/dev/bin/tool', '/home/dev/x', 'a~/b'],
      context: 'direct',
    });
  });

  test('unknown words are marked, and shown as written', () => {
    expect(requestOf(['git', '$x', 'push', '*.ts', '$y'])).toEqual({
      kind: 'exec',
      program: 'git',
      argv: ['git', '$x', 'push', '*.ts', '$y'],
      unknown: [1, 3, 4],
      context: 'direct',
    });
  });

  test.each([[[]], [['$x']], [['*']]])('%j has no program that a rule could name', (argv) => {
    expect(requestOf(argv)).toBeUndefined();
  });

  test('an empty name is asked about verbatim, wherever it was searched', () => {
    expect(requestOf([''])).toMatchObject({ program: '', argv: [''] });
    expect(requestOf([''], { kind: 'found', path: '/usr/bin' })).toMatchObject({ program: '' });
  });
});
