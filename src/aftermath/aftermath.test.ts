import { describe, expect, test } from 'vitest';
import type { DeniedProgram } from '../plan/types.ts';
import { maskedRequests } from './aftermath.ts';

const denied = (program: string, path: string, held: DeniedProgram['held'] = 'mask'): DeniedProgram => ({
  program,
  path,
  identity: { device: '1', inode: '1', type: 'file' },
  held,
  sharedWith: [],
});
const programs = [
  denied('git', '/usr/bin/git'),
  denied('python3', '/usr/bin/python3.11'),
  denied('wget', '/usr/bin/busybox', 'notification'),
];
const named = (output: string): readonly string[] => maskedRequests(output, programs).map(({ argv }) => argv.join(' '));

describe('a program that is not there is named by who wanted to start it', () => {
  test.each([
    'sh: 1: git: Permission denied',
    'script.sh: 2: git: Permission denied',
    'bash: line 1: /usr/bin/git: Permission denied',
    'zsh: permission denied: git',
    'env: ‘git’: Permission denied',
    'make: git: Permission denied',
    "PermissionError: [Errno 13] Permission denied: 'git'",
    'xargs: git: Permission denied',
    'Error: spawn git EACCES',
    'find: ‘git’: Permission denied',
    'before\r\nsh: 1: git: Permission denied\r\nafter',
  ])('%s', (output) => {
    expect(named(output)).toEqual(['git']);
  });

  test('by the name of its file as well', () => {
    expect(maskedRequests('sh: 1: python3.11: Permission denied', programs)).toEqual([
      { kind: 'exec', program: '/usr/bin/python3.11', argv: ['python3'], context: 'nested' },
    ]);
  });

  test.each([
    '',
    'git: not found',
    'sh: 1: gitk: Permission denied',
    'git@example.com: Permission denied (publickey).',
    'sh: 1: wget: Permission denied',
    'x'.repeat(100_000),
  ])('%j says nothing of one', (output) => {
    expect(named(output)).toEqual([]);
  });

  test('searches nothing where nothing was taken away', () => {
    expect(maskedRequests('sh: 1: git: Permission denied', [])).toEqual([]);
  });
});
