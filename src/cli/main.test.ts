import { describe, expect, test } from 'vitest';
import { HoldfastError, type HoldfastErrorCode } from '../errors/index.ts';
import { type Command, type CommandIo, isSet, safeText, optionText, optionTexts } from './command.ts';
import { parseCommandLine } from './main.ts';
import { scene } from './testing/run.ts';

function command(run: Command['run']): Command {
  return { name: 'x', usage: 'usage: holdfast x', options: {}, positionals: 'none', run };
}

function failing(code: HoldfastErrorCode, message = 'it broke'): Command {
  return command(() => Promise.reject(new HoldfastError(code, message, { remedy: 'mend it' })));
}

describe('runCommand', () => {
  test.each([0, 1, 3, 137])('passes on the status %i', async (status) => {
    expect(await scene().run(command(() => Promise.resolve(status)))).toEqual({ status, stdout: '', stderr: '' });
  });

  test('prints the usage for --help and runs nothing', async () => {
    const ran: string[] = [];
    const ended = await scene().run(
      command(() => Promise.resolve(ran.push('ran'))),
      '--help',
    );
    expect(ended).toEqual({ status: 0, stdout: 'usage: holdfast x\n', stderr: '' });
    expect(ran).toEqual([]);
  });

  test.each<[HoldfastErrorCode, number]>([
    ['HF_USAGE', 125],
    ['HF_POLICY_INVALID', 125],
    ['HF_GUARANTEE_MISSING', 125],
    ['HF_JOURNAL_FAILED', 125],
    ['HF_COMMAND_NOT_FOUND', 127],
    ['HF_COMMAND_NOT_EXECUTABLE', 126],
  ])('%s ends with %i, an explanation and a remedy', async (code, status) => {
    const ended = await scene().run(failing(code));
    expect(ended).toEqual({
      status,
      stdout: '',
      stderr: `holdfast: it broke\nholdfast: to fix it: mend it [${code}]\n`,
    });
  });

  test('an unknown error is called internal, with its stack', async () => {
    const { status, stderr } = await scene().run(command(() => Promise.reject(new TypeError('oops'))));
    expect(status).toBe(125);
    expect(stderr).toMatch(/^holdfast: internal error, please report it: TypeError: oops\n {4}at /u);
  });

  test('a command alone does its usual action, with its options', async () => {
    const seen: unknown[] = [];
    const listing: Command = {
      ...command(({ positionals, values }) => Promise.resolve(seen.push([positionals, { ...values }]))),
      positionals: 'any',
      options: { json: { type: 'boolean' } },
      alone: 'list',
    };
    for (const words of [[], ['--json'], ['remove', 'x'], ['--', 'x']]) await scene().run(listing, ...words);
    expect(seen).toEqual([
      [['list'], {}],
      [['list'], { json: true }],
      [['remove', 'x'], {}],
      // Extra arguments that the action would ignore.
      [[], {}],
    ]);
  });

  test('an option that does not exist is a usage error', async () => {
    const { status, stderr } = await scene().run(
      command(() => Promise.resolve(0)),
      '--nope',
    );
    expect(status).toBe(125);
    expect(stderr).toContain('x has no option --nope');
    expect(stderr).toContain('holdfast x --help');
  });

  test('a name that a box chose cannot repaint the terminal', async () => {
    const { stderr } = await scene().run(
      failing('HF_ROOT_CHANGED', '/x\u001B[2J\u009B1m\u202E\r changed\n\tsecond line'),
    );
    expect(stderr).toContain('/x\\u{1b}[2J\\u{9b}1m\\u{202e}\\u{d} changed\n\tsecond line\n');
  });
});

test('safeText leaves ordinary text of every language alone', () => {
  const text = 'naïve 日本語 emoji 🙂 \tsecond\nline "quoted" ‘curly’';
  expect(safeText(text)).toBe(text);
});

const io: CommandIo = { stdout: { write: () => true }, stderr: { write: () => true }, cwd: '/', environment: {} };
const options: Command['options'] = {
  read: { type: 'string', multiple: true },
  workspace: { type: 'string' },
  json: { type: 'boolean' },
};

function parse(argv: readonly string[], positionals: Command['positionals'] = 'none') {
  return parseCommandLine({ name: 'x', usage: '', options, positionals, run: () => Promise.resolve(0) }, argv, io);
}

const usage = expect.objectContaining({ code: 'HF_USAGE', remedy: 'see `holdfast x --help`' });

describe('parseCommandLine', () => {
  test('parses the words before the first `--` and leaves the rest unchanged', () => {
    const { values, rest, positionals } = parse([
      '--read',
      '/a',
      '--json',
      '--read=/b',
      '--',
      'npm',
      '--read',
      '/c',
      '--',
      '-x',
      '',
    ]);
    expect({ ...values }).toEqual({ read: ['/a', '/b'], json: true });
    expect(rest).toEqual(['npm', '--read', '/c', '--', '-x', '']);
    expect(positionals).toEqual([]);
  });

  test('tells no `--` from one with nothing behind it', () => {
    expect(parse([]).rest).toBeUndefined();
    expect(parse(['--']).rest).toEqual([]);
    expect(parse(['--json']).rest).toBeUndefined();
    expect(parse(['--json', '--']).rest).toEqual([]);
  });

  test('never takes `--` for the value of an option', () => {
    expect(() => parse(['--workspace', '--', 'rm'])).toThrow(usage);
  });

  test.each([['--nope'], ['--nope=x'], ['-x'], ['word'], ['--json=yes'], ['--workspace'], ['--read', '--json']])(
    'refuses %j',
    (...argv) => {
      expect(() => parse(argv)).toThrow(usage);
      expect(() => parse([...argv, '--', 'cmd'])).toThrow(usage);
    },
  );

  test('takes words where a command takes words', () => {
    expect(parse(['verify', '--json', 'x'], 'any').positionals).toEqual(['verify', 'x']);
    expect(() => parse(['--nope'], 'any')).toThrow(usage);
  });

  test('takes the first word for a program, and all after it for its words', () => {
    const parsed = parse(['--read', '/a', '--json', 'claude', '-p', '--json', '--', '--read'], 'program');
    expect({ ...parsed.values }).toEqual({ read: ['/a'], json: true });
    expect(parsed.positionals).toEqual(['claude', '-p', '--json', '--', '--read']);
    expect(parsed.rest).toBeUndefined();
    expect(parse(['claude', '--help'], 'program').values['help']).toBeUndefined();
    expect(parse(['--read', '/a', '--', 'claude'], 'program')).toMatchObject({ positionals: [], rest: ['claude'] });
    for (const words of [['--nope', 'claude'], ['--read', '--json', 'claude'], ['--workspace']])
      expect(() => parse(words, 'program')).toThrow(usage);
  });

  test('knows --help and -h for every command', () => {
    expect(parse(['--help']).values['help']).toBe(true);
    expect(parse(['-h']).values['help']).toBe(true);
    expect(parse(['--', '--help']).values['help']).toBeUndefined();
  });

  test('an option that is given twice but may not be repeated has its last value', () => {
    expect(optionText(parse(['--workspace', '/a', '--workspace', '/b']).values['workspace'])).toBe('/b');
  });
});

describe('reading values', () => {
  test.each([
    [undefined, []],
    ['a', ['a']],
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
    [true, []],
  ])('texts of %j', (value, expected) => {
    expect(optionTexts(value)).toEqual(expected);
    expect(optionText(value)).toBe(expected.at(-1));
  });

  test('isSet', () => {
    expect([isSet(true), isSet(false), isSet(undefined), isSet('true')]).toEqual([true, false, false, false]);
  });
});
