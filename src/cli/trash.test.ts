import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Trash } from '../trash/trash.ts';
import { eventsIn } from './testing/events-in.ts';
import { scene } from './testing/run.ts';
import { trashCommand } from './trash.ts';

function kept(...names: readonly string[]) {
  const { workspace, journal, run } = scene();
  const trash = new Trash({ directory: join(dirname(journal), 'trash') });
  const ids = names.map((name) => {
    writeFileSync(join(workspace, name), name);
    return trash.keep({
      path: Buffer.from(join(workspace, name)),
      workspace,
      session: 's',
      cause: 'deleted',
      how: 'take',
    }).id;
  });
  return {
    workspace,
    ids,
    run: (...argv: readonly string[]) => run(trashCommand, ...argv),
    events: () => eventsIn(run),
  };
}

describe('the journal', () => {
  test('has restored and purged entries', async () => {
    const {
      workspace,
      ids: [a = '', b = '', c = ''],
      run,
      events,
    } = kept('a', 'b', 'c');
    await run('restore', a);
    await run('restore', b, '--to', join(workspace, 'elsewhere'));
    await run('purge', '--all');
    await run('purge', '--all');
    expect(await events()).toEqual([
      { type: 'trash.restore', workspace, entry: a, path: join(workspace, 'a') },
      { type: 'trash.restore', workspace, entry: b, path: join(workspace, 'elsewhere') },
      { type: 'trash.purge', entries: [c], bytes: 1 },
    ]);
  });

  test('has nothing about failures', async () => {
    const {
      ids: [a = ''],
      workspace,
      run,
      events,
    } = kept('a');
    writeFileSync(join(workspace, 'a'), 'in its way');
    expect((await run('restore', a)).status).toBe(125);
    expect(await events()).toEqual([]);
  });
});

describe('holdfast trash list', () => {
  test('reports an empty list', async () => {
    expect(await kept().run('list')).toEqual({
      status: 0,
      stdout:
        'No entries in the trash. A rule with `decision = "stage"` keeps deleted files there: see `holdfast help trash`\n',
      stderr: '',
    });
  });

  test('shows each entry on one line, whatever its name', async () => {
    const { workspace, ids, run } = kept('a', 'two\nlines \u001B[2J');
    const { stdout } = await run('list');
    const lines = stdout.split('\n');
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(new RegExp(`^${ids[0]}  .* deleted .* 1 B  ${join(workspace, 'a')}$`, 'u'));
    expect(lines[1]).toContain(String.raw`two\u{a}lines \u{1b}[2J`);
    expect(lines[2]).toMatch(/^2 entries, 1\d B in all$/u);
  });

  test('is bounded', async () => {
    const { run } = kept('a', 'b', 'c');
    const { stdout } = await run('list', '--last', '1');
    expect(stdout).toMatch(/\/c\nthe last 1 of 3, 3 B in all\n$/u);
    expect(JSON.parse((await run('list', '--json', '--last', '2')).stdout)).toMatchObject({
      total: 3,
      bytes: 3,
      entries: [{ cause: 'deleted' }, { size: 1 }],
    });
  });
});

describe('holdfast trash restore', () => {
  test('puts several back, by the beginning of their IDs', async () => {
    const { workspace, ids, run } = kept('a', 'b');
    expect(await run('restore', ids[0] ?? '', (ids[1] ?? '').slice(0, -1))).toEqual({
      status: 0,
      stdout: `restored ${join(workspace, 'a')}\nrestored ${join(workspace, 'b')}\n`,
      stderr: '',
    });
    expect(readFileSync(join(workspace, 'b'), 'utf8')).toBe('b');
  });

  test('reports earlier successes when a later entry fails', async () => {
    const { workspace, ids, run } = kept('a', 'b');
    writeFileSync(join(workspace, 'b'), 'newer');
    const restored = await run('restore', ...ids, '--json');
    expect([restored.status, JSON.parse(restored.stdout)]).toEqual([
      125,
      { restored: [{ id: ids[0], path: join(workspace, 'a') }] },
    ]);
    expect(readFileSync(join(workspace, 'b'), 'utf8')).toBe('newer');
  });

  test('puts one at another place, never through a link, which a box may have made', async () => {
    const { workspace, ids, run } = kept('a');
    mkdirSync(join(workspace, 'real'));
    symlinkSync('real', join(workspace, 'link'));
    expect(await run('restore', ids[0] ?? '', '--to', 'link/new/a')).toMatchObject({
      status: 125,
      stderr: expect.stringContaining('HF_TRASH_FAILED'),
    });
    expect(readdirSync(join(workspace, 'real'))).toEqual([]);
    expect(JSON.parse((await run('restore', ids[0] ?? '', '--to', 'real/new/a', '--json')).stdout)).toEqual({
      restored: [{ id: ids[0], path: join(workspace, 'real/new/a') }],
    });
    expect(readFileSync(join(workspace, 'real/new/a'), 'utf8')).toBe('a');
  });

  test('refuses to overwrite', async () => {
    const { workspace, ids, run } = kept('a');
    writeFileSync(join(workspace, 'a'), 'newer');
    const { status, stderr } = await run('restore', ids[0] ?? '');
    expect(status).toBe(125);
    expect(stderr).toMatch(/--to PATH \[HF_TRASH_FAILED\]/u);
    expect(readFileSync(join(workspace, 'a'), 'utf8')).toBe('newer');
  });

  test('an unknown or an ambiguous ID restores nothing', async () => {
    const { workspace, ids, run } = kept('a', 'b');
    expect((await run('restore', ids[0] ?? '', 'zzz')).stderr).toMatch(/no entry has the ID "zzz"[^]*\[HF_USAGE\]/u);
    expect((await run('restore', '2')).stderr).toMatch(/several entries/u);
    expect(existsSync(join(workspace, 'a'))).toBe(false);
  });
});

describe('holdfast trash purge', () => {
  test('removes older entries', async () => {
    const { run } = kept('a', 'b');
    expect((await run('purge', '--older-than', '1d')).stdout).toBe('removed 0 entries, 0 B\n');
    expect((await run('purge', '--all')).stdout).toBe('removed 2 entries, 2 B\n');
    expect((await run('list')).stdout).toBe(
      'No entries in the trash. A rule with `decision = "stage"` keeps deleted files there: see `holdfast help trash`\n',
    );
  });
});

describe('a usage error', () => {
  test.each([
    [['lists']],
    [['remove']],
    [['restore']],
    [['restore', 'a', 'b', '--to', 'c']],
    [['purge']],
    [['purge', '--all', '--older-than', '1d']],
    [['purge', '--older-than', 'week']],
    [['list', '--last', '0']],
  ])('%j', async (argv) => {
    expect(await kept('a').run(...argv)).toMatchObject({
      status: 125,
      stdout: '',
      stderr: expect.stringContaining('[HF_USAGE]'),
    });
  });
});
