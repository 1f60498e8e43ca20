import { describe, expect, test } from 'vitest';
import type { Command } from './command.ts';
import { explained, parseCommandLine } from './main.ts';
import { unknownAction } from './usage-error.ts';

const command: Command = {
  name: 'run',
  usage: 'usage: holdfast run [OPTIONS] -- COMMAND',
  options: {
    host: { type: 'string', multiple: true },
    json: { type: 'boolean' },
    read: { type: 'string' },
    env: { type: 'string' },
  },
  positionals: 'none',
  run: () => Promise.resolve(0),
};

async function errorOf(asked: Command, words: readonly string[]): Promise<unknown> {
  const write = (): boolean => true;
  try {
    parseCommandLine(asked, words, { stdout: { write }, stderr: { write }, cwd: '/', environment: {} });
  } catch (error) {
    return explained(error, asked);
  }
  throw new Error('no error');
}

describe('a wrong option', () => {
  test.each([
    ['--hots x', 'run has no option --hots', 'did you mean --host? See `holdfast run --help`'],
    ['--allow-net', 'run has no option --allow-net', 'did you mean --host? See `holdfast run --help`'],
    ['--ro-bind /a', 'run has no option --ro-bind', 'did you mean --read? See `holdfast run --help`'],
    ['--volume /a', 'run has no option --volume', 'see `holdfast run --help`'],
    ['--zzzzzzzz=1', 'run has no option --zzzzzzzz', 'see `holdfast run --help`'],
    ['-x', 'run has no option -x', 'see `holdfast run --help`'],
    ['-e A', 'run has no option -e', 'did you mean --env? See `holdfast run --help`'],
    [
      '--host',
      '--host needs a value',
      'write --host VALUE, or --host=VALUE if it starts with a dash; see `holdfast run --help`',
    ],
    [
      '--read --json',
      '--read needs a value',
      'write --read VALUE, or --read=VALUE if it starts with a dash; see `holdfast run --help`',
    ],
    ['--json=yes', '--json takes no value', 'write --json alone; see `holdfast run --help`'],
    ['npm', 'run takes no argument "npm"', 'write a command after `--`: holdfast run -- npm'],
  ])('%s is explained', async (words, message, remedy) => {
    expect(await errorOf(command, words.split(' '))).toMatchObject({ code: 'HF_USAGE', message, remedy });
  });

  test('a bare path of why gets the option that asks about it', async () => {
    const why = { ...command, name: 'why', usage: '-- COMMAND', options: { path: { type: 'string' } } } as const;
    expect(await errorOf(why, ['.env'])).toMatchObject({
      message: 'why takes no argument ".env"',
      remedy: 'ask about a path with --path .env, or about a command with -- .env',
    });
  });

  test('a command without a program points to its help', async () => {
    expect(await errorOf({ ...command, name: 'doctor', usage: '' }, ['x'])).toMatchObject({
      message: 'doctor takes no argument "x"',
      remedy: 'see `holdfast doctor --help`',
    });
  });

  test('other errors stay as they are', async () => {
    const error = new TypeError('broken');
    expect(await explained(error, command)).toBe(error);
  });
});

test.each([
  ['shwo', 'policy has no action "shwo"', 'did you mean `holdfast policy show`? See `holdfast policy --help`'],
  ['other', 'policy has no action "other"', 'use check, show; see `holdfast policy --help`'],
  ['', 'policy needs an action', 'use check, show; see `holdfast policy --help`'],
])('the action %j', (name, message, remedy) => {
  expect(unknownAction('policy', ['check', 'show'], name)).toMatchObject({ code: 'HF_USAGE', message, remedy });
});
