import { readlinkSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import process from 'node:process';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readHookQuestion, standsWhereWeDo } from './hook-question.ts';

const word = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 20 })
  .filter((text) => text.isWellFormed() && !text.includes('\0'));
const place = fc.array(word, { minLength: 6, maxLength: 6 });
const variables = fc.dictionary(
  word.filter((name) => !name.includes('=')),
  word.map((value) => value),
  { maxKeys: 5 },
);
const written = (places: readonly string[], lines: readonly string[], text: string): Buffer =>
  Buffer.from(`${[...places, ...lines].map((line) => `${line}\0`).join('')}\0${text}`);

test('a question is read as it was written', () => {
  fc.assert(
    fc.property(
      place,
      variables,
      fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
      (places, environment, text) => {
        const read = readHookQuestion(
          written(
            places,
            Object.entries(environment).map(([name, value]) => `${name}=${value}`),
            text,
          ),
        );
        expect({ ...read.environment }).toEqual({ ...environment });
        expect([...read.place.program, ...read.place.identities, read.place.mounts]).toEqual(places);
        expect(read.text).toBe(text);
      },
    ),
  );
});

test('of two variables with one name the first counts, as in programs', () => {
  expect(
    readHookQuestion(written(['a', 'b', 'c', 'd', 'e', 'f'], ['XDG_CONFIG_HOME=/one', 'XDG_CONFIG_HOME=/other'], ''))
      .environment,
  ).toEqual({ XDG_CONFIG_HOME: '/one' });
});

test.each([
  ['nothing', Buffer.alloc(0)],
  ['an incomplete place', written(['a', 'b'], [], '{}')],
  ['a variable without a value', written(['a', 'b', 'c', 'd', 'e', 'f'], ['NAME'], '{}')],
  ['a variable without a name', written(['a', 'b', 'c', 'd', 'e', 'f'], ['=x'], '{}')],
  ['a text without an end', Buffer.from('a\0b\0c\0d\0e\0f\0A=1')],
  ['a call that is not UTF-8', Buffer.concat([written(['a', 'b', 'c', 'd', 'e', 'f'], [], ''), Buffer.from([0xff])])],
])('%s is not a question', (_what, bytes) => {
  expect(() => readHookQuestion(bytes)).toThrow(expect.objectContaining({ code: 'HF_SERVE_PROTOCOL' }));
});

describe('a client is in the same place', () => {
  const identity = (path: string): string => {
    const { dev, ino, size, mtimeNs } = statSync(path, { bigint: true });
    return `${dev}:${ino}:${size}:${mtimeNs / 1_000_000_000n}.${mtimeNs % 1_000_000_000n}`;
  };
  const [node, script] = [process.execPath, process.argv[1] ?? ''];
  const root = statSync('/', { bigint: true });
  const ours = {
    place: {
      program: [node, script],
      identities: [identity(node), identity(script), `${root.dev}:${root.ino}`],
      mounts: readlinkSync('/proc/self/ns/mnt'),
    },
    environment: { HOME: homedir() },
  } as const;
  const at = (change: Partial<typeof ours.place>): boolean =>
    standsWhereWeDo({ ...ours, place: { ...ours.place, ...change } });
  const [nodeId, scriptId, rootId] = ours.place.identities;

  test('with the same Node, program, root, mounts and home, and not if one of them differs', () => {
    expect(at({})).toBe(true);
    expect(at({ identities: [scriptId, scriptId, rootId] })).toBe(false);
    expect(at({ identities: [nodeId, nodeId, rootId] })).toBe(false);
    expect(at({ identities: [nodeId, scriptId, '0:0'] })).toBe(false);
    expect(at({ mounts: 'mnt:[1]' })).toBe(false);
    expect(standsWhereWeDo({ ...ours, environment: { HOME: `${homedir()}/` } })).toBe(false);
    expect(standsWhereWeDo({ ...ours, environment: {} })).toBe(false);
  });
});
