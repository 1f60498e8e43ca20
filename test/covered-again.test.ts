import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
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

interface While {
  readonly backend?: string;
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
  { backend = 'native', flags = [], script }: While,
  act: (holdfast: number) => void | Promise<void>,
): Promise<Ran> {
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
      project.write('other/deep/.env', fresh);
      renameSync(join(project.workspace, dirname(dirname(path))), join(project.workspace, 'aside'));
      renameSync(join(project.workspace, 'other'), join(project.workspace, dirname(dirname(path))));
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

describe.each(backends)('with %s, a replacement by an outside program of', (backend) => {
  test('a hidden, withheld or protected file is covered again, and reported', async () => {
    using project = new Project();
    project.write(
      '../home/.config/holdfast/policy.toml',
      `version = 1\n[files]\ndeny = ["${project.workspace}/denied.txt"]\n`,
    );
    for (const { path, before = makeEmpty } of replaced) if (path !== '.git/config') before(project, path);
    const script = replaced.map(({ path, tries }) => `covered ${tries} ${path}`).join('\n');
    const { stdout, stderr } = await whileItRuns(project, { backend, script }, () => {
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
    const { stdout } = await whileItRuns(project, { backend, flags, script }, () => {
      for (const path of ['.env', 'api/.env.local']) project.write(path, fresh);
      project.write('../elsewhere/.env', fresh);
      renameSync(join(project.root, 'elsewhere'), join(project.workspace, 'pack'));
      outside.write('.env', fresh);
    });
    expect(stdout).toBe('');
    expect(coveredPaths(project).length).toBe(4);
  });
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
