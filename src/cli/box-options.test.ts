import { describe, expect, test } from 'vitest';
import type { Command, CommandInput } from './command.ts';
import { boxOptions, sessionOptions } from './box-options.ts';
import { boxOptionsUsage } from './run-usage.ts';
import { parseCommandLine } from './main.ts';
import { runCommand } from './run.ts';
import { scene } from './testing/run.ts';

const environment = { HOME: '/home/me' };
const command: Command = {
  name: 'run',
  usage: '',
  options: boxOptions,
  positionals: 'none',
  run: () => Promise.resolve(0),
};

function input(...argv: readonly string[]): CommandInput {
  return parseCommandLine(command, argv, {
    stdout: { write: () => true },
    stderr: { write: () => true },
    cwd: '/srv',
    environment,
  });
}

describe('sessionOptions', () => {
  test('without options', () => {
    expect(sessionOptions(input())).toEqual({
      cwd: '/srv',
      environment,
      backend: 'auto',
      grants: { read: [], write: [], hosts: [], presets: [], forward: [], environment: [], sockets: [] },
    });
  });

  test('with every option', () => {
    const argv = [
      '--workspace',
      '/w',
      '--read',
      '/r',
      '--read',
      '/s',
      '--write',
      '/x',
      '--host',
      'a.example:443',
      '--preset',
      'npm',
      '--forward',
      '3000:8080',
      '--env',
      'TOKEN',
      '--socket',
      '/run/x',
      '--backend',
      'bubblewrap',
    ];
    expect(sessionOptions(input(...argv))).toEqual({
      cwd: '/srv',
      environment,
      workspace: '/w',
      backend: 'bubblewrap',
      grants: {
        read: ['/r', '/s'],
        write: ['/x'],
        hosts: ['a.example:443'],
        presets: ['npm'],
        forward: ['3000:8080'],
        environment: ['TOKEN'],
        sockets: ['/run/x'],
      },
    });
  });

  test.each(['none', '', 'Native', 'constructor', 'docker'])(
    'the backend %j is a usage error that names the known ones',
    (backend) => {
      expect(() => sessionOptions(input('--backend', backend))).toThrow(
        expect.objectContaining({
          code: 'HF_USAGE',
          remedy: 'use one of: auto, native, bubblewrap, landlock, gvisor, microvm',
        }),
      );
    },
  );

  test('windows is refused likewise', () => {
    expect(() => sessionOptions(input('--backend', 'windows'))).toThrow(
      expect.objectContaining({
        code: 'HF_BACKEND_MISSING',
        message: expect.stringContaining('cannot run commands'),
        remedy: expect.stringContaining('holdfast plan --backend windows'),
      }),
    );
  });

  test('seatbelt is refused, with its uses', () => {
    expect(() => sessionOptions(input('--backend', 'seatbelt'))).toThrow(
      expect.objectContaining({
        code: 'HF_BACKEND_MISSING',
        message: expect.stringContaining('cannot run commands'),
        remedy: expect.stringContaining('holdfast plan --backend seatbelt'),
      }),
    );
  });

  test('the usage names every option', () => {
    const named = [...boxOptionsUsage.matchAll(/--([a-z]+)/gu)].map(([, name]) => name);
    expect(named.toSorted()).toEqual(Object.keys(boxOptions).toSorted());
  });
});

describe('holdfast run', () => {
  test.each([[[]], [['--']], [['--read', '/x', '--']]])('with nothing to run, %j, is a usage error', async (argv) => {
    expect(await scene().run(runCommand, ...argv)).toMatchObject({
      status: 125,
      stderr: expect.stringContaining('holdfast run -- npm test'),
    });
  });

  test('without `--` is a usage error, not a command', async () => {
    expect(await scene().run(runCommand, 'true')).toMatchObject({
      status: 125,
      stderr: expect.stringContaining('[HF_USAGE]'),
    });
  });
});
