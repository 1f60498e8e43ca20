import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { HoldfastError } from '../../errors/index.ts';
import type { BackendName, Strength } from '../../backends/index.ts';
import { backendNamed } from '../backends.ts';
import { cgroupFacts } from '../host/cgroups.ts';
import { readPlace } from '../place.ts';
import { forgetPlans } from '../remembered-plan.ts';
import { Sandbox } from '../sandbox.ts';
import { makeArena, type Arena } from './arena.ts';
import { proofs, type Proof } from './proofs.ts';

export interface ProofResult extends Proof {
  readonly backend: BackendName;
  /** How the backend says that it holds the guarantee. What is held in part may be escaped. */
  readonly promised: Strength;
  /** `inconclusive` when the control run did not escape either, so that nothing is shown. */
  readonly result: 'held' | 'escaped' | 'inconclusive';
}

const patience = 10_000;

/** Runs every escape attempt outside and in a throw-away box of each backend. The workspace and its surroundings are made anew for each. */
export async function prove(backends: readonly BackendName[], environment: Readonly<Record<string, string | undefined>>): Promise<readonly ProofResult[]> {
  const results: ProofResult[] = [];
  for (const backend of backends) {
    const promises = backendNamed(backend).guarantees({ uid: process.getuid?.() ?? -1, cgroups: cgroupFacts() });
    for (const proof of proofs.filter(({ guarantee }) => promises[guarantee] !== 'none')) results.push({ ...proof, backend, promised: promises[proof.guarantee], result: await tryEscape(proof, backend, environment) });
  }
  return results;
}

/** An escape from what was said to be held. */
export function isBroken({ promised, result }: ProofResult): boolean {
  return promised === 'kernel' && result === 'escaped';
}

async function tryEscape(proof: Proof, backend: BackendName, environment: Readonly<Record<string, string | undefined>>): Promise<ProofResult['result']> {
  const control = await withArena((arena) => outside(proof, arena));
  if (control !== 0) return 'inconclusive';
  const attempt = proof.guarantee === 'fs.stage' ? inStagedBox : inBox;
  const boxed = await withArena(async (arena) => {
    try {
      return await attempt(proof, { arena, backend, environment });
    } finally {
      forgetPlans(readPlace({ cwd: arena.workspace, workspace: arena.workspace, environment }));
    }
  });
  return boxed === 0 ? 'escaped' : 'held';
}

async function withArena<T>(work: (arena: Arena) => Promise<T>): Promise<T> {
  const arena = await makeArena();
  try {
    return await work(arena);
  } finally {
    await arena.close();
  }
}

/** The arena's servers are this process's own: it must not wait without hearing them. */
async function outside(proof: Proof, arena: Arena): Promise<number | null> {
  const { PATH = '/usr/bin:/bin' } = process.env;
  const child = spawn('sh', ['-c', proof.attempt], { cwd: arena.workspace, env: { PATH, ...arena.variables }, stdio: 'ignore', timeout: patience });
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('exit', resolve);
  });
}

interface BoxedAttempt {
  readonly arena: Arena;
  readonly backend: BackendName;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

async function inBox(proof: Proof, { arena, backend, environment }: BoxedAttempt): Promise<number> {
  await using sandbox = await Sandbox.create({ workspace: arena.workspace, backend, environment, ...(proof.hosts === undefined ? {} : { grants: { hosts: proof.hosts } }) });
  const marked = `echo ran > ran; ${proof.attempt}`;
  const { exitCode } = await sandbox.commands.run(['sh', '-c', marked], { environment: arena.variables, signal: AbortSignal.timeout(patience) });
  // An attempt that did not run at all would look like one that was stopped.
  if (!existsSync(join(arena.workspace, 'ran'))) throw notRun(proof);
  return exitCode;
}

/** What the box did is there for the next command; what of it is on the host has escaped. The layer is left empty, and goes. */
async function inStagedBox(proof: Proof, { arena, backend, environment }: BoxedAttempt): Promise<number> {
  await using sandbox = await Sandbox.create({ workspace: arena.workspace, backend, environment, staged: 'new' });
  await sandbox.commands.run(['sh', '-c', proof.attempt], { environment: arena.variables, signal: AbortSignal.timeout(patience) });
  const { exitCode } = await sandbox.commands.run(['sh', '-c', 'cat staged && rm staged']);
  if (exitCode !== 0) throw notRun(proof);
  return existsSync(join(arena.workspace, 'staged')) ? 0 : 1;
}

function notRun({ title }: Proof): HoldfastError {
  return new HoldfastError('HF_LAUNCHER_FAILED', `the attempt "${title}" did not run in the box`, { remedy: 'run `holdfast run -- true` and see what it says' });
}
