import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { filesArena, type FilesArena } from '../attacks/drivers/files/arena.ts';
import { raceRows, type Tally } from '../attacks/drivers/files/race.ts';
import { rounds } from '../scripts/testing/extent.ts';
import { Sandbox } from '../src/sandbox/index.ts';
import { backends, has, Project } from './lib/holdfast.ts';

const missing = has('python3') && has('make') && has('cc') ? '' : ' (skipped: needs python3, make and a C compiler)';
const trial = test.skipIf(missing !== '');
/** The number for each call that changes something. Every call gets the same number of tries. */
const rows = 19;

function arenaOf(attack: string): FilesArena {
  const base = mkdtempSync('/var/tmp/holdfast-races-');
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  return filesArena(attack, base);
}

function sandboxOf(
  arena: FilesArena,
  backend: (typeof backends)[number],
  grants: { readonly read?: readonly string[] },
): Promise<Sandbox> {
  return Sandbox.create({ workspace: arena.workspace, environment: arena.environment, backend, grants });
}

async function race(arena: FilesArena, { files }: Sandbox, tries: number): Promise<ReadonlyMap<string, Tally>> {
  const tallies = new Map<string, Tally>();
  await raceRows(arena.rows, {
    files,
    arena: arena.root,
    canary: arena.canary,
    tools: arena.tools,
    tries,
    each: (row, tally) => tallies.set(row, tally),
  });
  return tallies;
}

describe(`a directory that becomes a symlink to the outside and back${missing}`, { timeout: 300_000 }, () => {
  // Each operation separately: a program that checks a path and then uses it is led out by every one.
  trial('leads a program that checks paths with realpath outside (control)', () => {
    const arena = arenaOf('race-files-parent');
    const { stderr } = spawnSync('python3', [join(arena.tools, 'naive-files.py'), 'race', arena.rows, '2500'], {
      env: arena.environment,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(arena.succeeded()).toHaveLength(rows);
  });

  trial.each([
    ['native', rounds(50_000)],
    ['bubblewrap', rounds(10_000)],
  ] as const)('leads sandbox.files nowhere, on the %s backend, in %i tries', async (backend, tries) => {
    const arena = arenaOf('race-files-parent');
    await using sandbox = await sandboxOf(arena, backend, { read: [join(arena.root, 'outside')] });
    const tallies = [...(await race(arena, sandbox, Math.ceil(tries / rows)))];
    expect(arena.succeeded()).toEqual([]);
    expect(tallies).toHaveLength(rows);
    // Every operation met the directory as well as the symlink, so the race could be won.
    const met = tallies
      .filter(([, { done, refused }]) => done > 0 && Object.values(refused).length > 0)
      .map(([row]) => row);
    expect(met).toEqual(tallies.map(([row]) => row));
    expect(tallies.reduce((sum, [, tally]) => sum + tally.tries, 0)).toBeGreaterThanOrEqual(tries);
    // Only the kernel's refusals: read-only, another mount, or gone before the call.
    const known = ['EROFS', 'EXDEV', 'ENOENT', 'EINVAL', 'EEXIST', 'ENOTEMPTY', 'ENOTDIR', 'ELOOP'];
    expect(tallies.flatMap(([, { refused }]) => Object.keys(refused)).filter((code) => !known.includes(code))).toEqual(
      [],
    );
  });

  trial('shows sandbox.files nothing', async () => {
    const arena = arenaOf('race-files-read');
    await using sandbox = await sandboxOf(arena, 'native', {});
    const tallies = await race(arena, sandbox, rounds(5000));
    expect(arena.succeeded()).toEqual([]);
    expect(existsSync(join(arena.workspace, 'loot'))).toBe(false);
    expect([...tallies.values()].every(({ done, refused }) => done > 0 && Object.values(refused).length > 0)).toBe(
      true,
    );
  });

  trial('leads a command nowhere that exchanges it by itself', async () => {
    const tries = rounds(1000);
    const arena = arenaOf('race-command-parent');
    await using sandbox = await sandboxOf(arena, 'native', { read: [join(arena.root, 'outside')] });
    const variables = Object.entries(arena.environment).map(([name, value]) => `${name}=${value}`);
    const { stdout } = await sandbox.commands.run([
      'env',
      ...variables,
      'python3',
      join(arena.workspace, 'tools/naive-files.py'),
      'race',
      arena.rows,
      String(tries),
      'unchecked',
    ]);
    expect(stdout.toString().split(`"tries": ${tries}`)).toHaveLength(rows + 1);
    expect(stdout.toString()).not.toContain('escaped');
    expect(arena.succeeded()).toEqual([]);
  });
});

describe.each(backends)('names that look like protected ones, on the %s backend', (backend) => {
  let project: Project;
  let sandbox: Sandbox;
  const composed = 'caf\u{e9}.conf';
  const decomposed = 'cafe\u{301}.conf';

  beforeAll(async () => {
    project = new Project();
    project.write(composed, 'protected\n');
    project.write('.git/hooks/pre-push', 'theirs\n');
    project.write('holdfast.toml', `version = 1\n[files]\nprotect = ["${composed}"]\n`);
    sandbox = await Sandbox.create({ workspace: project.workspace, environment: project.environment, backend });
  });
  afterAll(async () => {
    await sandbox.close();
    project[Symbol.dispose]();
  });

  const hooks = (): readonly string[] =>
    readdirSync(join(project.workspace, '.git/hooks')).filter((name) => !name.endsWith('.sample'));

  // On HFS+ and on NTFS, these names would be `.git`. Here Holdfast must not turn them into it.
  test.each(['.g\u{200c}it', '.git\u{feff}', '.gi\u{307}t', 'git~1', '.git.', '.g\u{131}t', '.\u{ff47}it'])(
    '%j is a separate name',
    async (name) => {
      await sandbox.files.write(`${name}/hooks/pre-push`, 'other');
      expect(readFileSync(join(project.workspace, name, 'hooks/pre-push'), 'utf8')).toBe('other');
      expect(readFileSync(join(project.workspace, '.git/hooks/pre-push'), 'utf8')).toBe('theirs\n');
      expect(hooks()).toEqual(['pre-push']);
      await sandbox.files.remove(name, { tree: 'whole' });
      expect(lstatSync(join(project.workspace, '.git')).isDirectory()).toBe(true);
    },
  );

  test.each(['.GIT', '.Git', '.gIT'])(
    '%s is protected like .git, because it is .git on a case-insensitive file system',
    async (name) => {
      await expect(sandbox.files.write(`${name}/hooks/pre-push`, 'other')).rejects.toMatchObject({
        code: 'EACCES',
        refusal: { verdict: { code: 'protected-path' } },
      });
      expect(readdirSync(project.workspace)).not.toContain(name);
    },
  );

  test('the other normal form of a protected name is another file, and the protected one stays unchanged', async () => {
    await expect(sandbox.files.write(composed, 'x')).rejects.toMatchObject({ code: 'EROFS' });
    await sandbox.files.write(decomposed, 'other');
    expect(readFileSync(join(project.workspace, composed), 'utf8')).toBe('protected\n');
    expect(readFileSync(join(project.workspace, decomposed), 'utf8')).toBe('other');
    await expect(sandbox.files.rename(decomposed, composed)).rejects.toThrow();
    await expect(sandbox.files.rename(decomposed, composed, { existing: 'exchange' })).rejects.toThrow();
    expect(readFileSync(join(project.workspace, composed), 'utf8')).toBe('protected\n');
    await sandbox.files.remove(decomposed);
    writeFileSync(join(project.workspace, decomposed), 'of the host');
    expect(await sandbox.files.read(decomposed, { encoding: 'utf8' })).toBe('of the host');
  });
});
