import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import process from 'node:process';
import { HoldfastError } from '../../errors/index.ts';
import { ask, type Guest, guestName } from './find-guests.ts';
import { limaCommand, limaRun } from './lima/command.ts';
import type { DelegatedCommand, DelegatedRun } from './run.ts';
import { wslCommand, wslRun } from './wsl/command.ts';

/**
 * Returns the command that runs this in the guest. Pure. Throws `HF_BACKEND_MISSING`, `HF_PATH_UNREPRESENTABLE`,
 * `HF_USAGE`.
 */
export function planDelegation(run: DelegatedRun, guest: Guest): DelegatedCommand {
  return guest.kind === 'lima' ? limaRun(run, guest) : wslRun(run, guest);
}

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/**
 * Runs the command on this process's own streams, and resolves to its exit status. Signals go to the program that holds
 * the connection. Throws `HF_BACKEND_MISSING` if that program cannot be started, or if it ends with a status that no
 * Linux program has. Such a status means that wsl.exe itself failed.
 */
export async function delegate({ program, arguments: words, environment }: DelegatedCommand): Promise<number> {
  const child = spawn(program, [...words], { env: environment, stdio: 'inherit' });
  const pass = (signal: NodeJS.Signals): unknown => child.kill(signal);
  for (const signal of forwarded) process.on(signal, pass);
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', (cause) =>
        reject(
          new HoldfastError('HF_BACKEND_MISSING', `${program} cannot be started`, {
            remedy: 'install it again',
            cause,
          }),
        ),
      );
      child.once('close', (code, signal) => {
        const status = exitStatus(code, signal);
        if (status === undefined)
          reject(
            new HoldfastError('HF_BACKEND_MISSING', `${program} failed by itself (${code})`, {
              remedy: 'start it by hand, and read its message',
            }),
          );
        else resolve(status);
      });
    });
  } finally {
    for (const signal of forwarded) process.off(signal, pass);
  }
}

/** Returns the exit status, or 128+n for a signal. Undefined for a value that is not a Linux exit status. */
export function exitStatus(code: number | null, signal: NodeJS.Signals | null): number | undefined {
  if (code === null) return signal === null ? undefined : 128 + constants.signals[signal];
  return code >= 0 && code <= 255 ? code : undefined;
}

/** Characters that shells, command lines and templates interpret. */
const hostileWord = `it's "a" \\ \\\\ \\' $HOME \`id\` $(id) %PATH% !1 * ~ {a,b} # ; & | < >\t\n-é`;

/**
 * Checks that the guest has the same version of Holdfast, and receives each argument unchanged. A login shell that is
 * not a POSIX shell would read quotes differently. Throws `HF_BACKEND_MISSING`.
 */
export async function agreeWith(guest: Guest, version: string): Promise<void> {
  const echoed = await said(guest, ['printf', '%s', hostileWord]);
  if (echoed === undefined)
    throw disagreement(
      guest,
      'cannot be reached',
      'check that it runs, and that its login shell starts without an error',
    );
  // The greeting of the guest's login shell may precede the output.
  if (!echoed.endsWith(hostileWord))
    throw disagreement(
      guest,
      'does not receive the arguments of a command unchanged',
      'give its user a POSIX login shell, such as /bin/bash',
    );
  const theirs = (await said(guest, ['holdfast', '--version']))?.trimEnd().split('\n').at(-1)?.trim() ?? '';
  if (theirs === version) return;
  throw disagreement(
    guest,
    theirs.startsWith('holdfast ')
      ? `has ${JSON.stringify(theirs)}, this is ${JSON.stringify(version)}`
      : 'has no holdfast on its PATH',
    `install ${version} in it`,
  );
}

async function said(guest: Guest, words: readonly string[]): Promise<string | undefined> {
  const answer = await ask(guest.kind === 'lima' ? limaCommand(guest, '/', words) : wslCommand(guest, '/', words));
  return answer.kind === 'answered' && answer.exitCode === 0 ? answer.stdout.toString() : undefined;
}

function disagreement(guest: Guest, what: string, remedy: string): HoldfastError {
  return new HoldfastError(
    'HF_BACKEND_MISSING',
    `the ${guest.kind === 'lima' ? 'Lima instance' : 'distribution'} ${guestName(guest)} ${what}`,
    { remedy },
  );
}
