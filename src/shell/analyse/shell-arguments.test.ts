import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { words } from '../tools/testing/words.ts';
import { wordAsTyped } from '../tools/words.ts';
import { readShellArguments } from './shell-arguments.ts';

const sourceOf = (line: string): string => {
  const { source, opaque } = readShellArguments(words(line));
  if (opaque.length > 0) return opaque.map(({ kind }) => kind).join();
  return source.kind === 'text' || source.kind === 'file' ? `${source.kind} ${wordAsTyped(source.word)}` : source.kind;
};

describe('where a shell finds its program', () => {
  test.each([
    ['', 'stdin'],
    ['-', 'stdin'],
    ['--', 'stdin'],
    ['-x', 'stdin'],
    ['-s', 'stdin'],
    ['-s a b', 'stdin'],
    ['x.sh', 'file x.sh'],
    ['-e x.sh -c ls', 'file x.sh'],
    ['-- -c ls', 'file -c'],
    ['-o pipefail x.sh', 'file x.sh'],
    ['~/x.sh', 'file ~/x.sh'],
    ['./x-*.sh', 'file ./x-*.sh'],
    ['-c ls', 'text ls'],
    ['-c ls name a', 'text ls'],
    ['-ec ls', 'text ls'],
    ['-ce ls', 'text ls'],
    ['-c -e ls', 'text ls'],
    ['-e -c ls', 'text ls'],
    ['-euxc ls', 'text ls'],
    ['-c -- ls', 'text ls'],
    ['-c - ls', 'text ls'],
    ['+x -c ls', 'text ls'],
    ['-c +x ls', 'text ls'],
    ['-o pipefail -c ls', 'text ls'],
    ['-eo pipefail -c ls', 'text ls'],
    ['-oc pipefail ls', 'text ls'],
    ['-co pipefail ls', 'text ls'],
    ['-O extglob -c ls', 'text ls'],
    ['--norc --noprofile -c ls', 'text ls'],
    ['--posix -c ls', 'text ls'],
    ['-lc ls', 'text ls'],
    ['-sc ls', 'text ls'],
    ['--rcfile x -c ls', 'text ls'],
    ['-c $X', 'text $X'],
    ['-c *', 'text *'],
    ['-c', 'nothing'],
    ['--version', 'nothing'],
    ['--help', 'nothing'],
    ['$X', 'dynamic-word'],
    ['$X -c ls', 'dynamic-word'],
    ['* -c ls', 'dynamic-word'],
    ['-o $X -c ls', 'dynamic-word'],
    ['--frob -c ls', 'unknown-option'],
    ['--nor -c ls', 'unknown-option'],
    ['-z ls', 'unknown-option'],
    ['-Pc ls', 'unknown-option'],
    ['-kc ls', 'unknown-option'],
    ['-o physical -c ls', 'unknown-option'],
    ['-O lastpipe -c ls', 'unknown-option'],
    ['-co keyword ls', 'unknown-option'],
    ['--rcfile=x -c ls', 'unknown-option'],
  ])('%s: %s', (line, source) => {
    expect(sourceOf(line)).toBe(source);
  });

  test.each([
    ['-c ls', 'not-read'],
    ['-lc ls', 'login'],
    ['-l -c ls', 'login'],
    ['--login -c ls', 'login'],
    ['-ic ls', 'interactive'],
    ['-lic ls', 'interactive'],
  ])('the start-up files of %s are %s', (line, profile) => {
    expect(readShellArguments(words(line)).profile).toBe(profile);
  });

  test('--rcfile is a file that runs first', () => {
    expect(readShellArguments(words('--rcfile a --init-file b -c ls')).startup.map(wordAsTyped)).toEqual(['a', 'b']);
  });
});

/** Bash itself shows which words it takes for the text: it prints them. */
describe('bash takes the same words', () => {
  test.each([
    '-c',
    '-ec',
    '-ce',
    '-c -e',
    '-c --',
    '-c -',
    '+x -c',
    '-c +x',
    '-o pipefail -c',
    '-eo pipefail -c',
    '-oc pipefail',
    '-co pipefail',
    '-O extglob -c',
    '--norc --noprofile -c',
    '--posix -c',
    '-sc',
    '-euc',
  ])('bash %s TEXT', (options) => {
    const text = 'echo ran $0';
    expect(sourceOf(`${options} '${text}' name`)).toBe(`text ${text}`);
    const { stdout } = spawnSync('bash', [...options.split(' '), text, 'name'], {
      encoding: 'utf8',
      input: 'echo the input',
      // With a socket as stdin, bash reads the start-up file of the home directory.
      env: { PATH: '/usr/bin:/bin', HOME: '/nonexistent', SHLVL: '2' },
    });
    expect(stdout).toBe('ran name\n');
  });
});
