import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import process from 'node:process';
import { HoldfastError } from '../../errors/index.ts';
import type { Guest } from './find-guests.ts';
import { limaRun } from './lima/command.ts';
import type { DelegatedCommand, DelegatedRun } from './run.ts';
import { wslRun } from './wsl/command.ts';

/** How this run is handed over. Pure. Throws `HF_BACKEND_MISSING`, `HF_PATH_UNREPRESENTABLE`, `HF_USAGE`. */
export function planDelegation(run: DelegatedRun, guest: Guest): DelegatedCommand {
  return guest.kind === 'lima' ? limaRun(run, guest) : wslRun(run, guest);
}

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/**
 * Runs it on this process's own streams; resolves to the exit status. Signals go to the program that holds the
 * connection. Throws
 * `HF_BACKEND_MISSING` when it cannot be started, or ends with a status that no program of Linux has: that is wsl.exe's
 * own failure.
 */
export async function delegate({ program, arguments: words, environment }: DelegatedCommand): Promise<number> {
  const child = spawn(program, [...words], { env: environment, stdio: 'inherit' });
  const pass = (signal: NodeJS.Signals): unknown => child.kill(signal);
  for (const signal of forwarded) process.on(signal, pass);
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', (cause) =>
        reject(
          new HoldfastError('HF_BACKEND_MISSING', `${program} cannot be started`, { remedy: 'install it anew', cause }),
        ),
      );
      child.once('close', (code, signal) => {
        const status = exitStatus(code, signal);
        if (status === undefined)
          reject(
            new HoldfastError('HF_BACKEND_MISSING', `${program} failed by itself (${code})`, {
              remedy: 'see what it says when it is started by hand',
            }),
          );
        else resolve(status);
      });
    });
  } finally {
    for (const signal of forwarded) process.off(signal, pass);
  }
}

/** 128+n for a signal; undefined for what is no exit status of Linux. */
export function exitStatus(code: number | null, signal: NodeJS.Signals | null): number | undefined {
  if (code === null) return signal === null ? undefined : 128 + constants.signals[signal];
  return code >= 0 && code <= 255 ? code : undefined;
}
