import { describe, expect, test } from 'vitest';
import type { CommandInput } from '../command.ts';
import { injectOption, sourceOption } from './add.ts';

const cwd = '/home/dev/app';

function source(from: string, parts: Partial<Pick<CommandInput, 'values' | 'rest'>> = {}) {
  return sourceOption({ from, cwd, values: {}, rest: undefined, ...parts });
}

describe('--from', () => {
  test.each([
    ['env:GITHUB_TOKEN', { env: 'GITHUB_TOKEN' }],
    ['file:/home/dev/.token', { file: '/home/dev/.token' }],
    ['file:~/.token', { file: '~/.token' }],
    ['file:../.token', { file: '/home/dev/.token' }],
    ['keyring:https://example.com/dev', { keyring: 'https://example.com/dev' }],
    ['op://dev/github/token', { onepassword: 'op://dev/github/token' }],
    ['bw:GitHub/password', { bitwarden: 'GitHub/password' }],
    ['vault:secret/app#token', { vault: 'secret/app#token' }],
    ['env:', { env: '' }],
  ])('%s', (from, expected) => {
    expect(source(from)).toEqual(expected);
  });

  test.each(['command', 'command:'])('%s takes the words after --, as they are', (from) => {
    expect(source(from, { rest: ['gh', 'auth', '--token', ''] })).toEqual({ command: ['gh', 'auth', '--token', ''] });
  });

  test('takes what goes with it', () => {
    expect(source('file:~/.netrc', { values: { format: 'netrc' } })).toEqual({ file: '~/.netrc', format: 'netrc' });
    expect(source('command', { rest: ['gh'], values: { timeout: '5s', lifetime: '1h' } })).toEqual({
      command: ['gh'],
      timeout: '5s',
      lifetime: '1h',
    });
  });

  test.each([
    '',
    'GITHUB_TOKEN',
    'ENV:A',
    'ghp_EXAMPLE',
    'constructor:x',
    'onepassword:op://a/b/c',
    'https://example.com',
    'env://x',
    'command:gh auth token',
  ])('%j is no source, and is not repeated', (from) => {
    const wrong = (): unknown => source(from);
    expect(wrong).toThrow(expect.objectContaining({ code: 'HF_USAGE' }));
    expect(wrong).toThrow(expect.not.objectContaining({ message: expect.stringContaining('EXAMPLE') as string }));
  });

  test('of another kind has no command', () => {
    expect(() => source('env:A', { rest: ['gh'] })).toThrow('only --from command takes a command after --');
    expect(() => source('command', { rest: [] })).toThrow('the command that prints the secret is missing');
    expect(() => source('command')).toThrow('the command that prints the secret is missing');
  });
});

describe('--inject', () => {
  test.each([
    ['bearer', { kind: 'bearer' }],
    ['header:X-Api-Key', { kind: 'header', name: 'X-Api-Key' }],
    ['cookie:session', { kind: 'cookie', name: 'session' }],
    ['query:key', { kind: 'query', parameter: 'key' }],
    ['basic:dev', { kind: 'basic', user: 'dev' }],
    ['git:x-access-token', { kind: 'git', user: 'x-access-token' }],
    ['postgres:app', { kind: 'postgres', user: 'app' }],
    ['redis', { kind: 'redis' }],
    ['sigv4:AKIAEXAMPLE', { kind: 'sigv4', access_key_id: 'AKIAEXAMPLE' }],
    ['basic:a:b', { kind: 'basic', user: 'a:b' }],
    ['bearer:x', { kind: 'bearer', user: 'x' }],
  ])('%s', (written, expected) => {
    expect(injectOption(written)).toEqual(expected);
  });
});
