import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { childrenOf, commandLineOf, isRunning } from '../scripts/testing/processes.ts';
import { backends, Project } from './lib/holdfast.ts';

/** The box recognises an outside program's file by this text. */
const fresh = 'FRESH';

/** Tries for some seconds to read the file from outside, or with `write` to write it. A covered file refuses both. */
const attempt = `
seen() { grep -qs ${fresh} "$1"; }
written() { { echo x >> "$1"; } 2>/dev/null; }
covered() { tries=0; while "$1" "$2" && [ $tries -lt 100 ]; do sleep 0.03; tries=$((tries+1)); done; "$1" "$2" && echo "$1 $2"; }
: > ran; until [ -e go ]; do sleep 0.03; done
`;

/** Each way in which the warden learns of a change. */
const ways: Readonly<
  Record<string, { readonly prepare?: (project: Project) => void; readonly inotify?: 'from the start' | 'soon' }>
> = {
  dnotify: {},
  'times alone': { prepare: () => writeFileSync(dnotifySwitch, '0'), inotify: 'soon' },
  'inotify, for many directories': {
    prepare(project) {
      for (let number = 0; number < 80; number++) project.write(`many/${number}/.env`, '');
    },
    inotify: 'from the start',
  },
  'inotify, for many names': {
    prepare(project) {
      for (let number = 0; number < 140; number++) project.write(`names/.env.${number}`, '');
    },
    inotify: 'from the start',
  },
};
const dnotifySwitch = '/proc/sys/fs/dir-notify-enable';
const waysHere = Object.keys(ways).filter((way) => way !== 'times alone' || process.getuid?.() === 0);

/** Whether a process has a descriptor of inotify that watches something. */
function usesInotify(pid: number): boolean {
  return readdirSync(`/proc/${pid}/fdinfo`).some((fd) => {
    try {
      return readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8').includes('inotify wd');
    } catch (error) {
      // The warden has closed it since it was listed.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
  });
}

interface While {
  readonly backend?: string;
  /** Of `ways`. */
  readonly way?: string;
  readonly flags?: readonly string[];
  readonly script: string;
}

interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number | null;
}

/** Runs a box, and changes files outside once its command has started. */
async function whileItRuns(
  project: Project,
  { backend = 'native', way = 'dnotify', flags = [], script }: While,
  act: (holdfast: number) => void | Promise<void>,
): Promise<Ran> {
  ways[way]?.prepare?.(project);
  const words = ['run', '--backend', backend, ...flags, '--', 'sh', '-c', `${attempt}${script}`];
  const child = project.start(words);
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const closed = once(child, 'close');
  await expect.poll(() => existsSync(join(project.workspace, 'ran')) || child.exitCode !== null).toBe(true);
  // Until the watch has started, which a busy machine delays.
  await expect.poll(() => wardenOf(child.pid ?? 0)).toBeDefined();
  await sleep(100);
  const { inotify } = ways[way] ?? {};
  if (inotify !== 'soon') expect(usesInotify(wardenOf(child.pid ?? 0) ?? Number.NaN)).toBe(inotify !== undefined);
  await act(child.pid ?? 0);
  project.write('go', '');
  const [status] = (await closed) as [number | null];
  return { stdout, stderr, status };
}

/** As editors and git do. */
function renameOver(project: Project, path: string): void {
  renameSync(project.write('new', `${fresh}\n`), join(project.workspace, path));
}

function makeEmpty(project: Project, path: string): void {
  project.write(path, '');
}

function coveredPaths({ state, workspace }: Project): readonly string[] {
  return readFileSync(join(state, 'journal.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly type: string; readonly path?: string; readonly change?: string })
    .flatMap(({ type, path = '', change = '' }) =>
      type === 'covered' ? [`${change} ${path.slice(workspace.length + 1)}`] : [],
    );
}

/** Each covered file: its replacement outside, and the box's attempt afterwards. */
const replaced: readonly {
  readonly path: string;
  readonly tries: 'seen' | 'written';
  readonly before?: (project: Project, path: string) => void;
  readonly act?: (project: Project, path: string) => void;
}[] = [
  { path: '.env', tries: 'seen' },
  { path: 'api/.env', tries: 'seen' },
  { path: 'denied.txt', tries: 'seen' },
  { path: '.mcp.json', tries: 'seen' },
  { path: 'a/CLAUDE.md', tries: 'seen' },
  { path: '.git/config', tries: 'written' },
  { path: '.envrc', tries: 'written' },
  {
    path: 'removed/.env',
    tries: 'seen',
    act(project, path) {
      rmSync(join(project.workspace, path));
      project.write(path, fresh);
    },
  },
  {
    path: 'moved/deep/.env',
    tries: 'seen',
    act(project, path) {
      project.write('../other/deep/.env', fresh);
      renameSync(join(project.workspace, dirname(dirname(path))), join(project.workspace, 'aside'));
      renameSync(join(project.root, 'other'), join(project.workspace, dirname(dirname(path))));
    },
  },
  {
    path: 'link/.env',
    tries: 'seen',
    before(project, path) {
      project.write('target/plain', 'old');
      mkdirSync(join(project.workspace, dirname(path)));
      symlinkSync('../target/plain', join(project.workspace, path));
    },
    act: (project) => renameOver(project, 'target/plain'),
  },
];

const cases = backends.flatMap((backend) => waysHere.map((way) => ({ backend, way })));

describe.each(cases)('with $backend and $way, a replacement by an outside program of', ({ backend, way }) => {
  afterEach(() => {
    if (way === 'times alone') writeFileSync(dnotifySwitch, '1');
  });

  test('a hidden, withheld or protected file is covered again, and reported', async () => {
    using project = new Project();
    project.write(
      '../home/.config/holdfast/policy.toml',
      `version = 1\n[files]\ndeny = ["${project.workspace}/denied.txt"]\n`,
    );
    for (const { path, before = makeEmpty } of replaced) if (path !== '.git/config') before(project, path);
    const script = replaced.map(({ path, tries }) => `covered ${tries} ${path}`).join('\n');
    const { stdout, stderr } = await whileItRuns(project, { backend, way, script }, () => {
      for (const { path, act = renameOver } of replaced) act(project, path);
    });
    expect(stdout).toBe('');
    expect(new Set(coveredPaths(project))).toEqual(new Set(replaced.map(({ path }) => `replaced ${path}`)));
    expect(stderr).toContain(
      `a program outside replaced ${project.workspace}/.env while the command ran; holdfast hid it from the command`,
    );
    expect(stderr).toContain(`${project.workspace}/.git/config while the command ran; holdfast made it read-only`);
  });

  test('a missing name is hidden when it appears, even in a directory that is moved there', async () => {
    using project = new Project();
    using outside = new Project();
    project.write('api/.env', '');
    outside.write('plain', '');
    const shown = join(outside.workspace, '.env');
    const script = ['.env', 'api/.env.local', 'pack/.env', shown].map((path) => `covered seen ${path}`).join('\n');
    const flags = ['--read', outside.workspace];
    const { stdout } = await whileItRuns(project, { backend, way, flags, script }, () => {
      for (const path of ['.env', 'api/.env.local']) project.write(path, fresh);
      project.write('../elsewhere/.env', fresh);
      renameSync(join(project.root, 'elsewhere'), join(project.workspace, 'pack'));
      outside.write('.env', fresh);
    });
    expect(stdout).toBe('');
    expect(coveredPaths(project).length).toBe(4);
  });
});

/** A tmpfs never uses a number again, and an overlay keeps no births: docs/launcher.md. */
const withoutReuse: readonly number[] = [0x01021994, 0x794c7630];

test('a directory is new even if it has the inode number of one that was removed', async ({ skip }) => {
  using project = new Project();
  if (withoutReuse.includes(statfsSync(project.root).type))
    skip('the file system does not tell such directories apart');
  const [sub, pool] = [join(project.workspace, 'sub'), join(project.root, 'pool')];
  let isReplaced = false;
  let made = 0;
  mkdirSync(pool);
  placeSub();
  const { stdout } = await whileItRuns(project, { script: 'covered seen sub/.env' }, async () => {
    // Another process may take the number first.
    for (let tries = 0; !isReplaced && tries < 50; tries++) {
      if (tries > 0) placeSub();
      await sleep(50);
      isReplaced = replaceByNumber();
    }
    expect(isReplaced).toBe(true);
    await sleep(50);
  });
  expect(stdout).toBe('');
  expect(coveredPaths(project)).toEqual(['appeared sub/.env']);

  /** In the pool first: ext4 chooses a number by the parent directory. */
  function placeSub(): void {
    rmSync(sub, { recursive: true, force: true });
    renameSync(makeDirectory(), sub);
  }

  function makeDirectory(): string {
    const path = join(pool, String(made++));
    mkdirSync(path);
    return path;
  }

  /** The first new directories use up lower numbers that others have freed. */
  function replaceByNumber(): boolean {
    const { ino } = statSync(sub);
    rmSync(sub, { recursive: true });
    for (let count = 0; count < 300; count++) {
      const path = makeDirectory();
      if (statSync(path).ino !== ino) continue;
      writeFileSync(join(path, '.env'), fresh);
      renameSync(path, sub);
      return true;
    }
    return false;
  }
});

test('a directory that is renamed is new, because its new name may hide its content', async () => {
  using project = new Project();
  project.write('plain/credentials', fresh);
  const { stdout } = await whileItRuns(project, { script: 'covered seen .aws/credentials' }, () => {
    renameSync(join(project.workspace, 'plain'), join(project.workspace, '.aws'));
  });
  expect(stdout).toBe('');
  expect(coveredPaths(project)).toEqual(['appeared .aws/credentials']);
});

test('a replacement in a busy directory is covered by inotify in the end', async () => {
  using project = new Project();
  project.write('.env', '');
  const { stdout } = await whileItRuns(project, { script: 'covered seen .env' }, async (holdfast) => {
    const warden = wardenOf(holdfast) ?? Number.NaN;
    for (let number = 0; !usesInotify(warden) && number < 3000; number++) {
      project.write(`busy-${number}`, '');
      await sleep(1);
    }
    expect(usesInotify(warden)).toBe(true);
    renameOver(project, '.env');
  });
  expect(stdout).toBe('');
  expect(coveredPaths(project)).toEqual(['replaced .env']);
});

test('a name that the box may make stays the box’s own', async () => {
  using project = new Project();
  project.write('../home/.config/holdfast/policy.toml', 'version = 1\n[files]\nnew_protected = "quarantine"\n');
  const script = `sleep 0.2; echo ${fresh} > .env; echo ${fresh} > CLAUDE.md; sleep 0.2; cat .env CLAUDE.md`;
  const { stdout } = await whileItRuns(project, { script }, () => undefined);
  expect(stdout).toBe(`${fresh}\n${fresh}\n`);
  expect(coveredPaths(project)).toEqual([]);
});

/** Of the launcher's processes, only this one has no children: the box's first process has the command. */
function wardenOf(holdfast: number): number | undefined {
  return [holdfast, ...childrenOf(holdfast)]
    .flatMap(childrenOf)
    .find((pid) => isRunning(pid) && commandLineOf(pid).includes('holdfast-launch') && childrenOf(pid).length === 0);
}

test('no box continues without the process that covers names', async () => {
  using project = new Project();
  project.write('.env', '');
  const { stderr, status } = await whileItRuns(project, { script: 'echo went on' }, async (holdfast) => {
    await expect.poll(() => wardenOf(holdfast)).toBeDefined();
    process.kill(wardenOf(holdfast) ?? Number.NaN, 'SIGKILL');
    await expect.poll(() => isRunning(holdfast)).toBe(false);
  });
  expect(stderr).toContain('[HF_LAUNCHER_FAILED]');
  expect(stderr).toContain('could no longer watch');
  expect(status).toBe(125);
});
