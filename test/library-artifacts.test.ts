import { describe, expect, test } from 'vitest';
import { Sandbox } from '../src/sandbox/index.ts';
import { Project } from './lib/holdfast.ts';

const create = (project: Project, more: object = {}): Promise<Sandbox> =>
  Sandbox.create({ workspace: project.workspace, environment: project.libraryEnvironment, ...more });

describe('artifacts', () => {
  test('are the files that commands have made, with their types, even if the host lacks them', async () => {
    using project = new Project();
    await using sandbox = await create(project, { staged: 'new' });
    await sandbox.commands.run([
      'sh',
      '-c',
      "mkdir -p out/deep; printf '\\211PNG\\r\\n\\032\\nrest' > out/plot.png; echo a,b > out/deep/t.csv; echo no > other.txt",
    ]);
    const { artifacts, leftOut, searched } = await sandbox.artifacts.collect(['out/**/*.csv', 'out/*', 'out/**/*.csv']);
    expect(artifacts.map(({ path, mimeType, data }) => [path, mimeType, data.length]).toSorted()).toEqual([
      ['out/deep/t.csv', 'text/csv', 4],
      ['out/plot.png', 'image/png', 12],
    ]);
    expect([leftOut, searched]).toEqual([[], 'whole']);
    expect(project.outside('ls', []).stdout).not.toContain('out');
  });

  test('that are too large, hidden or irregular are reported, not read', async () => {
    using project = new Project();
    project.write('.env', 'KEY=canary\n');
    await using sandbox = await create(project);
    await sandbox.commands.run([
      'sh',
      '-c',
      'mkdir o; head -c 300 /dev/zero > o/a; head -c 90 /dev/zero > o/b; head -c 90 /dev/zero > o/c; ln -s /etc/passwd o/d; mkfifo o/e',
    ]);
    const { artifacts, leftOut } = await sandbox.artifacts.collect(['o/*', '.env'], {
      maxFileBytes: 100,
      maxBytes: 120,
    });
    expect(artifacts.map(({ path, data }) => [path, data.length])).toEqual([['o/b', 90]]);
    expect(leftOut).toEqual([
      { path: 'o/a', reason: 'too-large' },
      { path: 'o/c', reason: 'no-room' },
      { path: 'o/d', reason: 'no-file' },
      { path: 'o/e', reason: 'no-file' },
      { path: '.env', reason: 'unreadable' },
    ]);
  });

  test('are at most the requested number, and a hint reports that there may be more', async () => {
    using project = new Project();
    for (const name of ['a', 'b', 'c']) project.write(`o/${name}`, name);
    await using sandbox = await create(project);
    expect(await sandbox.artifacts.collect(['o/*'], { maxFiles: 2 })).toMatchObject({
      artifacts: [{ path: 'o/a' }, { path: 'o/b' }],
      searched: 'limit',
    });
    await expect(sandbox.artifacts.collect(['o/*'], { maxBytes: Number.NaN })).rejects.toMatchObject({
      code: 'HF_USAGE',
    });
    await expect(sandbox.artifacts.collect([''])).rejects.toMatchObject({ code: 'HF_USAGE' });
  });
});
