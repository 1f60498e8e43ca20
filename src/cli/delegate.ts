import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { agreeWith, delegate, planDelegation } from '../backends/delegate/delegate.ts';
import {
  delegateLabel,
  describeDelegation,
  findGuests,
  type Guest,
  guestNamed,
  hasManager,
  withAutomount,
} from '../backends/delegate/find-guests.ts';
import type { DelegatedOption, DelegatedRun } from '../backends/delegate/run.ts';
import { HoldfastError } from '../errors/index.ts';
import { installedVersion } from '../place/host/installation.ts';
import { type AskedGuest, type CommandInput, safeText, optionTexts } from './command.ts';

/** Runs `holdfast run` in a guest, with the Holdfast there. Resolves to its exit status. */
export async function runInGuest(input: CommandInput, asked: AskedGuest): Promise<number> {
  const guest = await guestOf(asked);
  await agreeWith(guest, `holdfast ${installedVersion()}`);
  const command = planDelegation(delegatedRun(input), await withAutomount(guest));
  input.io.stderr.write(
    safeText(`holdfast: the box is one of ${asked.kind} (${delegateLabel} on any machine of the project)\n`),
  );
  return delegate(command);
}

/** Prints the words that would be passed on, for `holdfast plan`. */
export async function printDelegation(input: CommandInput, asked: AskedGuest): Promise<number> {
  const guest = await guestOf(asked);
  input.io.stdout.write(safeText(describeDelegation(planDelegation(delegatedRun(input), await withAutomount(guest)))));
  return 0;
}

const managers = { lima: 'limactl', wsl2: 'wsl.exe' } as const;

async function guestOf({ kind, name }: AskedGuest): Promise<Guest> {
  const guest = guestNamed(await findGuests(), kind, name);
  if (guest !== undefined) return guest;
  if (!hasManager(kind))
    throw new HoldfastError('HF_BACKEND_MISSING', `${managers[kind]} is not installed in a system directory`, {
      remedy: 'install it, or use another --backend: see docs/platforms.md',
    });
  const what = kind === 'lima' ? 'Lima instance' : 'WSL distribution';
  throw new HoldfastError(
    'HF_BACKEND_MISSING',
    `there is no ${what} ${name === undefined ? 'by default' : JSON.stringify(name)} here`,
    {
      remedy: `${kind === 'lima' ? 'see `limactl list`' : 'see `wsl --list --verbose`'}, and name one: --backend ${kind}:NAME`,
    },
  );
}

const paths: Readonly<Record<string, 'writable' | 'read-only'>> = {
  workspace: 'writable',
  write: 'writable',
  read: 'read-only',
  socket: 'read-only',
};
/** Options that the host has handled, or that are for the host. */
const kept: ReadonlySet<string> = new Set(['backend', 'help', 'json']);

/**
 * Passes only those variables of the environment that `--env` names, with their values. The guest's policy must also
 * allow the names.
 */
export function delegatedRun({ values, rest, io }: CommandInput): DelegatedRun {
  const cwd = real(io.cwd);
  const options = Object.entries(values)
    .filter(([name]) => !kept.has(name))
    .flatMap(([name, value]): readonly DelegatedOption[] => {
      if (value === true) return [{ kind: 'flag', name }];
      const needs = paths[name];
      return optionTexts(value).map((each) =>
        needs === undefined
          ? { kind: 'text', name, value: each }
          : { kind: 'path', name, value: real(resolve(cwd, each)), needs },
      );
    });
  const named = optionTexts(values['env']).flatMap((name) =>
    io.environment[name] === undefined ? [] : [[name, io.environment[name]] as const],
  );
  return { cwd, options, argv: rest ?? [], environment: Object.fromEntries(named) };
}

/** A mount shares a symlink's target, not the symlink. */
function real(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
