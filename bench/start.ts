import type { SpawnOptions } from 'node:child_process';
import { ratio } from './lib/compare.ts';
import { absent, type Contestant, runner } from './lib/contestant.ts';
import { measure, type Result } from './lib/measure.ts';
import { bubblewrap, codexLauncher, codexNative, holdfast, type Peer, sandboxRuntime } from './lib/peers.ts';
import { type Report, timeTable } from './lib/report.ts';
import { makeScratch, type Scratch } from './lib/scratch.ts';
import { runCommand } from './lib/spawn.ts';

const node = 'node -e 0';
const ours = 'holdfast run -- true';
const cold = 'holdfast run -- true (nothing resident)';
const srt = 'srt -- true';
const codex = 'codex sandbox -- true (binary)';

/** From the start of the command line to its end, with `true` inside. */
export async function start(): Promise<Report> {
  const results = await measure(contestants(makeScratch()), { rounds: 25, warmups: 3 });
  return { title: 'start: one command, from nothing', parts: [timeTable(results, node)], budgets: budgets(results) };
}

function contestants(scratch: Scratch): readonly Contestant[] {
  const options = { cwd: scratch.workspace, env: scratch.environment };
  return [
    runner('true', () => runCommand(['true'], options)),
    runner(node, () => runCommand([process.execPath, '-e', '0'], options)),
    running(ours, holdfast(), options),
    running(cold, holdfast(), { ...options, env: { ...scratch.environment, HOLDFAST_RESIDENT: 'never' } }),
    running('bwrap … true', bubblewrap(scratch.workspace), options),
    running(codex, codexNative(), options),
    running('codex sandbox -- true (npm launcher)', codexLauncher(), options),
    running(srt, sandboxRuntime(scratch), options),
  ];
}

function running(name: string, peer: Peer, options: SpawnOptions): Contestant {
  return peer.kind === 'absent'
    ? absent(name, peer.reason)
    : runner(name, () => runCommand([...peer.prefix, 'true'], options));
}

function budgets(results: readonly Result[]): Report['budgets'] {
  return [
    { claim: `${cold} ÷ ${node}`, measured: ratio(results, cold, node), limit: 1.6, unit: '×', direction: 'at-most' },
    { claim: `${srt} ÷ ${ours}`, measured: ratio(results, srt, ours), limit: 6, unit: '×', direction: 'at-least' },
    { claim: `${ours} ÷ ${codex}`, measured: ratio(results, ours, codex), limit: 1, unit: '×', direction: 'at-most' },
  ];
}
