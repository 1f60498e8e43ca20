import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { growth, linear } from '../../scripts/testing/work-time.ts';
import { dangerousSetting } from '../aftermath/quarantine/git-config.ts';
import { parseGitConfig } from './parse.ts';
import { rounds } from '../../scripts/testing/extent.ts';

const settings = (text: string): readonly (readonly [string, string | undefined])[] =>
  parseGitConfig(text).settings.map(({ key, value }) => [key, value]);

describe('parseGitConfig', () => {
  test.each([
    ['[core]\n\thooksPath = tools/hooks\n', [['core.hookspath', 'tools/hooks']]],
    ['[core] hooksPath=x', [['core.hookspath', 'x']]],
    ['\uFEFF[a]\r\nb = c\r\n', [['a.b', 'c']]],
    ['[Filter "L F\\"S"]\nclean = a  b \t # not this\n', [['filter.L F"S.clean', 'a  b']]],
    ['[Branch.Main]\nX', [['branch.main.x', undefined]]],
    [
      '[a]\nb = "x # y" z ; c\nd = "\\t\\"\\\\"',
      [
        ['a.b', 'x # y z'],
        ['a.d', '\t"\\'],
      ],
    ],
    ['[a]\nb = one \\\n  two\n', [['a.b', 'one   two']]],
    ['[a]\nb = \\', [['a.b', '']]],
    [
      '[a]\nb =\nc = ""\nd = "  x  "  \n',
      [
        ['a.b', ''],
        ['a.c', ''],
        ['a.d', '  x  '],
      ],
    ],
  ] as const)('%j', (text, expected) => {
    expect(settings(text)).toEqual(expected);
    expect(parseGitConfig(text).malformed).toBeUndefined();
  });

  test.each([
    'x = y\n',
    '[a\nb = c',
    '[a "b\n"]\nc',
    '[a "b" ]\nc',
    '[a]\nb c\n',
    '[a]\nb = \\x\n',
    '[a]\nb = "c\n',
    '[a]\n= b\n',
    '[]\na = b',
    '[a_b]\nc = d',
  ])('git gives up at %j', (text) => {
    expect(parseGitConfig(text).malformed).toBeDefined();
  });

  test.each(['[', '[a "', '"', '\\', '\\\n', 'a = \\\n', '[a]\nb = "', ' ', '#', '[a]b ', '\r', '[a "\\'])(
    '%j over and over is read in linear time',
    async (part) => {
      expect(await growth((size) => parseGitConfig(part.repeat(size / part.length)), 1 << 20)).toBeLessThan(linear);
    },
  );

  test('any text is read', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) =>
        Array.isArray(parseGitConfig(text).settings),
      ),
    );
  });
});

const piece = fc.constantFrom(
  '[core]',
  '[a "B c"]',
  '[a "x\\"y\\\\"]',
  '[A.B]',
  'key',
  'hooksPath',
  ' ',
  '\t',
  '=',
  '\n',
  '\n',
  '"',
  '\\n',
  '\\',
  '\\\n',
  '#',
  ';',
  'x',
  'é',
  '/',
  '~',
  '-',
  '\r\n',
  '\r',
  '1',
  '[',
  ']',
  '.',
);
const textOf = fc.array(piece, { maxLength: 24 }).map((parts) => `[core]\nfirst = 1\n${parts.join('')}`);

/** Before 2.45 git made every unquoted space inside a value a blank; since then it keeps it. */
const spaced = (value: string): string => value.replaceAll(/[\t\r]/gu, ' ');
const spacedValue = (setting: string): string => setting.replace(/(?<=\n).*/su, spaced);

describe('beside git itself', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'git-config-'));
  });
  afterAll(() => {
    rmSync(directory, { recursive: true });
  });

  test('the same settings, or none', { timeout: 60_000 }, () => {
    const file = join(directory, 'config');
    fc.assert(
      fc.property(textOf, (text) => {
        writeFileSync(file, text);
        const { status, stdout } = spawnSync('git', ['config', '--list', '--null', '--no-includes', '--file', file], {
          encoding: 'utf8',
          env: { PATH: process.env['PATH'], GIT_CONFIG_NOSYSTEM: '1' },
        });
        const { settings: found, malformed } = parseGitConfig(text);
        expect(malformed === undefined).toBe(status === 0);
        if (status !== 0) return;
        expect(found.map(({ key, value }) => (value === undefined ? key : `${key}\n${spaced(value)}`))).toEqual(
          stdout.split('\0').slice(0, -1).map(spacedValue),
        );
      }),
      { numRuns: rounds(400) },
    );
  });
});

test('what the quarantine takes for harmless holds no other setting than it saw', () => {
  const harmless = fc
    .array(
      fc.oneof(
        piece,
        fc.constantFrom('\tbare = true\n', '[remote "o"]\n', 'url = https://x/y\n', '[user]\n', 'name = x\n'),
      ),
      { maxLength: 16 },
    )
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(harmless, (text) => {
      if (dangerousSetting(text, () => true) !== undefined) return;
      for (const { key } of parseGitConfig(text).settings)
        expect(key).toMatch(/^(?:core\.bare|remote\..*\.url|user\.name)$/su);
    }),
    { numRuns: rounds(3000) },
  );
});
