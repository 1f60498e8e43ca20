import { describe, expect, test } from 'vitest';
import { indexedFacts } from '../../audit/index-db/facts.ts';
import { matchesFilter } from '../../audit/index-db/filter.ts';
import { filterOf, limitOf } from './input.ts';

const now = Date.UTC(2026, 0, 31, 12);
const io = { cwd: '/home/dev/app', environment: {}, stdout: { write: () => true }, stderr: { write: () => true } };
const filter = (values: Readonly<Record<string, string | readonly string[]>>): ReturnType<typeof filterOf> =>
  filterOf({ values, io }, now);
const usage = expect.objectContaining({ code: 'HF_USAGE', remedy: expect.stringMatching(/\S/u) });

describe('a time', () => {
  test.each([
    ['2h', Date.UTC(2026, 0, 31, 10)],
    ['2 h', Date.UTC(2026, 0, 31, 10)],
    ['7d', Date.UTC(2026, 0, 24, 12)],
    ['90s', Date.UTC(2026, 0, 31, 11, 58, 30)],
    ['2026-01-30', Date.UTC(2026, 0, 30)],
    ['2026-01-30T01:02', Date.UTC(2026, 0, 30, 1, 2)],
    ['2026-01-30 01:02:03', Date.UTC(2026, 0, 30, 1, 2, 3)],
    ['2026-01-30T01:02:03.456Z', Date.UTC(2026, 0, 30, 1, 2, 3, 456)],
    ['2026-01-30T01:02+02:00', Date.UTC(2026, 0, 29, 23, 2)],
  ])('%s', (text, time) => {
    expect(filter({ since: text, until: text })).toMatchObject({ since: time, until: time });
  });

  test.each([
    '',
    'yesterday',
    '2026',
    '2026-13-01',
    '2026-01-32',
    '2026-01-30T25:00',
    '12:00',
    '-2h',
    '2 hours',
    '1e3',
    '2026-01-30T01:02+99:99',
    "2026-01-01'",
  ])('%j is refused', (text) => {
    expect(() => filter({ since: text })).toThrow(usage);
  });
});

test.each([
  [{ host: 'API.Example.COM.' }, { host: { kind: 'exact', host: 'api.example.com' } }],
  [{ host: '*.example.com' }, { host: { kind: 'below', suffix: 'example.com' } }],
  [{ host: '[::1]' }, { host: { kind: 'exact', host: '::1' } }],
  [
    { session: 'abc', type: ['refusal', 'alarm'], decision: ['deny'] },
    { session: 'abc', types: ['refusal', 'alarm'], decisions: ['deny'] },
  ],
  [
    { text: 'a "b c"' },
    {
      words: [
        { words: ['a'], end: 'whole' },
        { words: ['b', 'c'], end: 'whole' },
      ],
    },
  ],
  [{}, {}],
])('%j', (values, expected) => {
  expect(filter(values)).toEqual(expected);
});

test.each([
  { host: '' },
  { host: '*.' },
  { host: 'a b' },
  { host: '*' },
  { host: 'https://x' },
  { path: '' },
  { path: '../x' },
  { path: '/a{b,c}' },
  { text: '' },
  { text: '--' },
  { text: '"x' },
])('%j is refused, and the error names the right form', (values) => {
  expect(() => filter(values)).toThrow(usage);
});

test.each([
  ['src', '/home/dev/app/src/a.ts', true],
  ['src', '/home/dev/app/srcs', false],
  ['/etc', '/etc/shadow', true],
  ['**/.env', '/srv/x/.env', true],
  ['/etc/*.conf', '/etc/a.conf', true],
  ['/etc/*.conf', '/etc/x/a.conf', false],
])('--path %s of %s: %s', (pattern, path, expected) => {
  expect(matchesFilter(filter({ path: pattern }), indexedFacts({ path }))).toBe(expected);
});

test.each(['0', '-1', '1.5', 'x', '', '100001', '1e9'])('--limit %s is refused', (limit) => {
  expect(() => limitOf({ values: { limit } }, 10)).toThrow(usage);
});

test('a limit has a default', () => {
  expect([limitOf({ values: {} }, 10), limitOf({ values: { limit: '3' } }, 10)]).toEqual([10, 3]);
});
