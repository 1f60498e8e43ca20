import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeWslOutput, parseAutomount, parseDistributions, wslCommand, wslEnvironment } from './command.ts';
import { insideWsl } from './inside.ts';

const table =
  '  NAME                   STATE           VERSION\r\n* Ubuntu-24.04           Running         2\r\n  Debian                 Wird ausgeführt 2\r\n  old                    Stopped         1\r\n  --help                 Stopped         2\r\n';

describe('the list of distributions', () => {
  test.each([
    ['UTF-16', Buffer.from(table, 'utf16le')],
    ['UTF-16 with a mark', Buffer.from(`\ufeff${table}`, 'utf16le')],
    ['UTF-8', Buffer.from(table)],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${table}`)],
  ])('in %s', (_encoding, bytes) => {
    expect(parseDistributions(decodeWslOutput(bytes))).toEqual([
      { name: 'Ubuntu-24.04', version: 2, isDefault: true },
      { name: 'Debian', version: 2, isDefault: false },
      { name: 'old', version: 1, isDefault: false },
    ]);
  });

  test('hostile bytes name no distribution that WSL could not have', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        for (const { name } of parseDistributions(decodeWslOutput(bytes))) expect(name).toMatch(/^[\w.-]+$/u);
      }),
    );
  });
});

describe('wsl.conf', () => {
  test.each([
    ['', '/mnt'],
    ['[automount]\nroot = /\n', ''],
    ['[automount]\n# root=/no\nroot = "/win dows/"\n', '/win dows'],
    ['[network]\nroot = /no\n[ AutoMount ]\nRoot=/w\n', '/w'],
  ])('%j', (text, root) => {
    expect(parseAutomount(text)).toEqual({ kind: 'at', root });
  });

  test.each(['[automount]\nenabled = False\n', '[automount]\nroot = ../x\n', '[automount]\nroot = /a/../b\n'])(
    '%j mounts nothing',
    (text) => {
      expect(parseAutomount(text)).toEqual({ kind: 'none' });
    },
  );
});

describe('the environment of wsl.exe', () => {
  test('carries exactly the given variables, from Windows to Linux', () => {
    expect(wslEnvironment({ TOKEN: 'a:b/p', X: '' }, { SystemRoot: 'C:\\Windows' })).toEqual({
      SystemRoot: 'C:\\Windows',
      WSL_UTF8: '1',
      TOKEN: 'a:b/p',
      X: '',
      WSLENV: 'TOKEN/u:X/u',
    });
    expect(wslEnvironment({}, {})).toEqual({ WSL_UTF8: '1', WSLENV: '' });
  });

  test.each([
    'A/p',
    'A:B',
    '',
    'A B',
    '1A',
    'WSLENV',
    'wsl_utf8',
    'SYSTEMROOT',
    'Ä',
    'PATH',
    'LD_PRELOAD',
    'NODE_OPTIONS',
    'Home',
    'XDG_CONFIG_HOME',
  ])('%j is no variable that can be carried', (name) => {
    expect(() => wslEnvironment({ [name]: 'x' }, { SystemRoot: 'C:\\Windows' })).toThrow(
      expect.objectContaining({ code: 'HF_USAGE' }),
    );
  });
});

test.each([
  [
    'Linux version 5.15.167.4-microsoft-standard-WSL2 (root@x) (gcc) #1 SMP',
    'enabled\ninterpreter /init',
    { kind: 'wsl2', interop: 'on' },
  ],
  ['Linux version 6.6.0-mine-WSL2 (me@x)', '', { kind: 'wsl2', interop: 'off' }],
  ['Linux version 4.4.0-19041-Microsoft (Microsoft@Microsoft.com)', 'enabled', { kind: 'wsl1', interop: 'on' }],
  ['Linux version 6.1.0-13-amd64 (microsoft@WSL2)', 'enabled', { kind: 'no' }],
  ['', '', { kind: 'no' }],
] as const)('inside: %j', (version, interop, inside) => {
  expect(insideWsl({ version, interop })).toEqual(inside);
});

test.each(['/a"b', '/a\\b', '/a\\'])('a directory that wsl.exe would read otherwise is refused: %s', (directory) => {
  const guest = {
    kind: 'wsl2',
    wsl: 'C:\\Windows\\System32\\wsl.exe',
    distribution: { name: 'Ubuntu', version: 2, isDefault: true },
    automount: { kind: 'none' },
    own: {},
  } as const;
  expect(() => wslCommand(guest, directory, ['true'])).toThrow(
    expect.objectContaining({ code: 'HF_PATH_UNREPRESENTABLE' }),
  );
});
