import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { growth, linear } from '../../../scripts/testing/work-time.ts';
import type { JsonPath } from '../types.ts';
import { peekJson } from './peek-json.ts';
import { bytesOf, documents } from './testing/documents.ts';
import { parsed, valuesOf } from './testing/reference.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

/** The scalar that a parser finds at a path. */
function scalarAt(document: unknown, path: JsonPath): unknown {
  const value = [...valuesOf(document)].find(
    (each) => each.path.map(String).join('\0') === path.map(String).join('\0') && each.path.length === path.length,
  )?.value;
  return typeof value === 'object' && value !== null ? undefined : value;
}

const peek = (text: string, ...paths: readonly JsonPath[]): readonly unknown[] => peekJson(Buffer.from(text), paths);

describe('peekJson', () => {
  test('gives what JSON.parse has at the paths, of keys that come twice too', () => {
    const key = fc.constantFrom<string | number>('a', 'b', 'A', 'content', '0', 0, 1, '', '*', '**', 'a.b');
    fc.assert(
      fc.property(documents('any'), fc.array(fc.array(key, { maxLength: 3 }), { maxLength: 6 }), (document, paths) => {
        const bytes = bytesOf(document);
        const value = parsed(bytes)?.value;
        expect(peekJson(bytes, paths)).toEqual(paths.map((path) => scalarAt(value, path)));
      }),
      { numRuns: rounds(1000) },
    );
  });

  test('gives every scalar of a document', () => {
    fc.assert(
      fc.property(documents('any'), (document) => {
        const bytes = bytesOf(document);
        const scalars = [...valuesOf(parsed(bytes)?.value)].filter(
          ({ value }) => typeof value !== 'object' || value === null,
        );
        expect(
          peekJson(
            bytes,
            scalars.map(({ path }) => path),
          ),
        ).toEqual(scalars.map(({ value }) => value));
      }),
      { numRuns: rounds(300) },
    );
  });

  test('model and stream of a request, wherever they stand', () => {
    expect(
      peek(
        '{"messages":[{"model":"x"}],"stream" : true ,"m\\u006fdel":"claude"}',
        ['model'],
        ['stream'],
        ['messages', 0, 'model'],
        ['user'],
      ),
    ).toEqual(['claude', true, 'x', undefined]);
  });

  test.each([
    ['{"model":"cheap","model":"dear"}', 'dear'],
    ['{"model":"cheap","mod\\u0065l":"dear"}', 'dear'],
    ['{"model":"cheap","model":null}', null],
    ['{"model":"cheap","model":{}}', undefined],
    ['{"model":"cheap","model":["dear"]}', undefined],
    ['{"model":"cheap","Model":"dear"}', 'cheap'],
    ['{"model":1e400}', Infinity],
    ['{"model":-0}', -0],
    ['{"model":12345678901234567890}', 12345678901234567000],
    ['{"model":"\\ud800"}', '\ud800'],
    ['{"model":{"model":"x"}}', undefined],
    ['[{"model":"x"}]', undefined],
    ['"model"', undefined],
  ])('of %s gives the model %j', (text, model) => {
    expect(peek(text, ['model'])).toEqual([model]);
  });

  test('the last of two keys on the way counts', () => {
    expect(peek('{"a":{"b":1,"c":2},"a":{"b":3}}', ['a', 'b'], ['a', 'c'])).toEqual([3, undefined]);
    expect(peek('{"a":{"b":1},"a":5}', ['a', 'b'], ['a'])).toEqual([undefined, 5]);
  });

  test('an index may be a number or a text, in arrays and objects, as in JavaScript', () => {
    expect(peek('[["a"],{"0":"b"}]', [0, 0], ['0', '0'], [1, 0], [1, '0'], [2, 0])).toEqual([
      'a',
      'a',
      'b',
      'b',
      undefined,
    ]);
  });

  test('the same path twice, the top, and no path at all', () => {
    expect(peek('{"a":1}', ['a'], ['a'])).toEqual([1, 1]);
    expect(peek('"top"', [])).toEqual(['top']);
    expect(peek('{"a":1}')).toEqual([]);
  });

  test.each(['{"model":"x"', '{"model":"x"} x', '{"model":"x",}', '{"model":"x","y":"\\x"}'])(
    '%s is no JSON: nothing is there',
    (text) => {
      expect(peek(text, ['model'], ['y'])).toEqual([undefined, undefined]);
    },
  );

  test.each(['{"x":[1,2}', '{"x":["\\"]', '{"x":["]"', '{"x":[{]}', '{"x":["a\\\\"]]}', '[{"x":"', '{"x":{'])(
    '%s has a container that does not end where it should: nothing is there',
    (text) => {
      expect(peek(`${text},"model":"x"`, ['model'])).toEqual([undefined]);
    },
  );

  test('skipped text may be anything that ends, and hides nothing behind it', () => {
    const inner = fc.array(
      fc.oneof(
        fc.constantFrom('"]"', '"\\\\"', '"\\""', '[', '{}', '"\\\\\\""', ' ', ',', 'x', ':'),
        fc.string().map((text) => JSON.stringify(text)),
      ),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(inner, fc.string(), (parts, model) => {
        const open = parts.filter((part) => part === '[').length;
        const text = `{"model":"cheap","x":[${parts.join('')}${']'.repeat(open)}],"model":${JSON.stringify(model)}}`;
        expect(peek(text, ['model'])).toEqual([model.isWellFormed() ? model : peek(JSON.stringify(model), [])[0]]);
      }),
      { numRuns: rounds(500) },
    );
  });

  test.each([
    (count: number) => '"",'.repeat(count),
    (count: number) => `"${'\\\\'.repeat(count)}"`,
    (count: number) => `"${'\\"'.repeat(count)}"`,
    (count: number) => '['.repeat(count) + ']'.repeat(count),
  ])('half a million quotes, backslashes or brackets are passed over in linear time', async (inner) => {
    expect(
      await growth((count) => expect(peek(`{"x":[${inner(count)}],"model":"m"}`, ['model'])).toEqual(['m']), 500_000),
    ).toBeLessThan(linear);
  });
});
