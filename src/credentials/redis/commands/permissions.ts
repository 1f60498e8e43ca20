import { writeCommand } from '../protocol/write.ts';
import { type Command, commands } from './command.ts';

export interface PermissionOptions {
  /** Of the credential, for the words of refusals. */
  readonly credential: string;
  readonly mode: 'read-write' | 'read-only';
  /**
   * The only ones that are let through, beside those of the connection itself: names in upper case, `CONFIG GET` or
   * `CONFIG|GET`, a container for all of its subcommands, `@read` and `@write` for all that the modes allow. Absent:
   * what the mode allows.
   */
  readonly commands?: readonly string[];
}

/** What a credential lets through. `denied` goes to the server in the place of the command. */
export interface Permission {
  readonly command: Command;
  readonly denied?: Buffer;
}

export interface Permissions {
  /** Every command that is known, also those of modules that `commands` names. */
  readonly known: readonly Permission[];
  /** What goes in the place of a command that is not known. */
  readonly unknown: Buffer;
}

/**
 * Decides each command once, before the first is sent. What is denied is replaced by the name of a command that no
 * server has: the error that it gives stands in its place among the answers, in either version of the protocol, aborts
 * a transaction, and says why in at most 128 characters of it. Nothing of it comes from a client.
 */
export function permissionsOf(options: PermissionOptions): Permissions {
  const listed = options.commands?.map((name) => name.toUpperCase().trim().replaceAll(/\s+/gu, '|'));
  const all = [...commands, ...(options.mode === 'read-write' ? ofModules(listed ?? []) : [])];
  const denial = (subject: string, reason: string): Buffer =>
    writeCommand([`holdfast: ${subject} is denied by ${options.credential}: ${reason}`]);
  return {
    known: all.map((command) => {
      const reason = reasonAgainst(command, options.mode, listed);
      return reason === undefined ? { command } : { command, denied: denial(command.name.replace('|', ' '), reason) };
    }),
    unknown: denial('this command', 'it is not known'),
  };
}

function reasonAgainst(
  { name, access }: Command,
  mode: PermissionOptions['mode'],
  listed: readonly string[] | undefined,
): string | undefined {
  if (access === 'login' || access === 'session') return undefined;
  if (access === 'never') return 'it reaches beyond the data';
  if (mode === 'read-only' && access !== 'read') return 'it is read-only';
  const isNamed = listed !== undefined && (listed.includes(name) || listed.includes(name.split('|')[0] ?? name));
  if (access === 'special') return isNamed ? undefined : 'name it in commands to allow it';
  return listed === undefined || isNamed || listed.includes(`@${access.toUpperCase()}`)
    ? undefined
    : 'it is not in commands';
}

/** Whoever names what the table does not have knows what it does; that it only reads is not known. */
function ofModules(listed: readonly string[]): readonly Command[] {
  const names = new Set(commands.flatMap(({ name }) => [name, name.split('|')[0]]));
  return listed
    .filter((name) => !name.startsWith('@') && !name.includes('|') && !names.has(name))
    .map((name) => ({ name, access: 'write', key: 'none' }));
}
