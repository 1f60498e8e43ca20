import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { HoldfastError } from '../../errors/index.ts';
import type { Plan } from '../../plan/types.ts';
import type { LaunchFailure } from '../backend.ts';
import { encodePlan } from './encode-plan.ts';
import { type LauncherReport, ReportReader } from './reports.ts';

/**
 * Starts the launcher with an empty environment, outside of every workspace. Throws `HF_LAUNCHER_FAILED` if a resource
 * is exhausted.
 */
export function spawnLauncher(
  launcher: string,
  words: readonly string[],
  options: Pick<SpawnOptions, 'stdio' | 'detached'>,
): ChildProcess {
  const child = orNotStarted(launcher, () => spawn(launcher, [...words], { ...options, env: {}, cwd: '/' }));
  // If no descriptors are left for its streams, Node returns a child without streams. Node reports this later by an
  // event, which ends the process if it has no listener.
  if ((child.stdio as ChildProcess['stdio'] | undefined) !== undefined) return child;
  child.on('error', () => undefined);
  throw notStarted(launcher, { code: 'EMFILE' });
}

function orNotStarted<T>(launcher: string, start: () => T): T {
  try {
    return start();
  } catch (cause) {
    throw notStarted(launcher, cause);
  }
}

/** Resources that a process or a user can exhaust. */
const scarce: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM']);

/** Returns the reason that the launcher does not run: it is missing, or the machine lacks a resource. */
export function notStarted(launcher: string, cause: unknown): HoldfastError {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
  if (!scarce.has(code))
    return new HoldfastError('HF_LAUNCHER_MISSING', `cannot start ${launcher}`, {
      remedy: 'run `make -C native` in the repository, or reinstall holdfast',
      cause,
    });
  return new HoldfastError(
    'HF_LAUNCHER_FAILED',
    `cannot start ${launcher}: no more open files, processes or memory (${String(code)})`,
    {
      remedy: 'end processes that use them, or raise the limit (`ulimit -n`, `ulimit -u`), and run the command again',
      cause,
      details: { scarce: String(code) },
    },
  );
}

/** The error for bytes that are not a valid report. */
export function brokenLauncher(launcher: string, cause: unknown): HoldfastError {
  return new HoldfastError(
    'HF_LAUNCHER_FAILED',
    `${launcher} sent an invalid message: ${cause instanceof Error ? cause.message : String(cause)}`,
    {
      remedy: 'run `make -C native` in the repository, or reinstall holdfast: the launcher is from another version',
      cause,
    },
  );
}

/** A launcher that keeps the overlays of a staged layer mounted. Boxes get the overlays from it. */
export interface Keeper {
  /** Unmounts the overlays, and resolves once the keeper has ended. Running boxes keep their overlays. */
  close(): Promise<void>;
}

type KeeperStart =
  | { readonly kind: 'ready'; readonly keeper: Keeper }
  | { readonly kind: 'failed'; readonly failure: LaunchFailure };

/**
 * Starts a keeper for the overlays of a plan with `keeper`. The keeper does not keep the event loop alive, and ends
 * together with this process. Throws `HF_LAUNCHER_MISSING`, and `HF_LAUNCHER_FAILED` if the keeper cannot be started or
 * sends anything unexpected.
 */
export async function startKeeper(plan: Plan, { launcher }: { readonly launcher: string }): Promise<KeeperStart> {
  const child = spawnLauncher(launcher, ['keep'], { stdio: ['ignore', 'ignore', 'inherit', 'pipe'] });
  const gone = once(child, 'exit');
  gone.catch(() => undefined);
  const control = child.stdio[3] as Duplex;
  // A launcher that dies early breaks the pipe. Only its report or its exit counts.
  control.on('error', () => undefined);
  control.write(encodePlan(overlaysOf(plan), { seccomp: Buffer.alloc(8), stderr: 'direct' }));
  const failure = await firstReport(launcher, child, control);
  if (failure !== undefined) {
    child.kill('SIGKILL');
    return { kind: 'failed', failure };
  }
  child.unref();
  (control as Duplex & { unref(): void }).unref();
  return { kind: 'ready', keeper: { close: () => closeKeeper(child, control, gone) } };
}

/** Keeps only the overlays and the path of the workspace. */
function overlaysOf(plan: Plan): Plan {
  const { withholding = [] } = plan.protection;
  const none = { roots: [], shownRoots: [], gitDirectories: [], names: [], guarded: [], released: [], withholding };
  return {
    ...plan,
    mounts: plan.mounts.filter((mount) => mount.kind === 'overlay' && mount.layer !== undefined),
    protection: none,
    network: { kind: 'closed' },
    landlock: { minimumAbi: 0, execution: 'any', rules: [] },
  };
}

/** Undefined if the keeper is ready. */
function firstReport(launcher: string, child: ChildProcess, control: Duplex): Promise<LaunchFailure | undefined> {
  const reader = new ReportReader();
  return new Promise((resolve, reject) => {
    const settle = (report: LauncherReport | undefined): void => {
      if (report?.kind === 'started') resolve(undefined);
      else resolve(report?.kind === 'failed' ? report : { stage: 'launcher killed', path: 'keep', errno: 0 });
    };
    control.on('data', (chunk: Buffer) => {
      try {
        const [report] = reader.push(chunk);
        if (report !== undefined) settle(report);
      } catch (cause) {
        // An error thrown here would end the supervisor.
        child.kill('SIGKILL');
        reject(brokenLauncher(launcher, cause));
      }
    });
    control.once('close', () => settle(undefined));
    child.once('error', (cause) => reject(notStarted(launcher, cause)));
  });
}

async function closeKeeper(child: ChildProcess, control: Duplex, gone: Promise<unknown>): Promise<void> {
  child.ref();
  control.destroy();
  if (child.exitCode === null && child.signalCode === null) await gone;
}
