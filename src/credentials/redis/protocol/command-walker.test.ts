import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCommandFinder, permissionsOf } from '../commands/permissions.ts';
import { resp } from '../testing/read-only-battery.ts';
import { CommandWalker } from './command-walker.ts';
import { redisLimits, readWholeCommand } from './whole-command.ts';
import { rounds } from '../../../../scripts/testing/extent.ts';

const { known, unknown } = permissionsOf({ credential: 'cache', mode: 'read-only' });
const finder = createCommandFinder(known);

interface Walked {
  readonly sent: string;
  /** Names that were visited with their keys, in order. */
  readonly visited: readonly string[];
  readonly problem?: string;
}

/** What a stream becomes that comes in these chunks. */
function walk(chunks: readonly string[], wantsKey = true): Walked {
  const sent: Buffer[] = [];
  const visited: string[] = [];
  const walker = new CommandWalker(finder, {
    wantsKey: () => wantsKey,
    visit(permission, key) {
      visited.push([permission?.command.name ?? '?', ...(key === undefined ? [] : [key])].join(' '));
      return permission === undefined ? unknown : (permission.denied ?? 'pass');
    },
    login: (args) => Buffer.from(`<login ${args.length}>`),
    pass: (bytes) => void sent.push(Buffer.from(bytes)),
    replace: (bytes) =>
      void sent.push(
        bytes.equals(unknown)
          ? Buffer.from('<unknown>')
          : known.some(({ denied }) => denied === bytes)
            ? Buffer.from('<denied>')
            : bytes,
      ),
  });
  try {
    for (const chunk of chunks) walker.push(Buffer.from(chunk, 'latin1'));
  } catch (error) {
    return { sent: Buffer.concat(sent).toString('latin1'), visited, problem: (error as Error).message };
  }
  return { sent: Buffer.concat(sent).toString('latin1'), visited };
}

describe('commands', () => {
  test.each([
    ['one that is allowed', resp('GET', 'a'), resp('GET', 'a'), ['GET a']],
    ['its name in another case', resp('gEt', 'a'), resp('gEt', 'a'), ['GET a']],
    ['one that is denied', resp('SET', 'a', 'b') + resp('GET', 'a'), `<denied>${resp('GET', 'a')}`, ['SET a', 'GET a']],
    [
      'one between others',
      resp('GET', 'a') + resp('SET', 'a', 'b') + resp('PING'),
      `${resp('GET', 'a')}<denied>${resp('PING')}`,
      ['GET a', 'SET a', 'PING'],
    ],
    ['a subcommand', resp('object', 'encoding', 'a'), resp('object', 'encoding', 'a'), ['OBJECT|ENCODING a']],
    [
      'a subcommand without its key',
      resp('OBJECT', 'ENCODING') + resp('PING'),
      resp('OBJECT', 'ENCODING') + resp('PING'),
      ['OBJECT|ENCODING', 'PING'],
    ],
    ['a subcommand that is denied', resp('CONFIG', 'SET', 'a', 'b'), '<denied>', ['CONFIG|SET']],
    ['a subcommand that is not known', resp('CONFIG', 'SOON'), '<unknown>', ['?']],
    ['a container alone', resp('CONFIG'), '<unknown>', ['?']],
    [
      'one that is a container too',
      resp('COMMAND') + resp('COMMAND', 'COUNT'),
      resp('COMMAND') + resp('COMMAND', 'COUNT'),
      ['COMMAND', 'COMMAND|COUNT'],
    ],
    ['a command without its key', resp('GET') + resp('PING'), resp('GET') + resp('PING'), ['GET', 'PING']],
    ['a name that is not known', resp('NOPE', 'a'), '<unknown>', ['?']],
    ['a name that is too long', resp('N'.repeat(redisLimits.name + 1), 'a'), '<unknown>', ['?']],
    ['a subcommand that is too long', resp('CLIENT', 'N'.repeat(5000)), '<unknown>', ['?']],
    ['an empty name', resp(''), '<unknown>', ['?']],
    ['a name with a NUL', resp('GET\0', 'a'), '<unknown>', ['?']],
    [
      'a login',
      resp('PING') + resp('AUTH', 'x') + resp('PING'),
      `${resp('PING')}<login 2>${resp('PING')}`,
      ['PING', 'PING'],
    ],
    ['a login inline', 'HELLO 3\r\nPING\r\n', `<login 2>${resp('PING')}`, ['PING']],
    ['inline', 'get "a b"\nSET a b\r\n\r\n', `${resp('get', 'a b')}<denied>`, ['GET a b', 'SET a']],
    ['a subcommand inline', 'OBJECT ENCODING a\r\n', resp('OBJECT', 'ENCODING', 'a'), ['OBJECT|ENCODING a']],
    [
      'a command in an argument',
      resp('GET', resp('SET', 'a', 'b')),
      resp('GET', resp('SET', 'a', 'b')),
      [`GET ${resp('SET', 'a', 'b')}`],
    ],
    ['none in an array', `*0\r\n${resp('PING')}`, `*0\r\n${resp('PING')}`, ['PING']],
  ])('%s', (...[, stream, sent, visited]) => {
    for (const chunks of [[stream], stream.split('')]) expect(walk(chunks)).toStrictEqual({ sent, visited });
  });

  test('a key is as long as the journal takes', () => {
    expect(walk([resp('GET', 'k'.repeat(5000))]).visited).toStrictEqual([`GET ${'k'.repeat(redisLimits.key)}`]);
    expect(walk([resp('GET', 'k')], false).visited).toStrictEqual(['GET']);
  });

  test.each([['x'.repeat(redisLimits.name + 1)], ['CONFIG', 'x'.repeat(redisLimits.name + 1)]])(
    'a name that is longer than any is judged before all of it has come',
    (...words) => {
      const whole = resp(...words);
      const { visited } = walk([whole.slice(0, -redisLimits.name)]);
      expect(visited).toStrictEqual(['?']);
    },
  );

  test('an argument passes before it is complete, and a denied one does not', () => {
    expect(walk([`*3\r\n$4\r\nECHO\r\n$1000\r\n${'x'.repeat(500)}`]).sent).toContain('x'.repeat(490));
    expect(walk([`*3\r\n$3\r\nSET\r\n$1\r\na\r\n$1000\r\n${'x'.repeat(500)}`, 'x'.repeat(499)])).toStrictEqual({
      sent: '<denied>',
      visited: ['SET a'],
    });
  });
});

describe('invalid commands', () => {
  test.each([
    ['a count below zero', '*-1\r\n'],
    ['a null string', '*2\r\n$3\r\nGET\r\n$-1\r\n'],
    ['a length with a sign', '*2\r\n$3\r\nGET\r\n$+1\r\na\r\n'],
    ['a length with a zero before it', '*2\r\n$3\r\nGET\r\n$01\r\na\r\n'],
    ['a length with a blank', '*2\r\n$3\r\nGET\r\n$ 1\r\na\r\n'],
    ['no length', '*2\r\n$3\r\nGET\r\n$\r\n'],
    ['a length of many digits', '*2\r\n$3\r\nGET\r\n$11111111111'],
    ['a length that is too great', `*2\r\n$3\r\nGET\r\n$${redisLimits.bulk + 1}\r\n`],
    ['a count that is too great', `*${redisLimits.arguments + 1}\r\n`],
    ['a count that ends in CR and something', '*1\rX$4\r\nPING\r\n'],
    ['a count that ends in LF', '*1\n$4\r\nPING\r\n'],
    ['a string that ends otherwise', '*2\r\n$3\r\nGET\r\n$1\r\naXX'],
    ['a name that ends otherwise', '*1\r\n$4\r\nPINGXX'],
    ['another type', '*1\r\n+PING\r\n'],
    ['an array in an array', '*1\r\n*1\r\n$4\r\nPING\r\n'],
    ['unbalanced quotes', 'GET "a\r\n'],
    ['quotes with something behind them', 'GET "a"b\r\n'],
    ['a line without end', 'x'.repeat(redisLimits.whole + 1)],
    ['a login without end', `*2\r\n$4\r\nAUTH\r\n$${redisLimits.whole}\r\n${'x'.repeat(redisLimits.whole)}`],
  ])('%s', (_name, stream) => {
    for (const chunks of [[stream], stream.split('')]) expect(walk(chunks).problem).toBeTypeOf('string');
  });
});

describe('any stream', () => {
  const argument = fc.oneof(
    fc.constantFrom(
      'GET',
      'set',
      'OBJECT',
      'ENCODING',
      'CONFIG',
      'AUTH',
      'ping',
      '*1\r\n',
      '$3\r\nSET\r\n',
      '',
      '\r\n',
      '"',
    ),
    fc.string({ unit: 'binary-ascii', maxLength: 300 }),
  );
  const command = fc.array(argument, { minLength: 1, maxLength: 5 }).map((args) => resp(...args));
  const inline = fc.constantFrom('PING\r\n', 'get "a"\n', '\r\n', "set 'a' b\r\n", 'AUTH x\r\n');
  const stream = fc
    .array(fc.oneof({ weight: 4, arbitrary: command }, { weight: 1, arbitrary: inline }), { maxLength: 6 })
    .map((parts) => parts.join(''));
  const mutation = fc.record({
    at: fc.nat(),
    by: fc.constantFrom('', '\r', '\n', '0', '-', '$', '*', '9', ' ', '\0', '"'),
    dropped: fc.nat(3),
  });
  const hostile = fc
    .tuple(stream, fc.array(mutation, { maxLength: 3 }))
    .map(([text, mutations]) =>
      mutations.reduce(
        (sum, { at, by, dropped }) =>
          sum.slice(0, at % (sum.length + 1)) + by + sum.slice((at % (sum.length + 1)) + dropped),
        text,
      ),
    );
  const cuts = fc.array(fc.nat(), { maxLength: 8 });
  const cut = (text: string, at: readonly number[]): readonly string[] => {
    const places = [0, ...at.map((each) => each % (text.length + 1)), text.length].sort((one, other) => one - other);
    return places.slice(1).map((end, index) => text.slice(places[index], end));
  };

  test('means the same in whatever chunks it comes', () => {
    fc.assert(
      fc.property(hostile, cuts, (text, at) => {
        const whole = walk([text]);
        const pieces = walk(cut(text, at));
        expect(pieces.visited).toStrictEqual(whole.visited);
        expect(pieces.problem).toBe(whole.problem);
        if (whole.problem === undefined) expect(pieces.sent).toBe(whole.sent);
      }),
      { numRuns: rounds(1500) },
    );
  });

  test('never lets through a command that is not allowed, as another reader sees it', () => {
    const allowed = new Set(known.filter(({ denied }) => denied === undefined).map(({ command }) => command.name));
    fc.assert(
      fc.property(hostile, cuts, (text, at) => {
        const { sent } = walk(cut(text, at));
        // What stands for a replacement is no RESP: it is taken out first, and arguments never hold it.
        const bytes = Buffer.from(sent.replaceAll(/<(?:denied|unknown|login \d+)>/gu, ''), 'latin1');
        for (let offset = 0; offset < bytes.length; ) {
          const read = readWholeCommand(bytes, offset);
          if (read === undefined) break;
          const [name = '', second = ''] = read.args.map((arg) => arg.toString('latin1').toUpperCase());
          expect(read.args.length === 0 || allowed.has(name) || allowed.has(`${name}|${second}`)).toBe(true);
          offset = read.end;
        }
      }),
      { numRuns: rounds(1500) },
    );
  });
});
