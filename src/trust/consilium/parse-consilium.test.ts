import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseConsilium } from './parse-consilium.ts';

const entry = { path: '/home/dev/app', trustedAt: 1_700_000_000_000, level: 'always' };
const parse = (value: unknown): unknown => parseConsilium(JSON.stringify(value), 'trust.json');

describe('a trust file of Consilium', () => {
  test('is read as its program writes it', () => {
    expect(parse({ version: 1, entries: [entry, { ...entry, level: 'session' }] })).toEqual([
      entry,
      { ...entry, level: 'session' },
    ]);
  });

  test('is read as its documentation shows it', () => {
    expect(
      parse({ workspaces: [{ path: '/home/dev/app', level: 'session', trustedAt: '2023-11-14T22:13:20.000Z' }] }),
    ).toEqual([{ ...entry, level: 'session' }]);
  });

  test('may be empty', () => {
    expect(parse({ version: 1, entries: [] })).toEqual([]);
  });

  test.each<readonly [string, unknown, RegExp]>([
    ['null', null, /not an object/u],
    ['a list', [entry], /not an object/u],
    ['a newer version', { version: 2, entries: [entry] }, /its version is 2/u],
    ['no list', { version: 1, entries: { 0: entry } }, /no list/u],
    ['nothing', {}, /no list/u],
    ['a relative path', { entries: [{ ...entry, path: 'app' }] }, /entries\[0\]/u],
    ['a path with a NUL', { entries: [{ ...entry, path: '/a\0b' }] }, /entries\[0\]/u],
    ['another level', { entries: [entry, { ...entry, level: 'all' }] }, /entries\[1\]/u],
    ['no time', { workspaces: [{ ...entry, trustedAt: undefined }] }, /workspaces\[0\]/u],
    ['an invalid time', { workspaces: [{ ...entry, trustedAt: 'then' }] }, /workspaces\[0\]/u],
    ['an impossible time', { entries: [{ ...entry, trustedAt: 1e300 }] }, /entries\[0\]/u],
    ['a null for a row', { entries: [null] }, /entries\[0\]/u],
  ])('that holds %s is refused as a whole', (_name, value, message) => {
    expect(() => parse(value)).toThrow(
      expect.objectContaining({ code: 'HF_TRUST_INVALID', message: expect.stringMatching(message) as unknown }),
    );
  });

  test.each(['', '{', '// mine\n{}', `{"entries": [${JSON.stringify(entry)}`])(
    'that is not JSON is refused: %j',
    (text) => {
      expect(() => parseConsilium(text, 'trust.json')).toThrow(/is not JSON/u);
    },
  );

  test('law: any value gives directories, or a refusal of Holdfast', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          fc.record({ entries: fc.array(fc.jsonValue()) }),
          fc.record({
            workspaces: fc.array(
              fc.record({ path: fc.constant('/a'), level: fc.constant('always'), trustedAt: fc.jsonValue() }),
            ),
          }),
        ),
        (value) => {
          try {
            expect(parse(value)).toEqual(expect.any(Array));
          } catch (error) {
            expect(error).toMatchObject({ code: 'HF_TRUST_INVALID' });
          }
        },
      ),
    );
  });
});
