import { describe, expect, test } from 'vitest';
import type { Command, CommandIo } from './command.ts';
import { isSet, text, texts } from './command.ts';
import { parseCommandLine } from './parse.ts';

const io: CommandIo = { stdout: { write: () => true }, stderr: { write: () => true }, cwd: '/', environment: {} };
const options: Command['options'] = { read: { type: 'string', multiple: true }, workspace: { type: 'string' }, json: { type: 'boolean' } };

function parse(argv: readonly string[], positionals: Command['positionals'] = 'none') {
  return parseCommandLine({ name: 'x', summary: '', usage: '', options, positionals, run: () => Promise.resolve(0) }, argv, io);
}

const usage = expect.objectContaining({ code: 'HF_USAGE', remedy: 'see `holdfast x --help`' });

describe('parseCommandLine', () => {
  test('parses what stands before the first `--` and leaves the rest as it is', () => {
    const { values, rest, positionals } = parse(['--read', '/a', '--json', '--read=/b', '--', 'npm', '--read', '/c', '--', '-x', '']);
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

  test.each([['--nope'], ['--nope=x'], ['-x'], ['word'], ['--json=yes'], ['--workspace'], ['--read', '--json']])('refuses %j', (...argv) => {
    expect(() => parse(argv)).toThrow(usage);
    expect(() => parse([...argv, '--', 'cmd'])).toThrow(usage);
  });

  test('takes words where a command takes words', () => {
    expect(parse(['verify', '--json', 'x'], 'any').positionals).toEqual(['verify', 'x']);
    expect(() => parse(['--nope'], 'any')).toThrow(usage);
  });

  test('knows --help and -h for every command', () => {
    expect(parse(['--help']).values['help']).toBe(true);
    expect(parse(['-h']).values['help']).toBe(true);
    expect(parse(['--', '--help']).values['help']).toBeUndefined();
  });

  test('an option that is given twice but may not be repeated has its last value', () => {
    expect(text(parse(['--workspace', '/a', '--workspace', '/b']).values['workspace'])).toBe('/b');
  });
});

describe('reading values', () => {
  test.each([
    [undefined, []],
    ['a', ['a']],
    [['a', 'b'], ['a', 'b']],
    [true, []],
  ])('texts of %j', (value, expected) => {
    expect(texts(value)).toEqual(expected);
    expect(text(value)).toBe(expected.at(-1));
  });

  test('isSet', () => {
    expect([isSet(true), isSet(false), isSet(undefined), isSet('true')]).toEqual([true, false, false, false]);
  });
});
