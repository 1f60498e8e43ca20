import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { bubblewrap, codexNative, holdfast, type Peer, sandboxRuntime } from './lib/peers.ts';
import { type ProcessMemory, processTree } from './lib/processes.ts';
import { type Report, titles } from './lib/report.ts';
import { makeScratch, type Scratch } from './lib/scratch.ts';
import { table } from './lib/table.ts';

const megabyte = 1024 * 1024;
const ours = 'holdfast';
const launcher = 'holdfast-launch';
/** Long enough for a tool's work after the command has started: listeners, idle collections. */
const settling = 500;

interface Footprint {
  readonly name: string;
  readonly processes: readonly ProcessMemory[];
  /** The reason for their absence. */
  readonly reason: string;
}

/** The memory beside a waiting command. */
export async function memory(): Promise<Report> {
  const scratch = makeScratch();
  const peers: readonly [string, Peer][] = [
    [ours, holdfast()],
    ['bwrap', bubblewrap(scratch.workspace)],
    ['codex sandbox', codexNative()],
    ['srt', sandboxRuntime(scratch)],
  ];
  const footprints: Footprint[] = [];
  for (const [name, peer] of peers) footprints.push(await footprint(name, peer, scratch));
  return { title: 'memory: beside a command that waits', parts: [render(footprints)], budgets: budgets(footprints) };
}

async function footprint(name: string, peer: Peer, scratch: Scratch): Promise<Footprint> {
  if (peer.kind === 'absent') return { name, processes: [], reason: peer.reason };
  const [program, ...args] = [...peer.prefix, 'sh', '-c', 'echo ready; read line'];
  // One separate run: a resident supervisor serves any number of them.
  const env = { ...scratch.environment, HOLDFAST_RESIDENT: 'never' };
  const child = spawn(program as string, args, { cwd: scratch.workspace, env, stdio: ['pipe', 'pipe', 'inherit'] });
  await ready(child, name);
  await setTimeout(settling);
  const processes = processTree(child.pid as number).filter((process) => !isCommand(process));
  child.stdin?.end('\n');
  await once(child, 'close');
  return { name, processes, reason: '' };
}

function isCommand({ program }: ProcessMemory): boolean {
  return ['sh', 'dash', 'bash', 'busybox'].includes(program);
}

async function ready(child: ChildProcess, name: string): Promise<void> {
  const ended = once(child, 'close').then(() =>
    Promise.reject(new Error(`${name} ended before its command had begun`)),
  );
  await Promise.race([once(child.stdout as NonNullable<ChildProcess['stdout']>, 'data'), ended]);
  ended.catch(() => undefined);
}

function render(footprints: readonly Footprint[]): string {
  const rows = footprints.flatMap(({ name, processes }) => {
    if (processes.length === 0) return [[name, 'absent']];
    const each = processes.map((process) => [
      `  ${process.program}`,
      '',
      inMegabytes(process.rss),
      inMegabytes(process.pss),
    ]);
    return [
      [name, String(processes.length), inMegabytes(total(processes, 'rss')), inMegabytes(total(processes, 'pss'))],
      ...each,
    ];
  });
  const missing = footprints.flatMap(({ name, reason }) => (reason === '' ? [] : [`${name} is absent: ${reason}`]));
  return [table(titles('', ['processes', 'RSS MB', 'PSS MB']), rows), ...missing].join('\n');
}

function budgets(footprints: readonly Footprint[]): Report['budgets'] {
  const processes = footprints.find(({ name }) => name === ours)?.processes ?? [];
  const supervisor = processes.filter(({ program }) => program !== launcher);
  const launchers = processes.filter(({ program }) => program === launcher);
  const limit = (claim: string, of: readonly ProcessMemory[], megabytes: number): Report['budgets'][number] => {
    const rss = of.length === 0 ? undefined : (total(of, 'rss') as number) / megabyte;
    return { claim, measured: rss, limit: megabytes, unit: 'MB', direction: 'at-most' };
  };
  return [
    limit('RSS of the supervisor', supervisor, 60),
    limit('RSS of the launcher, all its processes', launchers, 1),
  ];
}

/** Absent if one of the processes does not show it. */
function total(processes: readonly ProcessMemory[], field: 'rss' | 'pss'): number | undefined {
  return processes.reduce<number | undefined>((sum, process) => {
    const value = process[field];
    return sum === undefined || value === undefined ? undefined : sum + value;
  }, 0);
}

function inMegabytes(bytes: number | undefined): string {
  return bytes === undefined ? '–' : (bytes / megabyte).toFixed(2);
}
