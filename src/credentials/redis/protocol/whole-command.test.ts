import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitInline } from './whole-command.ts';

const split = (line: string): readonly string[] =>
  splitInline(Buffer.from(line, 'latin1')).map((arg) => arg.toString('latin1'));

// As sdssplitargs of Redis does.
test.each([
  ['', []],
  ['  \t ', []],
  ['GET a', ['GET', 'a']],
  ['  GET \t a  ', ['GET', 'a']],
  ['SET "a b" \'c d\'', ['SET', 'a b', 'c d']],
  ['SET "" \'\'', ['SET', '', '']],
  [String.raw`ECHO "\x41\n\r\t\b\a\\\"\q"`, ['ECHO', 'A\n\r\t\b\x07\\"q']],
  [String.raw`ECHO "\xZZ"`, ['ECHO', 'xZZ']],
  [String.raw`ECHO 'it\'s' '\x41'`, ['ECHO', "it's", String.raw`\x41`]],
  ['ab"cd"', ['abcd']],
  ['ECHO \xff\x80', ['ECHO', '\xff\x80']],
])('%j', (line, args) => {
  expect(split(line)).toStrictEqual(args);
});

test.each(['"', "'", 'GET "a', "GET 'a", 'GET "a"b', "GET 'a'b", 'GET "a\\"', "GET 'a\\'", 'GET "a""b"'])(
  '%j is unbalanced',
  (line) => {
    expect(() => split(line)).toThrow('unbalanced quotes in request');
  },
);

test('any quoted text comes back', () => {
  const quoted = (arg: string): string =>
    `"${[...arg].map((each) => `\\x${each.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')}"`;
  const octets = fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString('latin1'));
  fc.assert(
    fc.property(fc.array(octets, { maxLength: 6 }), (args) => {
      expect(split(args.map(quoted).join(' '))).toStrictEqual(args);
    }),
  );
});
