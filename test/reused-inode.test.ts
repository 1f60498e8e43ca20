import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { childrenOf, commandLineOf } from '../scripts/testing/processes.ts';
import { backends, has, Project, repository } from './lib/holdfast.ts';

const built = [...backends.filter((backend) => backend === 'native' || has('bwrap')), 'landlock'];
if (built.length < backends.length + 1)
  console.warn(
    'SKIPPED: numbers that are used again, with bubblewrap, because bwrap is not installed (Debian: apt-get install bubblewrap)',
  );

type Act = (project: Project, holdfast: number) => void;

/** Runs a box, changes files outside once its command has started, and lets it end. Returns the quarantined paths. */
async function whileABoxRuns(project: Project, act: Act, backend = 'native'): Promise<readonly string[]> {
  const child = project.start([
    'run',
    '--backend',
    backend,
    '--',
    'sh',
    '-c',
    ': > ran; until [ -e go ]; do sleep 0.05; done',
  ]);
  const closed = once(child, 'close');
  await expect.poll(() => existsSync(join(project.workspace, 'ran')) || child.exitCode !== null).toBe(true);
  expect(child.exitCode).toBeNull();
  try {
    act(project, child.pid ?? 0);
  } finally {
    project.write('go', '');
    await closed;
  }
  return quarantined(project);
}

function quarantined(project: Project): readonly string[] {
  const lines = readFileSync(join(project.state, 'journal.jsonl'), 'utf8').trim().split('\n');
  return lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .flatMap(({ type, path }) => (type === 'quarantine' ? [String(path)] : []));
}

/** The same name in many directories, because on a busy machine another file may get the freed number. */
function inManyPlaces(project: Project, name: string, make: (path: string) => void): readonly string[] {
  return Array.from({ length: 40 }, (_, index) => {
    const path = join(project.workspace, `d${index}`, name);
    mkdirSync(dirname(path));
    make(path);
    return path;
  });
}

/**
 * Removes files in turn, until a new one has the old number and takes its place. Fails if none gets it: the file system
 * has to reuse numbers, as ext4 does and tmpfs does not.
 */
function replaceOne(paths: readonly string[], make: (path: string) => void): string {
  const replaced = paths.find((path) => replaceByNumber(path, make));
  expect(replaced).toBeDefined();
  return replaced ?? '';
}

function replaceByNumber(path: string, make: (path: string) => void): boolean {
  const before = lstatSync(path);
  const decoys = join(dirname(path), 'decoys');
  mkdirSync(decoys);
  rmSync(path, { recursive: true });
  for (let index = 0; index < 500 && !existsSync(path); index += 1) {
    const decoy = join(decoys, String(index));
    make(decoy);
    if (lstatSync(decoy).ino === before.ino) renameSync(decoy, path);
  }
  rmSync(decoys, { recursive: true });
  const now = lstatSync(path, { throwIfNoEntry: false });
  return now?.dev === before.dev && now.ino === before.ino;
}

const file = (path: string): void => writeFileSync(path, 'planted\n');

function directory(path: string): void {
  mkdirSync(path);
  writeFileSync(join(path, 'tasks.json'), '{}\n');
}

/**
 * Whether the tests' file system reuses the number of a removed file for the next one. ext4 and XFS do, and tmpfs and
 * btrfs do not.
 */
function givesNumbersAgain(): boolean {
  using project = new Project();
  return inManyPlaces(project, 'probe', file).some((path) => replaceByNumber(path, file));
}

const again = givesNumbersAgain();
if (!again)
  console.warn(
    'SKIPPED: numbers that are used again, because the file system of the temporary directory does not (try ext4)',
  );

describe.runIf(again)('a protected name with another file under the old inode number', () => {
  test.each(built)('%s: is moved to quarantine', async (backend) => {
    using project = new Project();
    const paths = inManyPlaces(project, '.envrc', file);
    const replaced: string[] = [];
    expect(await whileABoxRuns(project, () => void replaced.push(replaceOne(paths, file)), backend)).toEqual(replaced);
    expect(replaced.filter((path) => existsSync(path))).toEqual([]);
  });

  test('is moved to quarantine as a directory too', async () => {
    using project = new Project();
    const paths = inManyPlaces(project, '.vscode', directory);
    const replaced: string[] = [];
    expect(await whileABoxRuns(project, () => void replaced.push(replaceOne(paths, directory)))).toEqual(replaced);
    expect(replaced.filter((path) => existsSync(path))).toEqual([]);
  });

  test('is moved to quarantine if the launcher was killed, and the supervisor searches itself', async () => {
    using project = new Project();
    const paths = inManyPlaces(project, '.envrc', file);
    const replaced: string[] = [];
    const act: Act = (_, holdfast) => {
      replaced.push(replaceOne(paths, file));
      const [launcher] = childrenOf(holdfast);
      process.kill(launcher ?? Number.NaN, 'SIGKILL');
    };
    expect(await whileABoxRuns(project, act)).toEqual(replaced);
  });

  test('is quarantined if the supervisor was killed', async () => {
    using project = new Project();
    const paths = inManyPlaces(project, '.envrc', file);
    const child = project.start(['run', '--', 'sh', '-c', ': > ran; sleep 4913']);
    await expect.poll(() => existsSync(join(project.workspace, 'ran')) || child.exitCode !== null).toBe(true);
    let replaced = '';
    try {
      replaced = replaceOne(paths, file);
    } finally {
      for (const pid of childrenOf(child.pid ?? 0).filter((each) => commandLineOf(each).includes('holdfast.cjs')))
        process.kill(pid, 'SIGKILL');
    }
    await expect.poll(() => existsSync(`${replaced}.refused-by-holdfast`)).toBe(true);
    expect(existsSync(replaced)).toBe(false);
  });
});

describe('a protected file that stays the same', () => {
  test('is left alone if an outside program writes to it, changes its mode or gives it a second name', async () => {
    using project = new Project();
    const names = ['.envrc', '.mcp.json', '.git/config'].map((name) => join(project.workspace, name));
    for (const name of ['.envrc', '.mcp.json']) project.write(name, '{}\n');
    symlinkSync('.envrc', join(project.workspace, '.npmrc'));
    const act: Act = () => {
      for (const name of names) {
        appendFileSync(name, '\n');
        chmodSync(name, 0o600);
        linkSync(name, `${name}.second`);
      }
    };
    expect(await whileABoxRuns(project, act)).toEqual([]);
    expect(names.filter((name) => !existsSync(name))).toEqual([]);
  });

  test.runIf(process.getuid?.() === 0)(
    'is left alone on an overlay, which copies it up with a new birth time and the old number',
    () => {
      using project = new Project();
      for (const name of ['low', 'up', 'work', 'mnt']) mkdirSync(join(project.root, name));
      project.write('../low/.envrc', 'old\n');
      const outside = [
        'until [ -e ran ]; do sleep 0.05; done',
        'stat -c "%i %W" .envrc',
        'sleep 1.1',
        'chmod 600 .envrc',
        'stat -c "%i %W" .envrc',
        ': > go',
      ].join('; ');
      const inside = ': > ran; until [ -e go ]; do sleep 0.05; done';
      const script = `cd "$0"; mount -t overlay -o lowerdir=low,upperdir=up,workdir=work o mnt; cd mnt; (${outside}) & "$1" run -- sh -c '${inside}'; wait; cat .envrc`;
      const { stdout, stderr } = project.outside('unshare', [
        '-m',
        'sh',
        '-ec',
        script,
        project.root,
        join(repository, 'bin/holdfast'),
      ]);
      const [before = '', after = '', content] = stdout.trim().split('\n');
      const [number, birth] = before.split(' ');
      expect(after, stderr).toMatch(new RegExp(`^${number} `, 'u'));
      expect(after).not.toBe(`${number} ${birth}`);
      expect(content).toBe('old');
      expect(quarantined(project)).toEqual([]);
    },
  );
});
