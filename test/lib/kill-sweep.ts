import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { allProcesses, childrenOf, processFile } from '../../scripts/testing/processes.ts';
import { Project, repository } from './holdfast.ts';

/**
 * `killed`: the supervisor alone. `stopped first`: after some of its processes were stopped. `another first`: after one
 * of them was killed.
 */
export const manners = ['killed', 'stopped first', 'another first'] as const;
/** A cold box of each backend, and the warm boxes of the library. */
export const kinds = ['native', 'bubblewrap', 'landlock', 'warm'] as const;

export interface SweepOptions {
  readonly kind: (typeof kinds)[number];
  readonly manner: (typeof manners)[number];
  readonly rounds: number;
  /** Longest delay after the first process of a box, in milliseconds. */
  readonly longest: number;
}

interface Seen {
  readonly pid: number;
  readonly name: string;
  readonly state: string;
}

/** Milliseconds. Beside other tests, a supervisor may take many seconds to start. Its remains end immediately. */
const patience = { start: 60_000, end: 5000 };

/** Kills supervisors at random moments of their boxes' lives. Returns the remains, a line each. */
export async function killSweep(options: SweepOptions): Promise<readonly string[]> {
  using project = new Project();
  const left: string[] = [];
  for (let round = 0; round < options.rounds; round++) left.push(...(await killOnce(project, options)));
  return left;
}

async function killOnce(project: Project, { kind, manner, longest }: SweepOptions): Promise<readonly string[]> {
  const before = controlGroups();
  const supervisor = startSupervisor(project, kind);
  const exited = once(supervisor, 'exit');
  const session = supervisor.pid ?? 0;
  const delay = Math.random() * longest;
  let said = '';
  supervisor.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  if (!(await hasBegun(session, manner === 'stopped first' ? 'box' : 'launcher')))
    throw new Error(`no box started: ${said}`);
  await waitExactly(delay);
  const victims = hurt(session, manner);
  supervisor.kill('SIGKILL');
  await exited;
  const remains = await untilGone(session);
  // If supervisor and launcher were killed together, nobody remains to remove control groups. A later run does.
  const orphaned = manner === 'another first' && victims.includes('holdfast-launch');
  const groups = orphaned ? [] : controlGroups(session).filter((group) => !before.includes(group));
  const files = [...groups, ...readdirSync(project.workspace).filter((name) => name !== '.git')];
  if (remains.length === 0) return files.map((path) => `${path} is left ${delay.toFixed(2)} ms later`);
  return remains.map(
    ({ pid, name, state }) => `${name} (${state}) lives ${delay.toFixed(2)} ms later, ${endForcibly(pid)}`,
  );
}

/** A separate session identifies all its processes. */
function startSupervisor(project: Project, kind: SweepOptions['kind']): ChildProcess {
  const options: SpawnOptions = {
    cwd: project.workspace,
    env: project.environment,
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  };
  if (kind === 'warm')
    return spawn(
      process.execPath,
      ['--no-warnings', join(repository, 'test/fixtures/warm-supervisor.ts'), project.workspace],
      options,
    );
  return spawn(
    process.execPath,
    [join(repository, 'dist/holdfast.cjs'), 'run', '--backend', kind, '--', 'sleep', '4913'],
    options,
  );
}

/** The launcher is a child of the supervisor. It is past its first instructions once it has a child itself. */
async function hasBegun(supervisor: number, what: 'launcher' | 'box'): Promise<boolean> {
  const end = Date.now() + patience.start;
  while (Date.now() < end) {
    const launchers = childrenOf(supervisor);
    if (what === 'launcher' ? launchers.length > 0 : launchers.some((pid) => childrenOf(pid).length > 0)) return true;
    await sleep(0);
  }
  return false;
}

/** Timers are a millisecond apart, and the supervisor builds a box in three. */
async function waitExactly(milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds;
  if (milliseconds > 2) await sleep(milliseconds - 2);
  while (performance.now() < end);
}

/**
 * Returns the names of the processes that were hurt before the supervisor. Spares a child that has not started yet:
 * stopped before its first instruction, it cannot notice.
 */
function hurt(session: number, manner: SweepOptions['manner']): readonly string[] {
  const seen = processes(session);
  const starting = childrenOf(session).filter((pid) => childrenOf(pid).length === 0);
  const others = seen.filter(({ pid }) => pid !== session && !starting.includes(pid));
  if (manner === 'killed') return [];
  const chosen = others.filter(() => Math.random() < 0.5);
  const victims =
    manner === 'stopped first' ? chosen : others.slice(0, 1 + Math.floor(Math.random() * others.length)).slice(-1);
  for (const { pid } of victims) signal(pid, manner === 'stopped first' ? 'SIGSTOP' : 'SIGKILL');
  return victims.map(({ name }) => name);
}

async function untilGone(session: number): Promise<readonly Seen[]> {
  const end = Date.now() + patience.end;
  let seen = processes(session);
  while (seen.length > 0 && Date.now() < end) {
    await sleep(2);
    seen = processes(session);
  }
  return seen;
}

/** Processes of one supervisor, or of all. */
function controlGroups(supervisor?: number): readonly string[] {
  const name = supervisor === undefined ? 'holdfast-*' : `holdfast-*-${supervisor.toString(36)}-*`;
  return spawnSync('find', ['/sys/fs/cgroup', '-name', name], { encoding: 'utf8' })
    .stdout.trim()
    .split('\n')
    .filter(Boolean);
}

function processes(session: number): readonly Seen[] {
  return allProcesses().flatMap((pid) => {
    const [, command = '', rest = ''] = /^\d+ \((.*)\) (.*)$/su.exec(processFile(pid, 'stat')) ?? [];
    const [state = '', , , ofSession] = rest.split(' ');
    return Number(ofSession) === session && state !== 'Z' && state !== 'X' ? [{ pid, name: command, state }] : [];
  });
}

function endForcibly(pid: number): string {
  signal(pid, 'SIGKILL');
  return `process ${pid}`;
}

/** The process may have ended. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    return;
  }
}
