import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { findProgram, programEnvironment, trustedPath } from './ask-program.ts';
import { directory } from './testing/scene.ts';
import { visitedPlaces } from '../../kernel/visited-places.ts';
import { anyWithin } from './read-host-file.ts';

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

  test('has an empty PATH if there is none', () => {
    expect(programEnvironment('gh', { environment: {}, writableRoots: [] })).toEqual({ PATH: '' });
  });
});

describe('find program', () => {
  let root = '';
  let [system, workspace] = ['', ''];

  beforeEach(() => {
    root = directory();
    [system, workspace] = [join(root, 'system'), join(root, 'workspace')];
    for (const place of [system, workspace]) {
      mkdirSync(place);
      writeFileSync(join(place, 'helper'), '#!/bin/sh\n', { mode: 0o755 });
    }
  });

  function find(name: string, path = `${workspace}:${system}`, writableRoots: readonly string[] = [workspace]): string {
    const found = findProgram(name, { environment: { PATH: path }, writableRoots });
    return found.kind === 'found' ? found.path : found.why;
  }

  describe('the program of a source', () => {
    test('is found in PATH, where no box can write', () => {
      expect(find('helper')).toBe(join(system, 'helper'));
      expect(find('helper', `${system}/`)).toBe(join(system, 'helper'));
    });

    test('is the file of an absolute path', () => {
      expect(find(join(system, 'helper'), '')).toBe(join(system, 'helper'));
    });

    test.each(['', '.', 'system', './system', '../x'])('is not looked for in the entry %j', (entry) => {
      expect(find('helper', entry)).toBe('there is no program helper');
    });

    test('is never one that a box could have written, under any name', () => {
      const why = 'is where a box can write';
      expect(find('helper', workspace)).toContain(why);
      expect(find(join(workspace, 'helper'))).toContain(why);
      expect(find(join(system, '../workspace/helper'))).toContain(why);
      expect(find('helper', system, ['/'])).toContain(why);
    });

    test('is never one reached by a link from a place that a box can write', () => {
      symlinkSync(join(workspace, 'helper'), join(system, 'linked'));
      symlinkSync(join(system, 'helper'), join(workspace, 'back'));
      symlinkSync(join(workspace, 'back'), join(system, 'there-and-back'));
      expect(find('linked', system)).toContain('is where a box can write');
      expect(find('there-and-back', system)).toContain('is where a box can write');
    });

    test('is found through a link that only the user can change', () => {
      symlinkSync('helper', join(system, 'linked'));
      expect(find('linked', system)).toBe(join(system, 'linked'));
    });

    test('is never one that everybody can write to', () => {
      chmodSync(join(system, 'helper'), 0o757);
      expect(find('helper', system)).toContain('is where a box can write');
    });

    test.each([
      ['', '"" is not the name of a program'],
      ['a\0b', '"a\\u0000b" is not the name of a program'],
      ['./helper', 'the program ./helper has a relative path'],
      ['bin/helper', 'the program bin/helper has a relative path'],
      ['nothing', 'there is no program nothing'],
      ['/no/such/helper', 'there is no program /no/such/helper'],
    ])('%j: %s', (name, why) => {
      expect(find(name)).toBe(why);
    });

    test('is no directory, and nothing that cannot be executed', () => {
      mkdirSync(join(system, 'folder'));
      writeFileSync(join(system, 'text'), '');
      expect(find('folder', system)).toBe('there is no program folder');
      expect(find('text', system)).toBe('there is no program text');
    });
  });

  describe('the PATH of a program', () => {
    test('has the absolute entries where no box can write', () => {
      symlinkSync(workspace, join(system, 'bin'));
      const entries = [
        '',
        '.',
        'bin',
        system,
        workspace,
        join(workspace, 'node_modules/.bin'),
        join(system, 'bin'),
        '/no/such',
      ];
      expect(trustedPath({ environment: { PATH: entries.join(':') }, writableRoots: [workspace] })).toBe(
        `${system}:/no/such`,
      );
    });

    test('is empty if missing', () => {
      expect(trustedPath({ environment: {}, writableRoots: [] })).toBe('');
    });
  });

  describe('the places on the way to a file', () => {
    test('are every directory, every link and its target', () => {
      symlinkSync('../workspace', join(system, 'up'));
      expect(visitedPlaces(join(system, 'up/helper'))?.filter((place) => place.length > root.length)).toEqual(
        [system, join(system, 'up'), join(system, '..'), workspace, join(workspace, 'helper')].filter(
          (place) => place.length > root.length,
        ),
      );
    });

    test('are missing for a dangling or circular link', () => {
      symlinkSync('circle', join(system, 'circle'));
      symlinkSync('nowhere', join(system, 'broken'));
      for (const name of ['circle', 'broken', 'missing', 'missing/helper'])
        expect(visitedPlaces(join(system, name))).toBeUndefined();
    });

    test.each([
      ['/a/b', '/a', true],
      ['/a', '/a', true],
      ['/ab', '/a', false],
      ['/', '/a', false],
      ['/b', '/', true],
    ])('%s in %s: %s', (place, within, expected) => {
      expect(anyWithin([place], [within])).toBe(expected);
    });
  });
});
