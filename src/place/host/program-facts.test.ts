import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findPrograms, holdsPrograms } from './program-facts.ts';

function directories() {
  const root = mkdtempSync('/var/tmp/holdfast-programs-');
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [one, two, elsewhere] = ['one', 'two', 'elsewhere'].map((name) => join(root, name)) as [string, string, string];
  for (const directory of [one, two, elsewhere]) mkdirSync(directory);
  writeFileSync(join(one, 'fetcher'), 'x', { mode: 0o755 });
  return { root, one, two, elsewhere, path: `${one}:${two}` };
}

describe('findPrograms', () => {
  test('finds a program in every directory of PATH', () => {
    const { one, two, path } = directories();
    writeFileSync(join(two, 'fetcher'), 'y', { mode: 0o755 });
    expect(findPrograms(['fetcher'], path).facts.map(({ real }) => real)).toEqual([
      join(one, 'fetcher'),
      join(two, 'fetcher'),
    ]);
  });

  test('knows the file by its inode', () => {
    const { one, path } = directories();
    const { dev, ino } = statSync(join(one, 'fetcher'), { bigint: true });
    expect(findPrograms(['fetcher'], path).facts).toEqual([
      {
        program: 'fetcher',
        real: join(one, 'fetcher'),
        identity: { device: String(dev), inode: String(ino), type: 'file' },
        names: [join(one, 'fetcher')],
        hardLinks: [],
      },
    ]);
  });

  test('finds its other names, links and hard links apart', () => {
    const { one, two, elsewhere, path } = directories();
    linkSync(join(one, 'fetcher'), join(two, 'fetcher5'));
    symlinkSync(join(one, 'fetcher'), join(elsewhere, 'alternative'));
    symlinkSync(join(elsewhere, 'alternative'), join(two, 'get'));
    const [fact] = findPrograms(['get'], path).facts;
    expect(fact).toMatchObject({ program: 'get', real: join(one, 'fetcher'), hardLinks: [join(two, 'fetcher5')] });
    expect(fact?.names.toSorted()).toEqual([join(one, 'fetcher'), join(two, 'fetcher5'), join(two, 'get')]);
  });

  test('takes a path as it is', () => {
    const { one, elsewhere } = directories();
    renameSync(join(one, 'fetcher'), join(elsewhere, 'fetcher'));
    expect(findPrograms([join(elsewhere, 'fetcher')], '').facts).toMatchObject([{ real: join(elsewhere, 'fetcher') }]);
  });

  test.each(['one', '.', ''])('looks in no relative entry: %j', (entry) => {
    directories();
    expect(findPrograms(['fetcher'], entry).facts).toEqual([]);
  });

  test('finds what every system has, whatever PATH says', () => {
    expect(findPrograms(['sh'], '').facts.length).toBeGreaterThan(0);
  });

  test.each([['nothing-like-this'], ['elsewhere']])('%s is not a program', (name) => {
    const { root } = directories();
    expect(findPrograms([name], root).facts).toEqual([]);
  });
});

describe('findings hold', () => {
  type Change = (at: ReturnType<typeof directories>) => string | undefined;

  test.each<[string, Change, boolean]>([
    ['as long as nothing happens', () => undefined, true],
    ['when something happens elsewhere', ({ elsewhere }) => (writeFileSync(join(elsewhere, 'x'), ''), undefined), true],
    ['not under another PATH', ({ one }) => one, false],
    ['not with a new name', ({ one, two }) => (linkSync(join(one, 'fetcher'), join(two, 'x')), undefined), false],
    ['not with a new program', ({ two }) => (writeFileSync(join(two, 'fetcher'), ''), undefined), false],
    ['not when it is gone', ({ one }) => (unlinkSync(join(one, 'fetcher')), undefined), false],
    [
      'not in another directory of the same name',
      ({ two }) => (rmSync(two, { recursive: true }), mkdirSync(two), writeFileSync(join(two, 'x'), ''), undefined),
      false,
    ],
  ])('%s', (_, change, holds) => {
    const at = directories();
    const { stamp } = findPrograms(['fetcher'], at.path);
    expect(holdsPrograms(stamp, change(at) ?? at.path)).toBe(holds);
  });

  test('where a link leads another way', () => {
    const at = directories();
    writeFileSync(join(at.elsewhere, 'other'), 'y', { mode: 0o755 });
    symlinkSync(join(at.one, 'fetcher'), join(at.elsewhere, 'alternative'));
    symlinkSync(join(at.elsewhere, 'alternative'), join(at.two, 'get'));
    const { stamp } = findPrograms(['get'], at.path);
    unlinkSync(join(at.elsewhere, 'alternative'));
    symlinkSync(join(at.elsewhere, 'other'), join(at.elsewhere, 'alternative'));
    expect(holdsPrograms(stamp, at.path)).toBe(false);
  });

  test('not where a program that is named by its path comes, or its directory does', () => {
    const { root, elsewhere, path } = directories();
    const { stamp } = findPrograms([join(elsewhere, 'tool')], path);
    const { stamp: deeper } = findPrograms([join(root, 'later/tool')], path);
    expect([stamp, deeper].map((each) => holdsPrograms(each, path))).toEqual([true, true]);
    writeFileSync(join(elsewhere, 'tool'), 'x', { mode: 0o755 });
    mkdirSync(join(root, 'later'));
    expect([stamp, deeper].map((each) => holdsPrograms(each, path))).toEqual([false, false]);
  });

  test('for ever where nothing was looked for', () => {
    expect(holdsPrograms(findPrograms([], '/usr/bin').stamp, '/other')).toBe(true);
  });
});
