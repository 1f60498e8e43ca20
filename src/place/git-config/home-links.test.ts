import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { homeLinks } from './home-links.ts';

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'home-links-')));
  mkdirSync(join(home, 'dotfiles/fish'), { recursive: true });
  mkdirSync(join(home, '.config/nvim'), { recursive: true });
  for (const name of ['bashrc', 'fish/config.fish', 'init.lua']) writeFileSync(join(home, 'dotfiles', name), '');
});
afterEach(() => {
  rmSync(home, { recursive: true });
});

test('settings that are links, or lie in a directory that is one, or are links in a directory of settings', () => {
  symlinkSync('dotfiles/bashrc', join(home, '.bashrc'));
  symlinkSync('dotfiles/bashrc', join(home, '.unknown'));
  symlinkSync(join(home, 'dotfiles/fish'), join(home, '.config/fish'));
  symlinkSync(join(home, 'dotfiles/init.lua'), join(home, '.config/nvim/init.lua'));
  writeFileSync(join(home, '.profile'), '');
  const { linked, seen } = homeLinks(home);
  expect(linked.toSorted()).toEqual(
    ['.bashrc', '.config/fish', '.config/nvim/init.lua'].map((name) => join(home, name)),
  );
  expect(seen).toContain(join(home, '.profile'));
});

test('places in which a setting may become a link', () => {
  expect(homeLinks(home).places).toEqual(
    expect.arrayContaining(['', '.config', '.config/nvim'].map((name) => join(home, name))),
  );
});

test('a home without links', () => {
  expect(homeLinks(home).linked).toEqual([]);
  expect(homeLinks(join(home, 'none'))).toMatchObject({ linked: [], seen: [] });
});
