import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { atFdcwd, kernelCall } from '../kernel/index.ts';
import { checkpointCommand } from './checkpoint.ts';
import { eventsIn } from './testing/events-in.ts';
import { scene } from './testing/run.ts';

function workspaceWith(files: Readonly<Record<string, string | Buffer>>) {
  const { workspace, run } = scene();
  const write = (name: string, content: string | Buffer): void => writeFileSync(join(workspace, name), content);
  for (const [name, content] of Object.entries(files)) write(name, content);
  return {
    workspace,
    write,
    run: (...argv: readonly string[]) => run(checkpointCommand, ...argv),
    events: () => eventsIn(run),
  };
}

const idPattern = /\d{8}-\d{6}-\d{3}-[\da-f]{6}/u;

describe('holdfast checkpoint', () => {
  test('keeps, lists, restores, undoes and removes', async () => {
    const { workspace, write, run } = workspaceWith({ a: 'first' });
    expect((await run('list')).stdout).toBe('No checkpoints yet. Make one: holdfast checkpoint create\n');
    const created = await run('create', 'before the refactoring');
    expect(created).toMatchObject({
      status: 0,
      stderr: '',
      stdout: expect.stringMatching(/ 2 entries +5 B {2}before the refactoring\n$/u),
    });
    write('a', 'second');
    const restored = await run('restore', 'before the refactoring');
    expect(restored).toMatchObject({
      status: 0,
      stderr: '',
      stdout: expect.stringMatching(
        /^restored: 1 written, 0 removed, 1 with only their metadata set\nundo it with: holdfast checkpoint restore /u,
      ),
    });
    expect(readFileSync(join(workspace, 'a'), 'utf8')).toBe('first');
    expect((await run('restore', 'before the refactoring')).stdout).toBe(
      'the workspace already equals the checkpoint\n',
    );
    expect((await run('list')).stdout).toMatch(/\(automatic\) {2}before restore of .*\n2 entries\n$/u);
    await run('restore', idPattern.exec(restored.stdout)?.[0] ?? '');
    expect(readFileSync(join(workspace, 'a'), 'utf8')).toBe('second');
    expect((await run('remove', 'before the refactoring')).stdout).toMatch(/^removed /u);
    expect((await run('restore', 'before the refactoring')).stderr).toMatch(
      /no checkpoint of this workspace is called[^]*\[HF_USAGE\]/u,
    );
  });

  test('journals what it made, restored and removed', async () => {
    const { workspace, write, run, events } = workspaceWith({ a: 'first' });
    const id = idPattern.exec((await run('create', 'one')).stdout)?.[0] ?? '';
    write('a', 'second');
    write('b', 'new');
    const undo = idPattern.exec((await run('restore', id)).stdout)?.[0];
    await run('restore', id);
    await run('list');
    await run('remove', id);
    expect((await run('remove', id)).status).toBe(125);
    expect(await events()).toEqual([
      { type: 'checkpoint.create', workspace, checkpoint: id, name: 'one', entries: 2, bytes: 5 },
      { type: 'checkpoint.restore', workspace, checkpoint: id, undo, written: 1, removed: 1, skipped: 0 },
      { type: 'checkpoint.restore', workspace, checkpoint: id, written: 0, removed: 0, skipped: 0 },
      { type: 'checkpoint.remove', workspace, checkpoint: id },
    ]);
  });

  test('lists as JSON, bounded', async () => {
    const { run } = workspaceWith({ a: 'a' });
    for (const name of ['one', 'two', 'three']) await run('create', name);
    expect(JSON.parse((await run('list', '--json', '--last', '2')).stdout)).toMatchObject({
      total: 3,
      checkpoints: [
        { name: 'two', entries: 2 },
        { name: 'three', origin: 'user' },
      ],
    });
  });

  test('belongs to one workspace', async () => {
    const { workspace, run } = workspaceWith({ a: 'a' });
    mkdirSync(join(workspace, 'other'));
    await run('create', 'here');
    expect((await run('list', '--workspace', join(workspace, 'other'))).stdout).toBe(
      'No checkpoints yet. Make one: holdfast checkpoint create\n',
    );
  });

  test('names the files that it left out, and those that it left unchanged', async () => {
    const { workspace, run } = workspaceWith({});
    await run('create', 'empty');
    mkdirSync(join(workspace, 'new\n\u001B[2J'));
    kernelCall('mknodat', atFdcwd, join(workspace, 'new\n\u001B[2J/socket'), 0o140600, 0);
    expect((await run('create')).stderr).toBe(
      'holdfast: left out: new\\u{a}\\u{1b}[2J/socket: a socket, which only its program can make\n',
    );
    const { status, stderr } = await run('restore', 'empty');
    expect(status).toBe(1);
    expect(stderr).toMatch(/left unchanged, .*: new\\u\{a\}\\u\{1b\}\[2J\n$/u);
    expect(readdirSync(workspace)).toHaveLength(1);
  });
});

describe('holdfast checkpoint diff', () => {
  async function changed() {
    const arena = workspaceWith({ changed: 'one\ntwo\nthree\n', deleted: 'x', mode: 'x', binary: Buffer.from([0, 1]) });
    await arena.run('create', 'then');
    arena.write('changed', 'one\n\u001B[31mTWO\nthree\n');
    arena.write('binary', Buffer.from([0, 2]));
    arena.write('added', 'new\n');
    rmSync(join(arena.workspace, 'deleted'));
    chmodSync(join(arena.workspace, 'mode'), 0o755);
    symlinkSync('/etc/passwd', join(arena.workspace, 'link'));
    return arena;
  }

  test('names the changes', async () => {
    const { run } = await changed();
    const { stdout } = await run('diff', 'then');
    const shown = stdout.replaceAll(/\d+:\d+/gu, 'O');
    expect(shown).toBe('A added\nM binary\nM changed\nD deleted\nA link\nm mode  (file 0644 O → file 0755 O)\n');
  });

  test('shows lines, which cannot repaint the screen', async () => {
    const { run } = await changed();
    const { stdout } = await run('diff', 'then', '--patch');
    expect(stdout).toContain('M changed\n@@ -1,3 +1,3 @@\n one\n-two\n+\\u{1b}[31mTWO\n three\n');
    expect(stdout).toContain('M binary\n  binary or too different: 2 → 2 bytes\n');
    expect(stdout).toContain('A added\n@@ -0,0 +1,1 @@\n+new\n');
  });

  test('as JSON, and between two', async () => {
    const { run } = await changed();
    await run('create', 'now');
    const { differences } = JSON.parse((await run('diff', 'then', 'now', '--json')).stdout) as {
      readonly differences: readonly { readonly path: string }[];
    };
    expect(differences.map(({ path }) => path)).toEqual(['added', 'binary', 'changed', 'deleted', 'link', 'mode']);
    expect(differences[4]).toMatchObject({
      kind: 'added',
      pathBytes: Buffer.from('link').toString('base64'),
      after: { kind: 'symlink', target: '/etc/passwd' },
    });
    expect((await run('diff', 'now')).stdout).toBe('nothing has changed\n');
  });
});

describe('a usage error', () => {
  test.each([
    [['lists']],
    [['undo']],
    [['create', 'a', 'b']],
    [['diff']],
    [['restore']],
    [['restore', 'a', 'b']],
    [['remove', 'nothing']],
    [['list', 'x']],
    [['create', 'x'.repeat(201)]],
  ])('%j', async (argv) => {
    expect(await workspaceWith({}).run(...argv)).toMatchObject({
      status: 125,
      stdout: '',
      stderr: expect.stringContaining('[HF_USAGE]'),
    });
  });
});
