import { describe, expect, test } from 'vitest';
import { askedGuest, type CommandInput, type OptionValue } from './command.ts';
import { delegatedRun } from './delegate.ts';

function input(
  values: Readonly<Record<string, OptionValue>>,
  environment: Readonly<Record<string, string>> = {},
): CommandInput {
  return {
    values,
    positionals: [],
    rest: ['npm', 'test'],
    io: { stdout: { write: () => undefined }, stderr: { write: () => undefined }, cwd: '/usr', environment },
  };
}

describe('askedGuest', () => {
  test.each([
    ['lima', { kind: 'lima', name: undefined }],
    ['lima:dev', { kind: 'lima', name: 'dev' }],
    ['wsl2:Ubuntu', { kind: 'wsl2', name: 'Ubuntu' }],
    ['native', undefined],
    ['wsl', undefined],
    ['lima:', undefined],
  ])('%s', (backend, asked) => {
    expect(askedGuest(input({ backend }))).toEqual(asked);
  });
});

test('the options go along, with mapped paths and only named variables that are set', () => {
  const values = {
    backend: 'lima',
    staged: true,
    read: ['lib', '/srv/../usr'],
    host: ['--x'],
    env: ['TOKEN', 'UNSET'],
    workspace: '.',
  };
  expect(delegatedRun(input(values, { TOKEN: 't', OTHER: 'o' }))).toEqual({
    cwd: '/usr',
    options: [
      { kind: 'flag', name: 'staged' },
      { kind: 'path', name: 'read', value: '/usr/lib', needs: 'read-only' },
      { kind: 'path', name: 'read', value: '/usr', needs: 'read-only' },
      { kind: 'text', name: 'host', value: '--x' },
      { kind: 'text', name: 'env', value: 'TOKEN' },
      { kind: 'text', name: 'env', value: 'UNSET' },
      { kind: 'path', name: 'workspace', value: '/usr', needs: 'writable' },
    ],
    argv: ['npm', 'test'],
    environment: { TOKEN: 't' },
  });
});
