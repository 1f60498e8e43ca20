import { describe, expect, test } from 'vitest';
import { placeOperands } from './place-operands.ts';
import { words } from './testing/words.ts';
import type { OperandPlan } from './types.ts';
import { wordAsTyped } from './words.ts';

const placed = (plan: OperandPlan, line: string) =>
  placeOperands(plan, words(line)).map(
    ({ word, roles, command }) =>
      `${wordAsTyped(word)}:${roles.join('|')}${command === undefined ? '' : `(${command.map(wordAsTyped).join(' ')})`}`,
  );

test('none: no operand has a role', () => {
  expect(placed({ kind: 'none' }, 'a b')).toEqual(['a:', 'b:']);
});

describe('each', () => {
  const plan: OperandPlan = { kind: 'each', role: 'read', absent: '.' };
  test.each<readonly [string, readonly string[]]>([
    ['', ['.:read']],
    ['a', ['a:read']],
    ['a $x *', ['a:read', '$x:read', '*:read']],
  ])('%j', (line, expected) => {
    expect(placed(plan, line)).toEqual(expected);
  });
});

describe('sequence', () => {
  const copy: OperandPlan = { kind: 'sequence', first: [], rest: 'read', last: 'write' };
  const search: OperandPlan = { kind: 'sequence', first: ['text'], rest: 'read-tree', absent: '.' };
  const filter: OperandPlan = { kind: 'sequence', first: ['read', 'write'] };
  const wrapped: OperandPlan = { kind: 'sequence', first: ['assignment', 'text', 'command'] };

  test.each<readonly [OperandPlan, string, readonly string[]]>([
    [copy, 'a b c', ['a:read', 'b:read', 'c:write']],
    [copy, 'a', ['a:write']],
    [copy, 'a* b', ['a*:read', 'b:write']],
    [copy, '$x "$y"', ['$x:read', '"$y":write']],
    [copy, 'a b*', ['a:read', 'b*:read|write']],
    [copy, 'a $x b', ['a:read', '$x:read', 'b:write']],
    [copy, 'a $x', ['a:read', '$x:read|write']],
    [search, '', ['.:read-tree']],
    [search, 'p', ['p:text', '.:read-tree']],
    [search, 'p a b', ['p:text', 'a:read-tree', 'b:read-tree']],
    [search, 'p* a', ['p*:text|read-tree', 'a:read-tree']],
    [search, '"$p" a', ['"$p":text', 'a:read-tree']],
    [filter, 'a', ['a:read']],
    [filter, 'a b', ['a:read', 'b:write']],
    [filter, 'a b c', ['a:read', 'b:write', 'c:']],
    [filter, 'a*', ['a*:read|write']],
    [filter, '$x b', ['$x:read|write', 'b:write']],
    [wrapped, 'A=b 5 rm -f', ['A=b:assignment', '5:text', 'rm:command(rm -f)']],
    [wrapped, '5 rm', ['5:text', 'rm:command(rm)']],
    [wrapped, 'A=b C=d', ['A=b:assignment', 'C=d:assignment']],
    [wrapped, '$x rm -f', ['$x:command($x rm -f)']],
    [wrapped, '5 $x rm', ['5:text', '$x:command($x rm)']],
  ])('%j %j', (plan, line, expected) => {
    expect(placed(plan, line)).toEqual(expected);
  });
});
