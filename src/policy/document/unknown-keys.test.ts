import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { policySchema } from './schema.ts';
import { unknownKeys } from './parse.ts';

const schema = v.strictObject({
  name: v.string(),
  inner: v.optional(
    v.strictObject({
      first: v.optional(v.number()),
      second: v.optional(v.array(v.strictObject({ deep: v.optional(v.string()) }))),
    }),
  ),
  open: v.optional(v.record(v.string(), v.string())),
});

describe('unknownKeys', () => {
  test('knows the keys of the schema', () => {
    expect(
      unknownKeys(schema, { name: 'x', inner: { first: 1, second: [{ deep: 'y' }] }, open: { anything: 'z' } }),
    ).toEqual([]);
  });

  test('finds every other key, at every depth, with its place', () => {
    const value = { nmae: 1, inner: { fisrt: 1, second: [{ deep: 'a' }, { deeep: 'b', other: 1 }] } };
    expect(unknownKeys(schema, value)).toEqual([
      { at: 'nmae', message: 'unknown key "nmae"', remedy: 'did you mean "name"?' },
      { at: 'inner.fisrt', message: 'unknown key "fisrt"', remedy: 'did you mean "first"?' },
      { at: 'inner.second[1].deeep', message: 'unknown key "deeep"', remedy: 'did you mean "deep"?' },
      { at: 'inner.second[1].other', message: 'unknown key "other"', remedy: 'use one of: deep' },
    ]);
  });

  test('says nothing of values of the wrong type: the schema does', () => {
    for (const value of [
      null,
      undefined,
      1,
      'x',
      [],
      { inner: 1 },
      { inner: [] },
      { inner: { second: {} } },
      { inner: { second: [1] } },
    ])
      expect(unknownKeys(schema, value)).toEqual([]);
  });

  test('keys of objects are not keys of tables', () => {
    expect(unknownKeys(schema, { toString: 1, constructor: 2, hasOwnProperty: 3 }).map(({ at }) => at)).toEqual([
      'toString',
      'constructor',
      'hasOwnProperty',
    ]);
  });

  test('reports the first of very many, and skips the rest', () => {
    const found = unknownKeys(schema, {
      inner: { second: Array.from({ length: 70 }, (_, n) => ({ deep: 'x', [`a${n}`]: 1 })) },
      ...Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`key${n}`, n])),
    });
    expect(found.map(({ at }) => at)).toEqual([
      ...Array.from({ length: 70 }, (_, n) => `inner.second[${n}].a${n}`),
      ...Array.from({ length: 30 }, (_, n) => `key${n}`),
    ]);
  });

  test('a long key is cut in the message', () => {
    expect(unknownKeys(schema, { ['k'.repeat(100_000)]: 1 })[0]?.message.length).toBeLessThan(200);
  });

  test.each([
    [{ fils: {} }, 'files'],
    [{ Files: {} }, 'files'],
    [{ enviroment: {} }, 'environment'],
    [{ limit: {} }, 'limits'],
    [{ files: { wirte: [] } }, 'write'],
    [{ files: { reads: [] } }, 'read'],
    [{ network: { host: [] } }, 'hosts'],
    [{ limits: { cputime: '' } }, 'cpu_time'],
    [{ limits: { processess: 1 } }, 'processes'],
    [{ exec: [{ comands: [] }] }, 'commands'],
    [{ file: [{ path: [] }] }, 'paths'],
    [{ file: [{ desicion: '' }] }, 'decision'],
    [{ file: [{ not_macth: [] }] }, 'not_match'],
    [{ file: [{ redirect: '' }] }, undefined],
    [{ propose: [{ resaon: '' }] }, 'reason'],
    [{ backend: { user: '' } }, 'use'],
  ])('in a policy %j means %s', (value, meant) => {
    const [finding] = unknownKeys(policySchema, value);
    if (meant === undefined) expect(finding?.remedy).toMatch(/^(?:use one of|did you mean)/);
    else expect(finding?.remedy).toBe(`did you mean "${meant}"?`);
  });
});
