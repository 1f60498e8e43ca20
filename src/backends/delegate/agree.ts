import { HoldfastError } from '../../errors/index.ts';
import { ask, type Guest, nameOf } from './find-guests.ts';
import { limaCommand } from './lima/command.ts';
import type { DelegatedCommand } from './run.ts';
import { wslCommand } from './wsl/command.ts';

/** What shells, command lines and templates understand in their own way. */
const hostileWord = `it's "a" \\ \\\\ \\' $HOME \`id\` $(id) %PATH% !1 * ~ {a,b} # ; & | < >\t\n-é`;

/**
 * Whether the guest has this very Holdfast, and gets each word as it is: a guest whose login shell is none of POSIX
 * would read quotes otherwise. Throws `HF_BACKEND_MISSING`.
 */
export async function agreeWith(guest: Guest, version: string): Promise<void> {
  const echoed = await said(guest, ['printf', '%s', hostileWord]);
  if (echoed === undefined)
    throw disagreement(
      guest,
      'cannot be reached',
      'see whether it runs, and whether its login shell starts without an error',
    );
  // What a login shell of the guest greets with stands before it.
  if (!echoed.endsWith(hostileWord))
    throw disagreement(
      guest,
      'does not get the words of a command as they are',
      'give its user a login shell of POSIX, such as /bin/bash',
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
  const answer = await ask(guestCommand(guest, '/', words));
  return answer.kind === 'answered' && answer.exitCode === 0 ? answer.stdout.toString() : undefined;
}

function guestCommand(guest: Guest, directory: string, words: readonly string[]): DelegatedCommand {
  return guest.kind === 'lima' ? limaCommand(guest, directory, words) : wslCommand(guest, directory, words);
}

function disagreement(guest: Guest, what: string, remedy: string): HoldfastError {
  return new HoldfastError(
    'HF_BACKEND_MISSING',
    `the ${guest.kind === 'lima' ? 'Lima instance' : 'distribution'} ${nameOf(guest)} ${what}`,
    { remedy },
  );
}
