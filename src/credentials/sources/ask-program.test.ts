import { describe, expect, test } from 'vitest';
import { programEnvironment } from './ask-program.ts';

const everything = {
  PATH: '/usr/bin:/home/dev/app/node_modules/.bin',
  HOME: '/home/dev',
  LANG: 'C.UTF-8',
  LC_ALL: 'C',
  XDG_RUNTIME_DIR: '/run/user/1000',
  DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1000/bus',
  WAYLAND_DISPLAY: 'wayland-0',
  SSH_AUTH_SOCK: '/run/user/1000/ssh',
  GITHUB_TOKEN: 'EXAMPLE-1',
  AWS_SECRET_ACCESS_KEY: 'EXAMPLE-2',
  AWS_PROFILE: 'work',
  BW_SESSION: 'EXAMPLE-3',
  VAULT_ADDR: 'https://vault.example',
  VAULT_TOKEN: 'EXAMPLE-4',
  OP_SERVICE_ACCOUNT_TOKEN: 'EXAMPLE-5',
  OPENAI_API_KEY: 'EXAMPLE-6',
  NODE_OPTIONS: '--require=/tmp/x.js',
  LD_PRELOAD: '/tmp/x.so',
  BASH_ENV: '/tmp/x.sh',
  PYTHONPATH: '/tmp',
  UNSET: undefined,
};

const names = (program: string): readonly string[] =>
  Object.keys(programEnvironment(program, { environment: everything, writableRoots: ['/home/dev/app'] })).toSorted();
const common = [
  'DBUS_SESSION_BUS_ADDRESS',
  'HOME',
  'LANG',
  'LC_ALL',
  'PATH',
  'SSH_AUTH_SOCK',
  'WAYLAND_DISPLAY',
  'XDG_RUNTIME_DIR',
];

describe("the environment of a source's program", () => {
  test.each([
    ['secret-tool', []],
    ['my-helper', []],
    ['gh', []],
    ['op', ['OP_SERVICE_ACCOUNT_TOKEN']],
    ['/opt/1password/op', ['OP_SERVICE_ACCOUNT_TOKEN']],
    ['bw', ['BW_SESSION']],
    ['vault', ['VAULT_ADDR', 'VAULT_TOKEN']],
    ['aws', ['AWS_PROFILE']],
    ['opera', []],
  ])('%s: who the user is, and %j', (program, own) => {
    expect(names(program)).toEqual([...common, ...own].toSorted());
  });

  test('its PATH has nothing that a box can write to', () => {
    expect(programEnvironment('gh', { environment: everything, writableRoots: ['/home/dev/app'] })['PATH']).toBe(
      '/usr/bin',
    );
  });

  test('is not empty of PATH where there is none', () => {
    expect(programEnvironment('gh', { environment: {}, writableRoots: [] })).toEqual({ PATH: '' });
  });
});
