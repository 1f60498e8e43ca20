import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unwrapChunk, wrapChunk } from './chunk.ts';
import { rounds } from '../../../../scripts/testing/extent.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const unwrap = (payload: string): string | undefined => unwrapChunk(Buffer.from(payload, 'latin1'))?.toString();

describe('the event in a chunk', () => {
  test.each([
    ['alone', `{"bytes":"${base64('{"a":1}')}"}`, '{"a":1}'],
    ['with padding beside it', `{"bytes":"${base64('é')}","p":"abcdefg"}`, 'é'],
    [
      'behind other members',
      `{"p":"bytes","q":{"bytes":"x"},"r":["bytes",":","{"],\t"bytes" : "${base64('a')}" }`,
      'a',
    ],
    ['with its name in escapes', `{"b\\u0079tes":"${base64('a')}"}`, 'a'],
    ['in escapes', '{"bytes":"Pz8\\/"}', '???'],
    ['of nothing', '{"bytes":""}', ''],
  ])('%s', (_, payload, inner) => {
    expect(unwrap(payload)).toBe(inner);
  });

  test.each([
    ['no JSON', '{"bytes":"YQ=="'],
    ['no object', '"bytes"'],
    ['null', 'null'],
    ['an array', '["bytes","YQ=="]'],
    ['no such member', '{"byte":"YQ=="}'],
    ['a member of another object', '{"a":{"bytes":"YQ=="}}'],
    ['what only __proto__ has', '{"__proto__":{"bytes":"YQ=="}}'],
    ['no string', '{"bytes":1}'],
    ['two of them', '{"bytes":"YQ==","bytes":"Yg=="}'],
    ['two of them, one in escapes', '{"bytes":"YQ==","byte\\u0073":"Yg=="}'],
    ['two of them, one no string', '{"bytes":{"a":"b"},"bytes":"Yg=="}'],
    ['no base64', '{"bytes":"YQ=!"}'],
    ['base64 without its end', '{"bytes":"YQ"}'],
    ['base64 with bits left over', '{"bytes":"YR=="}'],
    ['base64 of URLs', '{"bytes":"_-8="}'],
    ['base64 with spaces', '{"bytes":"YQ ==" }'],
    ['no UTF-8', '{"bytes":"YQ==","p":"\xff"}'],
  ])('is not read from %s', (_, payload) => {
    expect(unwrap(payload)).toBeUndefined();
  });

  test('is not read from 100,000 brackets, nor from octets', () => {
    expect(unwrap(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)).toBeUndefined();
    expect(unwrap(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)},"bytes":"YQ=="}`)).toBe('a');
    fc.assert(fc.property(fc.uint8Array(), (octets) => unwrapChunk(Buffer.from(octets)) === undefined));
  });

  test('is found in linear time among escapes', () => {
    expect(unwrap(`{"p":"${'\\\\\\"'.repeat(500_000)}","bytes":"YQ=="}`)).toBe('a');
  });
});

describe('a chunk that is written again', () => {
  const octets = fc.uint8Array({ maxLength: 30 }).map((each) => Buffer.from(each));

  test('carries the new event, with its other octets as they were', () => {
    const member = fc
      .tuple(fc.string({ unit: 'grapheme', maxLength: 6 }), fc.jsonValue({ maxDepth: 2 }))
      .map(([name, value]) => `${JSON.stringify(`${name}_`)}: ${JSON.stringify(value, undefined, 1)}`);
    const members = fc.array(member, { maxLength: 3 });
    const space = fc.constantFrom('', ' ', '\n\t');
    fc.assert(
      fc.property(fc.tuple(members, members), space, fc.tuple(octets, octets), ([ahead, behind], gap, [old, inner]) => {
        const written = (event: Buffer): string =>
          `{${[...ahead, `"bytes"${gap}:${gap}"${event.toString('base64')}"${gap}`, ...behind].join(',')}}`;
        const like = Buffer.from(written(old));
        expect(unwrapChunk(like)).toEqual(old);
        expect(wrapChunk(inner, like).toString()).toBe(written(inner));
      }),
      { numRuns: rounds(1000) },
    );
  });

  test.each([
    ['{ "p":"é😀", "bytes":\n"YQ==" , "n":1.0e400}', '{ "p":"é😀", "bytes":\n"Yg==" , "n":1.0e400}'],
    ['{"bytes":"Pz8\\/","p":"\\u0061"}', '{"bytes":"Yg==","p":"\\u0061"}'],
    ['not a chunk', '{"bytes":"Yg=="}'],
    ['{"bytes":"YQ==","bytes":"YQ=="}', '{"bytes":"Yg=="}'],
  ])('%j', (like, made) => {
    expect(wrapChunk(Buffer.from('b'), Buffer.from(like)).toString()).toBe(made);
  });
});
