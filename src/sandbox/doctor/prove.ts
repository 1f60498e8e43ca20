import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { BackendName, Strength } from '../../backends/backend.ts';
import { HoldfastError } from '../../errors/index.ts';
import { backendNamed } from '../../place/backends.ts';
import { cgroupFacts } from '../../place/host/cgroups.ts';
import { readPlace } from '../../place/place.ts';
import { forgetPlans } from '../../place/remembered-plan.ts';
import type { EscapeProof } from '../../policy/features/feature.ts';
import { features } from '../../policy/features/index.ts';
import { escapeProofs } from '../../policy/features/merge.ts';
import { Sandbox } from '../sandbox.ts';
import { type Arena, makeArena } from './arena.ts';

export interface ProofResult extends EscapeProof {
  readonly backend: BackendName;
  /** The strength that the backend promises. A partly enforced guarantee may be escaped. */
  readonly promised: Strength;
  /** `inconclusive` if the control run did not escape either, so that the attempt proves nothing. */
  readonly result: 'held' | 'escaped' | 'inconclusive';
}

/** Attempts of all features. */
export const proofs: readonly EscapeProof[] = escapeProofs(features);

/** Milliseconds, for an attempt that hangs. A kernel in a kernel takes seconds to start on a busy machine. */
const patience = 60_000;

/**
 * Runs every escape attempt once outside, and once in a throw-away box of each backend. As many run at a time as the
 * machine has processors. Each has its own workspace and surroundings.
 */
export async function prove(
  backends: readonly BackendName[],
  ground: Ground,
  onTried: (tried: number, of: number) => void = () => undefined,
): Promise<readonly ProofResult[]> {
  const promised = backends.map((backend) => ({
    backend,
    promises: backendNamed(backend).guarantees({ uid: process.getuid?.() ?? -1, cgroups: cgroupFacts() }),
  }));
  const tried = promised
    .flatMap(({ backend, promises }) =>
      proofs.map((proof) => ({ proof, backend, strength: promises[proof.guarantee] })),
    )
    .filter(({ strength }) => strength !== 'none');
  const escaping = new Set(
    await inLanes(proofs, async (proof) => ((await withArena((arena) => outside(proof, arena))) === 0 ? [proof] : [])),
  );
  let done = 0;
  return inLanes(tried, async ({ proof, backend, strength }) => {
    const result = escaping.has(proof) ? await tryEscape(proof, backend, ground) : 'inconclusive';
    onTried((done += 1), tried.length);
    return [{ ...proof, backend, promised: strength, result }];
  });
}

/** Returns true for an escape from a guarantee that the backend promised to enforce. */
export function isBroken({ promised, result }: ProofResult): boolean {
  return promised === 'kernel' && result === 'escaped';
}

interface Ground {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** `strict`: in boxes of the strict policy. */
  readonly manner: 'usual' | 'strict';
}

/**
 * Returns results in the order of the items. After the first failure it starts no further work, and waits for the work
 * in progress, so that its boxes and files are removed.
 */
async function inLanes<T, R>(items: readonly T[], work: (item: T) => Promise<readonly R[]>): Promise<readonly R[]> {
  const results: (readonly R[])[] = [];
  const waiting = oneByOne(items);
  const lanes = Array.from({ length: availableParallelism() }, async () => {
    for (const [index, item] of waiting) results[index] = await work(item);
  });
  for (const lane of await Promise.allSettled(lanes)) if (lane.status === 'rejected') throw lane.reason;
  return results.flat();
}

/** Unlike an array's iterator, it ends for all lanes when one of them leaves its loop because of an error. */
function* oneByOne<T>(items: readonly T[]): Generator<[number, T]> {
  yield* items.entries();
}

async function tryEscape(
  proof: EscapeProof,
  backend: BackendName,
  { environment: given, manner }: Ground,
): Promise<ProofResult['result']> {
  const attempt = proof.guarantee === 'fs.stage' ? inStagedBox : inBox;
  const boxed = await withArena(async (arena) => {
    const environment = { ...given, XDG_CONFIG_HOME: arena.configuration };
    try {
      return await attempt(proof, { arena, backend, environment, manner });
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

/** Waits without blocking, because the arena's servers are in this process. */
async function outside(proof: EscapeProof, arena: Arena): Promise<number | null> {
  const { PATH = '/usr/bin:/bin' } = process.env;
  const child = spawn('sh', ['-c', proof.attempt], {
    cwd: arena.workspace,
    env: { PATH, ...arena.variables },
    stdio: 'ignore',
    timeout: patience,
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('exit', resolve);
  });
}

interface BoxedAttempt extends Ground {
  readonly arena: Arena;
  readonly backend: BackendName;
}

async function inBox(proof: EscapeProof, { arena, backend, environment, manner }: BoxedAttempt): Promise<number> {
  if (proof.project !== undefined) writeFileSync(join(arena.workspace, 'holdfast.toml'), proof.project);
  await using sandbox = await Sandbox.create({
    workspace: arena.workspace,
    backend,
    environment,
    strict: manner === 'strict',
    ...(proof.hosts === undefined ? {} : { grants: { hosts: proof.hosts } }),
  });
  const marked = `echo ran > ran; ${proof.attempt}`;
  const { exitCode } = await sandbox.commands.run(['sh', '-c', marked], {
    environment: arena.variables,
    signal: AbortSignal.timeout(patience),
  });
  // An attempt that did not run at all would look like a prevented one.
  if (!(await hasRun(sandbox, arena))) throw notRun(proof);
  return exitCode;
}

/** A strict box leaves its mark in a layer, which is dropped afterwards. */
async function hasRun(sandbox: Sandbox, { workspace }: Arena): Promise<boolean> {
  if (sandbox.layer === undefined) return existsSync(join(workspace, 'ran'));
  const { exitCode } = await sandbox.commands.run(['cat', 'ran']);
  await sandbox.discard();
  return exitCode === 0;
}

/**
 * The next command sees the effects of the box. Effects on the host count as an escape. The layer is emptied and
 * removed.
 */
async function inStagedBox(proof: EscapeProof, { arena, backend, environment }: BoxedAttempt): Promise<number> {
  await using sandbox = await Sandbox.create({ workspace: arena.workspace, backend, environment, staged: 'new' });
  await sandbox.commands.run(['sh', '-c', proof.attempt], {
    environment: arena.variables,
    signal: AbortSignal.timeout(patience),
  });
  const { exitCode } = await sandbox.commands.run(['sh', '-c', 'cat staged && rm staged']);
  if (exitCode !== 0) throw notRun(proof);
  return existsSync(join(arena.workspace, 'staged')) ? 0 : 1;
}

function notRun({ title }: EscapeProof): HoldfastError {
  return new HoldfastError('HF_LAUNCHER_FAILED', `the attempt "${title}" did not run in the box`, {
    remedy: 'run `holdfast run -- true`, and read its error',
  });
}
