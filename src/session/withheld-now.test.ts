import { chmodSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { plant, scratchDirectory } from '../place/testing/scratch.ts';
import { withheldAtRoot } from './withheld-now.ts';

const names = [
  ['.mcp.json'],
  ['claude.md'],
  ['.claude'],
  ['.github', 'prompts'],
  ['.config', 'mise.toml'],
  ['*.prompttemplate'],
  ['.roorules*'],
];

function planted(tree: Readonly<Record<string, string>>): string {
  const root = scratchDirectory();
  plant(root, tree);
  return root;
}

function seen(tree: Readonly<Record<string, string>>): readonly string[] {
  return withheldAtRoot(planted(tree), names);
}

test('names entries at the top, in their spelling and order', () => {
  expect(seen({ '.mcp.json': '', 'CLAUDE.md': '', '.Claude/x': '', 'README.md': '', 'src/CLAUDE.md': '' })).toEqual([
    '.Claude',
    '.mcp.json',
    'CLAUDE.md',
  ]);
});

test('looks one below where a name says so', () => {
  expect(
    seen({ '.github/prompts/a': '', '.github/workflows/ci.yml': '', '.config/mise.toml': '', '.config/other': '' }),
  ).toEqual(['.config/mise.toml', '.github/prompts']);
});

test('knows wildcards, and that dots are literal', () => {
  expect(seen({ 'a.prompttemplate': '', '.roorules-code': '', aXprompttemplate: '', roorules: '' })).toEqual([
    '.roorules-code',
    'a.prompttemplate',
  ]);
});

test('names no empty directory', () => {
  expect(seen({ '.claude/': '', '.github/prompts/': '' })).toEqual([]);
});

test('follows links within the workspace, and names none that lead out of it or nowhere', () => {
  const root = scratchDirectory();
  plant(root, { 'docs/prompts/a': '', text: 'x' });
  for (const [name, to] of [
    ['.github', 'docs'],
    ['CLAUDE.md', 'text'],
    ['.mcp.json', '/etc/hostname'],
    ['.claude', 'gone'],
    ['.roorules', '..'],
  ] as const)
    symlinkSync(to, join(root, name));
  expect(withheldAtRoot(root, names)).toEqual(['.github/prompts', 'CLAUDE.md']);
});

test('compares letters of ASCII alone without regard to case, as the launcher does', () => {
  expect(withheldAtRoot(planted({ '.\u212Airo': 'a file', '.KIRO': 'another' }), [['.kiro']])).toEqual(['.KIRO']);
});

test('names an unreadable one, and ignores a missing root', () => {
  const root = scratchDirectory();
  plant(root, { '.claude/x': '' });
  chmodSync(join(root, '.claude'), 0);
  if (process.getuid?.() !== 0) expect(withheldAtRoot(root, names)).toEqual(['.claude']);
  chmodSync(join(root, '.claude'), 0o700);
  expect(withheldAtRoot(join(root, 'gone'), names)).toEqual([]);
});
