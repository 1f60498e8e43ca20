import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonPath } from '../types.ts';
import { insertJson, type JsonInsertion } from './insert-json.ts';
import { bytesOf, documents } from './testing/documents.ts';
import { parsed, valuesOf } from './testing/reference.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const insert = (text: string, insertion: JsonInsertion): string | undefined =>
  insertJson(Buffer.from(text), insertion)?.toString();

/** The parsed document with the value put in. */
function inserted(document: unknown, { path, key, value }: JsonInsertion): unknown {
  const container = [...valuesOf(document)].find((each) => JSON.stringify(each.path) === JSON.stringify(path))?.value;
  if (Array.isArray(container)) container.push(value);
  else Object.defineProperty(container, String(key), { value, enumerable: true });
  return document;
}

function isOneInsertion(before: Buffer, after: Buffer): boolean {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  const rest = before.length - same;
  return before.subarray(same).equals(after.subarray(after.length - rest)) && after.length > before.length;
}

describe('insertJson', () => {
  test('the document reads as before, with the value, and every other byte stays', () => {
    const values = fc.constantFrom<unknown>({ type: 'text', text: 'é\ud800' }, [], 'x', 1, null);
    fc.assert(
      fc.property(documents('unique'), fc.nat(), values, (document, which, value) => {
        const bytes = bytesOf(document);
        const containers = [...valuesOf(parsed(bytes)?.value)].filter(
          (each) => typeof each.value === 'object' && each.value !== null,
        );
        const container = containers[which % containers.length];
        fc.pre(container !== undefined);
        const insertion = Array.isArray(container.value)
          ? { path: container.path, value }
          : { path: container.path, key: 'a new key', value };
        const after = insertJson(bytes, insertion) ?? Buffer.alloc(0);
        expect(parsed(after)?.value).toEqual(inserted(parsed(bytes)?.value, insertion));
        expect(isOneInsertion(bytes, after)).toBe(true);
      }),
      { numRuns: rounds(500) },
    );
  });

  test('never throws, and gives JSON or nothing, whatever is there twice or damaged', () => {
    const key = fc.constantFrom<string | number>('a', 'b', 'content', '0', 0);
    fc.assert(
      fc.property(
        documents('any'),
        fc.record({ path: fc.array(key, { maxLength: 2 }), member: fc.option(key, { nil: undefined }), cut: fc.nat() }),
        (document, { path, member, cut }) => {
          const bytes = bytesOf(document);
          const insertion = { path, ...(member === undefined ? {} : { key: String(member) }), value: 1 };
          const after = insertJson(bytes, insertion);
          if (after !== undefined) expect(parsed(after)).toBeDefined();
          const damaged = bytes.subarray(0, cut % bytes.length);
          if (parsed(damaged) === undefined) expect(insertJson(damaged, insertion)).toBeUndefined();
        },
      ),
      { numRuns: rounds(500) },
    );
  });

  test.each<[string, JsonInsertion, string]>([
    ['[]', { path: [], value: 1 }, '[1]'],
    ['[ ]', { path: [], value: 1 }, '[1 ]'],
    ['[0 , "a"\n]', { path: [], value: { b: [] } }, '[0 , "a",{"b":[]}\n]'],
    ['[[1] ]', { path: [], value: 2 }, '[[1],2 ]'],
    ['{}', { path: [], key: 'a', value: 1 }, '{"a":1}'],
    ['{ "b" : 2 }', { path: [], key: 'a', value: null }, '{ "b" : 2,"a":null }'],
    ['{"b":{"a":1}}', { path: [], key: 'a', value: 2 }, '{"b":{"a":1},"a":2}'],
    ['{"b":{}}', { path: ['b'], key: 'a"\n', value: 2 }, '{"b":{"a\\"\\n":2}}'],
    [
      '\ufeff{"m":[{"c":[{"t":"x"}]},{"c":[]}],"n":1.0}',
      { path: ['m', 0, 'c'], value: 'y' },
      '\ufeff{"m":[{"c":[{"t":"x"},"y"]},{"c":[]}],"n":1.0}',
    ],
    [
      '{"m":[{"c":[{"t":"x"}]},{"c":[]}]}',
      { path: ['m', 1, 'c'], value: 'y' },
      '{"m":[{"c":[{"t":"x"}]},{"c":["y"]}]}',
    ],
    ['{"\\u006d":[]}', { path: ['m'], value: 1 }, '{"\\u006d":[1]}'],
    [
      '{"stream":true}',
      { path: [], key: 'stream_options', value: { include_usage: true } },
      '{"stream":true,"stream_options":{"include_usage":true}}',
    ],
    ['{"*":[],"a":[0]}', { path: ['*'], value: 1 }, '{"*":[1],"a":[0]}'],
    ['{"a":1,"a":2}', { path: [], key: 'b', value: 3 }, '{"a":1,"a":2,"b":3}'],
  ])('%s and %j make %s', (text, insertion, wanted) => {
    expect(insert(text, insertion)).toBe(wanted);
  });

  test.each<[string, JsonInsertion, string]>([
    ['{"a":[]}', { path: ['b'], value: 1 }, 'no such path'],
    ['{"a":"x"}', { path: ['a'], value: 1 }, 'a text there'],
    ['{"a":{}}', { path: ['a'], value: 1 }, 'an object where an array is wanted'],
    ['{"a":[]}', { path: ['a'], key: 'b', value: 1 }, 'an array where an object is wanted'],
    ['{"a":{"b":{}}}', { path: ['a'], key: 'b', value: {} }, 'the key is there already'],
    ['{"a":{"\\u0062":1}}', { path: ['a'], key: 'b', value: {} }, 'the key is there already, in escapes'],
    ['{"a":[],"a":[]}', { path: ['a'], value: 1 }, 'the path is there twice'],
    ['{"a":[],"a":1}', { path: ['a'], value: 1 }, 'the path is there twice, and then no array'],
    ['{"a":{"b":[]},"a":{}}', { path: ['a', 'b'], value: 1 }, 'a key on the way is there twice'],
    ['{"a":1,"a":{"b":[]}}', { path: ['a', 'b'], value: 1 }, 'a key on the way is there twice, first as a number'],
    ['[[]', { path: [0], value: 1 }, 'no JSON'],
    ['[[]]]', { path: [0], value: 1 }, 'no JSON behind the place'],
    ['', { path: [], value: 1 }, 'nothing'],
    ['[]', { path: [], value: undefined }, 'no value'],
    ['[]', { path: [], value: () => 1 }, 'a function'],
  ])('%s and %j: nothing (%s)', (text, insertion) => {
    expect(insert(text, insertion)).toBeUndefined();
  });

  test('a circular value, one too deep for V8, and a BigInt have no text', () => {
    const round: unknown[] = [];
    round.push(round);
    const deep = Array.from({ length: 200_000 }).reduce<unknown>((inner) => [inner], 0);
    for (const value of [round, deep, 1n]) expect(insert('[]', { path: [], value })).toBeUndefined();
  });

  test('at the bottom of a deep document', () => {
    const depth = 10_000;
    const path: JsonPath = Array.from({ length: depth - 1 }, () => 0);
    expect(insert('['.repeat(depth) + ']'.repeat(depth), { path, value: 'x' })).toBe(
      `${'['.repeat(depth)}"x"${']'.repeat(depth)}`,
    );
  });
});
