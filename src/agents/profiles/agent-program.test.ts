import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchDirectory } from '../../place/testing/scratch.ts';
import type { BoxAccess } from './agent-links.ts';
import { findAgentProgram } from './agent-program.ts';

/** A home with an agent's package. `write` creates a file and its parent directories. */
function scene() {
  const home = join(scratchDirectory(), 'home');
  const workspace = join(home, 'ws');
  const write = (path: string, text: string) => {
    const file = join(home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    chmodSync(file, 0o755);
    return file;
  };
  const link = (path: string, target: string) => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    symlinkSync(target, join(home, path));
  };
  const access = (path: string): BoxAccess =>
    path.startsWith(`${workspace}/`) ? 'writable' : path.startsWith(`${home}/shown/`) ? 'shown' : 'hidden';
  const find = (directory: string, other: (path: string) => BoxAccess | undefined = () => undefined) =>
    findAgentProgram('claude', {
      home,
      path: `relative::${join(home, directory)}`,
      access: (path) => other(path) ?? access(path),
    });
  write(
    'tools/node_modules/@a/claude/package.json',
    '{"name": "@a/claude", "dependencies": {"dep": "1", "none": "1"}}',
  );
  write('tools/node_modules/@a/claude/dist/package.json', '{"type": "module"}');
  write('tools/node_modules/@a/claude/dist/cli.js', '#!/usr/bin/env node\n');
  write('tools/node_modules/dep/package.json', '{"name": "dep", "optionalDependencies": {"@b/deep": "1"}}');
  write('tools/node_modules/@b/deep/package.json', '{"name": "@b/deep"}');
  write('tools/node_modules/other/package.json', '{"name": "other"}');
  write('tools/package.json', '{"name": "tools"}');
  link('tools/node_modules/.bin/claude', '../@a/claude/dist/cli.js');
  return { home, workspace, write, link, find };
}

const bin = 'tools/node_modules/.bin';
const missing = (message: RegExp) =>
  expect.objectContaining({ code: 'HF_COMMAND_NOT_FOUND', message: expect.stringMatching(message) as string });

describe('a program that the box does not show', () => {
  test('has its package shown, and each that it depends on, and none beside or above', () => {
    const { home, find } = scene();
    const modules = join(home, 'tools/node_modules');
    expect(find(bin)).toEqual({
      command: `${modules}/@a/claude/dist/cli.js`,
      read: [`${modules}/@a/claude`, `${modules}/dep`, `${modules}/@b/deep`],
    });
  });

  test('has those shown that a package inside another one depends on', () => {
    const { home, write, find } = scene();
    const modules = join(home, 'tools/node_modules');
    write('tools/node_modules/dep/node_modules/in/package.json', '{"name": "in", "dependencies": {"other": "1"}}');
    write('tools/node_modules/dep/package.json', '{"name": "dep", "dependencies": {"in": "1"}}');
    expect(find(bin).read).toEqual([`${modules}/@a/claude`, `${modules}/dep`, `${modules}/other`]);
  });

  test('has the places of links shown where packages depend on each other through links', () => {
    const { home, link, write, find } = scene();
    const store = 'p/node_modules/.pnpm';
    write(`${store}/claude/node_modules/claude/package.json`, '{"name": "claude", "dependencies": {"dep": "1"}}');
    write(`${store}/claude/node_modules/claude/cli.js`, '#!/usr/bin/env node\n');
    write(`${store}/dep/node_modules/dep/package.json`, '{"name": "dep"}');
    link(`${store}/claude/node_modules/dep`, '../../dep/node_modules/dep');
    link('p/bin/claude', '../node_modules/.pnpm/claude/node_modules/claude/cli.js');
    expect(find('p/bin').read).toEqual(
      ['claude/node_modules/claude', 'dep/node_modules/dep', 'claude/node_modules/dep'].map((path) =>
        join(home, store, path),
      ),
    );
  });

  test('has the whole directory shown that npm made for it alone', () => {
    const { home, write, find } = scene();
    const modules = join(home, 'tools/node_modules');
    const list = (more: object = {}, dep: object = { optionalDependencies: { '@b/deep': '1' } }) =>
      write(
        'tools/node_modules/.package-lock.json',
        JSON.stringify({
          packages: {
            'node_modules/@a/claude': { dependencies: { dep: '1' } },
            'node_modules/dep': dep,
            'node_modules/@b/deep': {},
            ...more,
          },
        }),
      );
    const apart = [`${modules}/@a/claude`, `${modules}/dep`, `${modules}/@b/deep`];
    list({ 'node_modules/other': {} });
    expect(find(bin).read).toEqual(apart);
    rmSync(join(modules, 'other'), { recursive: true });
    expect(find(bin).read).toEqual([modules]);
    // A package inside another one may need a package above it.
    write('tools/node_modules/other/package.json', '{"name": "other"}');
    list({ 'node_modules/dep/node_modules/in': { peerDependencies: { other: '1' } } }, { dependencies: { in: '1' } });
    expect(find(bin).read).toEqual(apart);
    list(
      { 'node_modules/dep/node_modules/in': { peerDependencies: { other: '1' } } },
      { dependencies: { in: '1', '@b/deep': '1' } },
    );
    expect(find(bin).read).toEqual([modules]);
  });

  test.each<[string, (made: ReturnType<typeof scene>) => void]>([
    ['a link', ({ link }) => link('tools/node_modules/dep2', '../../private')],
    ['a link in a scope', ({ link }) => link('tools/node_modules/@b/dep2', '../../../private')],
    ['a file', ({ write }) => write('tools/node_modules/notes', '')],
    ['a cache', ({ write }) => write('tools/node_modules/.cache/x', '')],
    [
      'a login of a registry in its list',
      ({ write }) =>
        write(
          'tools/node_modules/.package-lock.json',
          '{"packages": {"node_modules/@a/claude": {"resolved": "https://me:token@registry.example/claude.tgz"}}}',
        ),
    ],
    [
      'a list that is longer than any',
      ({ write }) =>
        write(
          'tools/node_modules/.package-lock.json',
          `{"packages": {"node_modules/@a/claude": {}}}${' '.repeat(16 << 20)}`,
        ),
    ],
    ['a broken list', ({ write }) => write('tools/node_modules/.package-lock.json', '{')],
  ])('has its packages shown one by one beside %s', (_, change) => {
    const made = scene();
    const modules = join(made.home, 'tools/node_modules');
    made.write('tools/node_modules/@a/claude/package.json', '{"name": "@a/claude"}');
    for (const name of ['dep', '@b/deep', 'other']) rmSync(join(modules, name), { recursive: true });
    made.write('tools/node_modules/.package-lock.json', '{"packages": {"node_modules/@a/claude": {}}}');
    mkdirSync(join(made.home, 'private'));
    rmSync(join(modules, '@b'), { recursive: true });
    expect(made.find(bin).read).toEqual([modules]);
    change(made);
    expect(made.find(bin).read).toEqual([`${modules}/@a/claude`]);
  });

  test('in one file has that file shown', () => {
    const { home, link, write, find } = scene();
    write('versions/2.0', '\u007FELF and more');
    link('n/claude', '../versions/2.0');
    expect(find('n')).toEqual({ command: join(home, 'versions/2.0'), read: [join(home, 'versions/2.0')] });
  });

  test('in one file of an npm package has the package shown', () => {
    const { home, link, write, find } = scene();
    write('c/node_modules/@o/codex/package.json', '{"name": "@o/codex"}');
    write('c/node_modules/@o/codex/vendor/bin/codex', '\u007FELF and more');
    link('c/bin/claude', '../node_modules/@o/codex/vendor/bin/codex');
    expect(find('c/bin').read).toEqual([join(home, 'c/node_modules/@o/codex')]);
  });

  test('without a package is refused', () => {
    const { write, find } = scene();
    write('loose/claude', '#!/bin/sh\n');
    expect(() => find('loose')).toThrow(missing(/boxes do not see claude: it is in .*\/loose, and no package\.json/u));
  });
});

describe('never shown', () => {
  test('is the home, where that is a package', () => {
    const { write, find } = scene();
    write('package.json', '{"name": "home"}');
    write('loose/claude', '#!/bin/sh\n');
    expect(() => find('loose')).toThrow(missing(/holds the home directory/u));
  });

  test('is a directory with credentials in it', () => {
    const { home, write, find } = scene();
    write('.config/package.json', '{"name": "config"}');
    write('.config/loose/claude', '#!/bin/sh\n');
    expect(() => find('.config/loose')).toThrow(missing(new RegExp(`credentials: ${home}/\\.config/`, 'u')));
    write('.ssh/package.json', '{"name": "ssh"}');
    write('.ssh/bin/claude', '#!/bin/sh\n');
    expect(() => find('.ssh/bin')).toThrow(missing(/credentials/u));
  });

  test('a dependency’s link, in the same ways', () => {
    const { link, write, find } = scene();
    write('tools/node_modules/@a/claude/package.json', '{"name": "@a/claude", "dependencies": {"wide": "1"}}');
    write('package.json', '{"name": "home"}');
    link('tools/node_modules/wide', '../..');
    expect(() => find(bin)).toThrow(missing(/holds the home directory/u));
  });

  test('a dependency with a path for a name', () => {
    const { home, write, find } = scene();
    write(
      'tools/node_modules/@a/claude/package.json',
      '{"name": "@a/claude", "dependencies": {"..": "1", "../other": "1", "@a/../other": "1", ".bin": "1"}}',
    );
    expect(find(bin).read).toEqual([join(home, 'tools/node_modules/@a/claude')]);
  });

  test.each([
    { path: 'ws/bin/claude', target: '../../tools/node_modules/@a/claude/dist/cli.js' },
    { path: 'ws/bin', target: '../tools/node_modules/.bin' },
  ])('a target of the workspace’s link $path', ({ path, target }) => {
    const { link, find } = scene();
    link(path, target);
    expect(() => find('ws/bin')).toThrow(missing(new RegExp(`found through .*/${path}, which boxes can write`, 'u')));
  });

  test('a target of an outside link through an inside one', () => {
    const { link, find } = scene();
    link('ws/inner', '../tools/node_modules/.bin');
    link('outer', 'ws/inner');
    expect(() => find('outer')).toThrow(missing(/found through .*\/ws\/inner, which boxes can write/u));
  });

  test('a dependency’s target in the workspace', () => {
    const { link, write, find } = scene();
    write('private/package.json', '{"name": "private"}');
    link('ws/dep', '../private');
    write('tools/node_modules/@a/claude/package.json', '{"name": "@a/claude", "dependencies": {"linked": "1"}}');
    link('tools/node_modules/linked', '../../ws/dep');
    expect(() => find(bin)).toThrow(missing(/found through .*\/ws\/dep, which boxes can write/u));
  });

  test('a path that the policy refuses', () => {
    const { find } = scene();
    expect(() => find(bin, () => 'refused')).toThrow(missing(/which the policy refuses/u));
  });
});

test('a program that the box shows is left to its name', () => {
  const { write, find } = scene();
  write('shown/bin/claude', '#!/bin/sh\n');
  write('ws/bin/claude', '#!/bin/sh\n');
  for (const directory of ['shown/bin', 'ws/bin']) expect(find(directory)).toEqual({ command: 'claude', read: [] });
});

test('one whose link alone is hidden is started by its file', () => {
  const { home, write, link, find } = scene();
  write('shown/claude.js', '#!/bin/sh\n');
  link('hidden/claude', '../shown/claude.js');
  expect(find('hidden')).toEqual({ command: join(home, 'shown/claude.js'), read: [] });
});

test('no program is said so', () => {
  expect(() => scene().find('empty')).toThrow(missing(/claude is not installed: no directory of your PATH has it/u));
});
