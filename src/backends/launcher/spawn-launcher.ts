import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { HoldfastError } from '../../errors/index.ts';

/**
 * Starts the launcher with an empty environment, outside of every workspace. Throws `HF_LAUNCHER_FAILED` where there is
 * nothing left to start it with.
 */
export function spawnLauncher(
  launcher: string,
  words: readonly string[],
  options: Pick<SpawnOptions, 'stdio' | 'detached'>,
): ChildProcess {
  const child = orNotStarted(launcher, () => spawn(launcher, [...words], { ...options, env: {}, cwd: '/' }));
  // Without descriptors for its streams Node gives a child that has none, and says so only later, by an event that ends
  // the process where nobody hears it.
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

/** What a process or a user can run out of. */
const scarce: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM']);

/** Why the launcher does not run: it is missing, or the machine is short of something. */
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
      remedy: 'end what uses them up, or raise the limit (`ulimit -n`, `ulimit -u`), and run the command again',
      cause,
    },
  );
}

/** Bytes that are no report. */
export function brokenLauncher(launcher: string, cause: unknown): HoldfastError {
  return new HoldfastError(
    'HF_LAUNCHER_FAILED',
    `${launcher} sent what no launcher sends: ${cause instanceof Error ? cause.message : String(cause)}`,
    {
      remedy: 'it is of another version: run `make -C native` in the repository, or reinstall holdfast',
      cause,
    },
  );
}
