import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, statSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { surfaces } from '../surfaces/table.ts';
import { sha } from '../testing/values.ts';
import type { Discovery, FoundFile } from '../types.ts';
import { discover } from './discover.ts';
import { memoryVersion } from './memory.ts';
import { makeRepository, put } from './testing/repository.ts';

const mcp = '{"mcpServers":{"a":{"command":"node","args":["./server.js"]}}}';
const paths = ({ files }: Discovery): readonly string[] => files.map(({ path }) => path);
const fileAt = ({ files }: Discovery, path: string): FoundFile =>
  files.find((file) => file.path === path) ?? expect.fail(`${path} is not found`);

describe('found files', () => {
  test('have the names of the table, at every depth and in any case, with their hashes, ordered by path', async () => {
    const root = makeRepository({
      'b/c/.MCP.json': mcp,
      'AGENTS.md': 'a',
      'src/index.ts': 'x',
      'b/Claude.MD': 'c',
      'docs/claude.md.txt': 'no',
      'README.md': 'no',
    });
    const found = await discover(root);
    expect(paths(found)).toEqual(['AGENTS.md', 'b/Claude.MD', 'b/c/.MCP.json']);
    expect(fileAt(found, 'b/c/.MCP.json')).toMatchObject({
      sha256: sha(mcp),
      size: mcp.length,
      surface: { name: 'claude-mcp' },
      scripts: [{ path: 'b/c/server.js' }],
    });
    expect(found).toMatchObject({ root, problems: [], looked: 10 });
  });

  test('include everything in a directory that is hidden as a whole', async () => {
    const root = makeRepository({
      '.claude/a/b/c.txt': 'x',
      '.claude/settings.json': '{}',
      '.cursor/x.bin': Buffer.from([0]),
      'p/.kiro/steering/a.md': 'x',
      '.claude/package.json': '{}',
    });
    const found = await discover(root);
    expect(paths(found)).toEqual([
      '.claude/a/b/c.txt',
      '.claude/package.json',
      '.claude/settings.json',
      '.cursor/x.bin',
      'p/.kiro/steering/a.md',
    ]);
    expect(fileAt(found, '.claude/package.json').surface.gate).toBe('hidden');
    expect(fileAt(found, '.cursor/x.bin').problem).toMatch(/NUL/u);
  });

  test('include only the table’s files of git, and none of packages', async () => {
    const root = makeRepository({
      '.git/config': '[core]\n\tbare = false\n',
      '.git/hooks/pre-commit': 'x',
      '.git/hooks/pre-push.sample': 'x',
      '.git/objects/ab/AGENTS.md': 'x',
      '.git/modules/m/config': '[core]\npager = x',
      '.git/CLAUDE.md': 'x',
      'node_modules/x/AGENTS.md': 'x',
      'node_modules/x/package.json': '{"scripts":{"postinstall":"x"}}',
      'a/.venv/x/setup.py': 'x',
      '.claude/worktrees/w/AGENTS.md': 'x',
      '.claude/.git/objects/aa': 'x',
      'worktrees/AGENTS.md': 'x',
    });
    expect(paths(await discover(root))).toEqual([
      '.git/config',
      '.git/hooks/pre-commit',
      '.git/modules/m/config',
      'worktrees/AGENTS.md',
    ]);
  });

  test('include files that count only with fields, if they have one', async () => {
    const root = makeRepository({
      'a.json': '{"x":1}',
      'b.json': '{"$schema":"https://x/y"}',
      'c.json': '{"text":"about $schema"}',
      '.gitattributes': '* text=auto\n',
      'd/.gitattributes': '*.png filter=lfs\n',
      '.env': 'A=1',
      'e/.env.local': 'HTTPS_PROXY=http://x',
      'broken.json': '{"$schema": ',
    });
    expect(paths(await discover(root))).toEqual(['b.json', 'broken.json', 'd/.gitattributes', 'e/.env.local']);
  });

  test('are absent from an ordinary repository', async () => {
    const root = makeRepository({
      'src/a.ts': 'x',
      'README.md': 'x',
      'docs/agents.html': 'x',
      'lib/claude/index.js': 'x',
      'test/mcp.json': '{}',
      '.editorconfig': 'root = true',
      rules: 'x',
      'src/.gitkeep': '',
    });
    expect(await discover(root)).toMatchObject({ files: [], problems: [] });
  });

  test('a missing root is an error', async () => {
    await expect(discover('/nowhere/at/all')).rejects.toMatchObject({ code: 'HF_WORKSPACE_MISSING' });
  });
});

describe('symlinks', () => {
  test('are followed within the root, and both places are named', async () => {
    const root = makeRepository({
      'AGENTS.md': 'a',
      'CLAUDE.md': '-> AGENTS.md',
      'shared/mcp.json': mcp,
      '.mcp.json': '-> shared/mcp.json',
      'skills/x/SKILL.md': 's',
      '.agents/skills': '-> ../skills',
      '.claude': '-> .agents',
    });
    const found = await discover(root);
    expect(paths(found)).toEqual([
      '.agents/skills/x/SKILL.md',
      '.claude/skills/x/SKILL.md',
      '.mcp.json',
      'AGENTS.md',
      'CLAUDE.md',
    ]);
    expect(fileAt(found, 'CLAUDE.md')).toMatchObject({ target: 'AGENTS.md', sha256: sha('a') });
    expect(fileAt(found, '.claude/skills/x/SKILL.md')).toMatchObject({
      target: 'skills/x/SKILL.md',
      surface: { name: 'claude-skills' },
    });
    expect(fileAt(found, 'AGENTS.md').target).toBeUndefined();
  });

  test('lead neither out of the root nor into cycles', async () => {
    const outside = makeRepository({ 'secret.md': 'secret', 'd/x.md': 'secret' });
    const root = makeRepository({
      'AGENTS.md': `-> ${outside}/secret.md`,
      'CLAUDE.md': '-> nowhere',
      '.cursor': `-> ${outside}/d`,
      '.claude/a': '-> ..',
      '.claude/b/c': '-> ../../.claude',
      '.kiro': '-> .',
      'GEMINI.md': '-> GEMINI.md',
    });
    const found = await discover(root);
    expect(JSON.stringify(found)).not.toContain(sha('secret'));
    expect(fileAt(found, 'AGENTS.md')).toMatchObject({
      sha256: '',
      fields: [],
      problem: expect.stringContaining('out of the repository'),
    });
    expect(fileAt(found, '.cursor').problem).toMatch(/out of the repository/u);
    for (const path of ['CLAUDE.md', 'GEMINI.md']) expect(fileAt(found, path).problem).toMatch(/nowhere/u);
    expect(found.files.length).toBeLessThan(60);
  });

  test('that replace a directory or a file during the walk lead nowhere', async () => {
    const outside = makeRepository({ 'SKILL.md': 'secret', '.mcp.json': 'secret' });
    const root = makeRepository({ '.claude/skills/a/SKILL.md': 's', 'd/.mcp.json': mcp });
    const { readBelow } = await import('./open-below.ts');
    rmSync(join(root, '.claude/skills/a'), { recursive: true });
    symlinkSync(outside, join(root, '.claude/skills/a'));
    rmSync(join(root, 'd/.mcp.json'));
    symlinkSync(join(outside, '.mcp.json'), join(root, 'd/.mcp.json'));
    expect(readBelow(root, '.claude/skills/a/SKILL.md', 1 << 20)).toMatchObject({
      kind: 'refused',
      problem: expect.stringMatching(/ENOTDIR|ELOOP/u),
    });
    expect(readBelow(root, 'd/.mcp.json', 1 << 20)).toMatchObject({
      kind: 'refused',
      problem: expect.stringContaining('ELOOP'),
    });
  });

  test('of scripts are hashed within the root only', async () => {
    const outside = makeRepository({ 'evil.sh': 'x' });
    const root = makeRepository({
      'package.json': '{"scripts":{"a":"sh ./in.sh","b":"sh ./out.sh","c":"sh ./up/../../x.sh"}}',
      'real/in.sh': 'in',
      'in.sh': '-> real/in.sh',
      'out.sh': `-> ${outside}/evil.sh`,
    });
    expect(fileAt(await discover(root), 'package.json').scripts).toEqual([
      { path: 'in.sh', sha256: sha('in') },
      { path: 'out.sh' },
      { path: 'real/in.sh', sha256: sha('in') },
    ]);
  });
});

describe('unreadable files', () => {
  test('FIFOs, sockets and directories in place of files block nothing', async () => {
    const root = makeRepository({ 'CLAUDE.md/x': 'x' });
    execFileSync('mkfifo', [join(root, '.mcp.json')]);
    const found = await discover(root);
    expect(fileAt(found, '.mcp.json')).toMatchObject({ sha256: '', problem: 'it is not a regular file' });
    expect(paths(found)).toEqual(['.mcp.json', 'CLAUDE.md/x']);
  });

  test('files beyond the limits are reported', async () => {
    const root = makeRepository({ 'AGENTS.md': '' });
    truncateSync(join(root, 'AGENTS.md'), 65 << 20);
    expect(fileAt(await discover(root), 'AGENTS.md')).toMatchObject({
      size: 65 << 20,
      sha256: '',
      problem: expect.stringContaining('larger than 64 MiB'),
    });
    put(root, Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`d${index}/CLAUDE.md`, 'x'])));
    const few = await discover(root, { limits: { files: 5 } });
    expect(few.files).toHaveLength(5);
    expect(few.problems).toEqual([expect.stringContaining('more than 5 files')]);
    const cut = await discover(root, { limits: { entries: 10 } });
    expect(cut.problems).toEqual([expect.stringContaining('more than 10 names')]);
  });

  test('names that are not UTF-8 are reported', async () => {
    const root = makeRepository({ 'AGENTS.md': 'x' });
    mkdirSync(Buffer.concat([Buffer.from(`${root}/d`), Buffer.from([0xff])]));
    writeFileSync(Buffer.concat([Buffer.from(`${root}/d`), Buffer.from([0xff]), Buffer.from('/AGENTS.md')]), 'x');
    const found = await discover(root);
    expect(paths(found)).toEqual(['AGENTS.md']);
    expect(found.problems).toEqual([expect.stringContaining('not UTF-8')]);
  });

  test('a tree deeper than the longest path is reported, and ends', async () => {
    const root = makeRepository({});
    execFileSync('python3', [
      '-c',
      `import os\nos.chdir(${JSON.stringify(root)})\nfor i in range(30):\n os.mkdir("d"*200)\n os.chdir("d"*200)\n`,
    ]);
    expect((await discover(root)).problems).toEqual([expect.stringContaining('ENAMETOOLONG')]);
    execFileSync('rm', ['-rf', root]);
  });
});

describe('memory', () => {
  /** Simulates that some seconds have passed, because recent changes are not remembered. */
  const later = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 10_000);
    try {
      return await work();
    } finally {
      clock.mockRestore();
    }
  };
  const without = ({ root, files, problems, looked }: Discovery): Discovery => ({ root, files, problems, looked });

  test('gives the same as a new search, and reads no unchanged files', async () => {
    const root = makeRepository({
      '.mcp.json': mcp,
      'server.js': 'x',
      'a/b/AGENTS.md': 'y',
      'a/x.json': '{}',
      '.agents/skills': '-> ../a',
      'node_modules/x': 'y',
    });
    const first = await later(() => discover(root));
    const memory = first.memory();
    expect(without(await later(() => discover(root, { memory })))).toEqual(without(first));
    expect((await later(() => discover(root, { memory }))).memory()).toBe(memory);
  });

  test('a recent change is read again', async () => {
    const root = makeRepository({ '.mcp.json': mcp });
    expect(JSON.parse((await discover(root)).memory().split('\n')[1] ?? '')).toMatchObject({
      top: [['', null, 1, ['.mcp.json'], [], []]],
      files: [],
    });
  });

  const changes: readonly (readonly [what: string, change: (root: string) => void])[] = [
    ['a file, rewritten in place', (root) => put(root, { '.mcp.json': mcp.replace('node', 'evil') })],
    [
      'a file with unchanged size and times',
      (root) => {
        const { atime, mtime } = statSync(join(root, '.mcp.json'));
        put(root, { '.mcp.json': mcp.replace('node', 'evil') });
        utimesSync(join(root, '.mcp.json'), atime, mtime);
      },
    ],
    [
      'a file by a rename',
      (root) => {
        put(root, { 'new': mcp.replace('node', 'evil') });
        renameSync(join(root, 'new'), join(root, '.mcp.json'));
      },
    ],
    ['a script', (root) => put(root, { 'server.js': 'evil' })],
    ['a script that appears', (root) => put(root, { 'a/run.sh': 'evil' })],
    ['a script that disappears', (root) => rmSync(join(root, 'server.js'))],
    ['a new file in a deep directory', (root) => put(root, { 'a/b/CLAUDE.md': 'evil' })],
    ['a new directory', (root) => put(root, { 'a/b/c/d/.claude/x': 'evil' })],
    [
      'a directory by a rename',
      (root) => {
        put(root, { 'a/n/AGENTS.md': 'evil' });
        rmSync(join(root, 'a/b'), { recursive: true });
        renameSync(join(root, 'a/n'), join(root, 'a/b'));
      },
    ],
    ['a file that disappears', (root) => rmSync(join(root, 'a/b/AGENTS.md'))],
    [
      'a file that becomes a symlink',
      (root) => {
        rmSync(join(root, 'a/b/AGENTS.md'));
        symlinkSync('../../server.js', join(root, 'a/b/AGENTS.md'));
      },
    ],
    ['the target of a symlink', (root) => put(root, { 'shared.md': 'evil' })],
    ['JSON that gets a schema', (root) => put(root, { 'a/x.json': '{"$schema":"http://evil"}' })],
  ];

  test.each(changes)('sees %s', async (_, change) => {
    const root = makeRepository({
      '.mcp.json': mcp,
      'server.js': 'x',
      'a/package.json': '{"scripts":{"x":"./run.sh"}}',
      'a/b/AGENTS.md': 'y',
      'a/x.json': '{}',
      'shared.md': 's',
      'CLAUDE.md': '-> shared.md',
    });
    const before = await later(() => discover(root));
    change(root);
    const fresh = await discover(root);
    expect(without(fresh)).not.toEqual(without(before));
    expect(without(await discover(root, { memory: before.memory() }))).toEqual(without(fresh));
    expect(without(await later(() => discover(root, { memory: before.memory() })))).toEqual(without(fresh));
  });

  test('sees a directory that takes the place of a file, behind a symlink into packages', async () => {
    const root = makeRepository({ 'node_modules/x': 'y', '.claude/skills': '-> ../node_modules/x' });
    const before = await later(() => discover(root));
    rmSync(join(root, 'node_modules/x'));
    put(root, { 'node_modules/x/evil/SKILL.md': 'evil' });
    const seen = await later(() => discover(root, { memory: before.memory() }));
    expect(paths(seen)).toEqual(['.claude/skills/evil/SKILL.md']);
    expect(without(seen)).toEqual(without(await discover(root)));
  });

  test.each(['', 'x', '{}', '\n', `${sha('{}')}\n{}`, `${sha('null')}\nnull`.slice(0, 20)])(
    'foreign content is ignored: %j',
    async (memory) => {
      const root = makeRepository({ 'AGENTS.md': 'x' });
      expect(paths(await discover(root, { memory }))).toEqual(['AGENTS.md']);
    },
  );

  test('is ignored for another root, or after a changed byte', async () => {
    const root = makeRepository({ 'AGENTS.md': 'x' });
    const memory = (await later(() => discover(root))).memory();
    const other = makeRepository({ 'CLAUDE.md': 'x' });
    expect(paths(await discover(other, { memory }))).toEqual(['CLAUDE.md']);
    expect(fileAt(await discover(root, { memory: memory.replace(sha('x'), sha('y')) }), 'AGENTS.md').sha256).toBe(
      sha('x'),
    );
  });
});

test('the memory belongs to this table', () => {
  expect(memoryVersion.split(' ')[1], 'put this hash into `memoryVersion`').toBe(
    sha(JSON.stringify(surfaces)).slice(0, 16),
  );
});
