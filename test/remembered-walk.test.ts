import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  globSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { copyInstallation } from '../attacks/runner/installation.ts';
import { binary, has, Project, repository } from './lib/holdfast.ts';

const directories = 150;
/** Milliseconds. A younger change may share its time with a later one, so the launcher reads such a directory again. */
const young = 1200;

if (!has('strace'))
  console.warn('SKIPPED: reads of directories, because strace is not installed (Debian: apt-get install strace)');

/** A workspace with old directories, and a first run that has seen them. */
async function seenProject(more: Readonly<Record<string, string>> = {}): Promise<Project> {
  const project = new Project();
  await seen(project, more);
  return project;
}

async function seen(project: Project, more: Readonly<Record<string, string>>): Promise<void> {
  for (let number = 0; number < directories; number += 1) project.write(`deep/${number}/inner/a.txt`, 'a');
  for (const [path, text] of Object.entries(more)) project.write(path, text);
  await wait(young);
  expect(project.holdfast(['run', '--', 'true']).status).toBe(0);
}

function seenFile(project: Project): string {
  const plans = join(project.state, 'plans');
  return join(plans, readdirSync(plans).find((name) => name.endsWith('.seen')) ?? 'none');
}

/** Number of reads of directories in one run. `before`: words before the command. */
function readsOf(project: Project, { program = binary, before = [] as readonly string[] } = {}): number {
  const trace = join(project.workspace, '../trace');
  const options = ['-f', '-o', trace, '-e', 'trace=getdents64'];
  const [first = 'strace', ...more] = [...before, 'strace', ...options, '--', program, 'run', '--', 'true'];
  expect(project.outside(first, more).status).toBe(0);
  return readFileSync(trace, 'utf8').split('getdents64(').length - 1;
}

/** Whether a box can append to a file. */
function appends(project: Project, path: string): boolean {
  return project.holdfast(['run', '--', 'sh', '-c', `echo more >> ${path}`]).status === 0;
}

test.skipIf(!has('strace'))('a later run does not read directories that have not changed', async () => {
  using project = await seenProject();
  expect(readsOf(project)).toBeLessThan(directories / 2);
  project.write('deep/7/inner/b.txt', 'b');
  expect(readsOf(project)).toBeLessThan(directories / 2);
});

test.skipIf(!has('strace'))('a file that others can write, or that is not as it was, is not believed', async () => {
  using project = await seenProject();
  const file = seenFile(project);
  chmodSync(file, 0o666);
  expect(readsOf(project)).toBeGreaterThan(directories * 2);
  const bytes = readFileSync(file);
  chmodSync(file, 0o600);
  for (const spoilt of [
    bytes.subarray(0, bytes.length / 2),
    Buffer.concat([bytes.subarray(0, 500), Buffer.from('x'), bytes.subarray(501)]),
    Buffer.from(''),
  ]) {
    writeFileSync(file, spoilt);
    expect(readsOf(project)).toBeGreaterThan(directories * 2);
    // That run has written another one.
    expect(readFileSync(file).equals(bytes)).toBe(false);
    expect(statSync(file).size).toBeGreaterThan(1000);
  }
});

test.skipIf(!has('strace'))(
  'another launcher, which may read names in another way, believes no earlier one',
  async () => {
    using project = new Project();
    const { holdfast: program, remove } = copyInstallation(repository);
    try {
      await seen(project, {});
      expect(readsOf(project, { program })).toBeGreaterThan(directories * 2);
      expect(readsOf(project, { program })).toBeLessThan(directories / 2);
      for (const launcher of globSync(join(program, '../../native/build/{,linux-*/}holdfast-launch')))
        utimesSync(launcher, 1, 1);
      expect(readsOf(project, { program })).toBeGreaterThan(directories * 2);
    } finally {
      remove();
    }
  },
);

test.skipIf(!has('strace') || process.getuid?.() !== 0)(
  'other groups, which may open other directories, believe nothing',
  async () => {
    using project = await seenProject();
    expect(readsOf(project, { before: ['setpriv', '--groups', '12345'] })).toBeGreaterThan(directories * 2);
  },
);

test.each([
  ['made', (project: Project) => project.write('deep/7/inner/.envrc', 'x\n'), 'deep/7/inner/.envrc'],
  [
    'moved with its directory',
    (project: Project) => {
      project.write('../aside/.envrc', 'x\n');
      renameSync(join(project.workspace, '../aside'), join(project.workspace, 'deep/8/inner/aside'));
    },
    'deep/8/inner/aside/.envrc',
  ],
  [
    'reached by a directory with another name',
    (project: Project) =>
      renameSync(join(project.workspace, 'deep/9/settings'), join(project.workspace, 'deep/9/.vscode')),
    'deep/9/.vscode/tasks.json',
  ],
  [
    'in a directory that could not be read',
    (project: Project) => chmodSync(join(project.workspace, 'deep/10/closed'), 0o755),
    'deep/10/closed/.envrc',
  ],
])('a protected name that is %s between two runs is protected', async (_, plant, path) => {
  using project = await seenProject({ 'deep/9/settings/tasks.json': '{}\n', 'deep/10/closed/.envrc': 'x\n' });
  chmodSync(join(project.workspace, 'deep/10/closed'), 0);
  expect(project.holdfast(['run', '--', 'true']).status).toBe(0);
  plant(project);
  expect(appends(project, path)).toBe(false);
  expect(appends(project, 'deep/7/inner/a.txt')).toBe(true);
});

test('a secret that is written into an old file is hidden, and an old socket stays hidden', async () => {
  using project = new Project();
  const server = createServer().listen(project.write('deep/4/s', '').replace(/s$/u, 'socket'));
  try {
    await once(server, 'listening');
    await seen(project, { 'deep/3/prod.env': 'A=1\n' });
    const looks = ['run', '--', 'sh', '-c', 'cat deep/3/prod.env; test -S deep/4/socket && echo shown'];
    expect(project.holdfast(looks).stdout).toBe('A=1\n');
    project.write('deep/3/prod.env', 'DB_PASSWORD=Xk29vQm1\n');
    expect(project.holdfast(looks).stdout).toBe('');
  } finally {
    server.close();
  }
});

describe('a policy that lets new protected names be made, and quarantines them at the end', () => {
  function projectWith(files: string): Project {
    const project = new Project();
    const text = `version = 1\n[files]\nnew_protected = "quarantine"\n${files}`;
    project.write('../home/.config/holdfast/policy.toml', text);
    return project;
  }

  test('finds one in an old directory, and one in an old directory with a new name', async () => {
    using project = projectWith('');
    await seen(project, { 'deep/9/settings/tasks.json': '{}\n' });
    const script = 'echo x > deep/7/inner/.envrc; mv deep/9/settings deep/9/.vscode; echo y > deep/8/inner/b.txt';
    expect(project.holdfast(['run', '--', 'sh', '-c', script]).stderr).toContain('.envrc');
    const left = ['deep/7/inner/.envrc', 'deep/9/.vscode/tasks.json', 'deep/8/inner/b.txt'];
    expect(left.filter((path) => existsSync(join(project.workspace, path)))).toEqual(['deep/8/inner/b.txt']);
  });

  test('also finds one beside a directory in which more names begin than the launcher follows', () => {
    const names = Array.from({ length: 300 }, (_, number) => `"**/many/k${number}"`);
    using project = projectWith(`protect = [${names.join(', ')}]\n`);
    const { stdout } = project.holdfast([
      'run',
      '--',
      'sh',
      '-c',
      'mkdir many; echo x > many/z; echo x > .envrc; ls -A',
    ]);
    expect(stdout).toContain('.envrc\n.git\nmany\n');
    expect(['many', '.envrc'].filter((path) => existsSync(join(project.workspace, path)))).toEqual([]);
  });
});
