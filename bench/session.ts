import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { SandboxManager } from '@anthropic-ai/sandbox-runtime';
import { Sandbox } from '../src/sandbox/index.ts';
import { difference, ratio } from './lib/compare.ts';
import { absent, type Contestant, runner } from './lib/contestant.ts';
import { measure, type Result } from './lib/measure.ts';
import { bubblewrap, type Peer, sandboxRuntimeSettings } from './lib/peers.ts';
import { type Report, timeTable } from './lib/report.ts';
import { makeScratch, type Scratch } from './lib/scratch.ts';
import { runCommand } from './lib/spawn.ts';

const bare = 'spawn';
const ours = 'holdfast';
const bwrap = 'bwrap';
const srt = 'sandbox-runtime';
const extraMounts = 200;
const mounted = (name: string): string => `${name}, ${extraMounts} extra mounts`;

/** `true` from a program that holds an open session, by each library, all in this process. */
export async function session(): Promise<Report> {
  const scratch = makeScratch();
  const extra = makeDirectories(scratch.beside);
  await SandboxManager.initialize(sandboxRuntimeSettings(scratch.workspace));
  const results = await measure(await contestants(scratch, extra), { rounds: 60, warmups: 5 });
  await SandboxManager.reset();
  return {
    title: 'session: one command in an open session',
    parts: [timeTable(results, bare)],
    budgets: budgets(results),
  };
}

function makeDirectories(parent: string): readonly string[] {
  return Array.from({ length: extraMounts }, (_, index) => {
    const path = join(parent, `mount${index}`);
    mkdirSync(path);
    return path;
  });
}

async function contestants(scratch: Scratch, extra: readonly string[]): Promise<readonly Contestant[]> {
  const { workspace, environment } = scratch;
  const options = { cwd: workspace, env: environment };
  const binds = extra.flatMap((path) => ['--ro-bind', path, path]);
  return [
    runner(bare, () => runCommand(['true'], options)),
    inSandbox(ours, await Sandbox.create({ workspace, environment })),
    inSandbox(mounted(ours), await Sandbox.create({ workspace, environment, grants: { read: extra } })),
    inPeer(bwrap, bubblewrap(workspace), scratch),
    inPeer(mounted(bwrap), bubblewrap(workspace, binds), scratch),
    inSandboxRuntime(srt, scratch, []),
    inSandboxRuntime(mounted(srt), scratch, extra),
  ];
}

function inSandbox(name: string, sandbox: Sandbox): Contestant {
  return runner(name, async () => {
    const { exitCode, stderr } = await sandbox.commands.run(['true']);
    if (exitCode !== 0) throw new Error(`${name}: exit ${exitCode}: ${stderr}`);
  });
}

function inPeer(name: string, peer: Peer, { workspace, environment }: Scratch): Contestant {
  if (peer.kind === 'absent') return absent(name, peer.reason);
  return runner(name, () => runCommand([...peer.prefix, 'true'], { cwd: workspace, env: environment }));
}

/** As its documentation shows: wrap, spawn, clean up. */
function inSandboxRuntime(name: string, { workspace }: Scratch, allowWrite: readonly string[]): Contestant {
  const { filesystem } = sandboxRuntimeSettings(workspace, allowWrite);
  return runner(name, async () => {
    const { argv, env } = await SandboxManager.wrapWithSandboxArgv(
      'true',
      undefined,
      { filesystem },
      undefined,
      workspace,
    );
    await runCommand(argv, { cwd: workspace, env });
    SandboxManager.cleanupAfterCommand();
  });
}

function budgets(results: readonly Result[]): Report['budgets'] {
  const over = difference(results, ours, bare);
  const mounts = difference(results, mounted(ours), ours);
  return [
    { claim: `${ours} − ${bare}`, measured: over, limit: 1.5, unit: 'ms', direction: 'at-most' },
    { claim: `${ours} ÷ ${bwrap}`, measured: ratio(results, ours, bwrap), limit: 0.5, unit: '×', direction: 'at-most' },
    { claim: `${srt} ÷ ${ours}`, measured: ratio(results, srt, ours), limit: 10, unit: '×', direction: 'at-least' },
    { claim: `${extraMounts} extra mounts`, measured: mounts, limit: 6, unit: 'ms', direction: 'at-most' },
  ];
}
