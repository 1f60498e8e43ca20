import { writeCommand } from '../protocol/write.ts';
import { type RedisCommand, redisCommands } from './command.ts';

export interface PermissionOptions {
  /** Name of the credential, for refusals. */
  readonly credential: string;
  readonly mode: 'read-write' | 'read-only';
  /**
   * The only allowed commands besides those of the connection itself. Names are in upper case: `CONFIG GET` or
   * `CONFIG|GET`, a container for all its subcommands, `@read` and `@write` for everything that the modes allow.
   * Absent: everything that the mode allows.
   */
  readonly commands?: readonly string[];
}

/** Decision about a command. `denied` is sent to the server instead of the command. */
export interface Permission {
  readonly command: RedisCommand;
  readonly denied?: Buffer;
}

export interface Permissions {
  /** Every known command, including those of modules in `commands`. */
  readonly known: readonly Permission[];
  /** Sent instead of an unknown command. */
  readonly unknown: Buffer;
}

/**
 * Decides about each command once, before the first one is sent. A denied command is replaced by the name of a command
 * that no server has. The server's error then comes in the right order among the answers, in both versions of the
 * protocol, and aborts a transaction. The name gives the reason in at most 128 characters. No part of it comes from a
 * client.
 */
export function permissionsOf(options: PermissionOptions): Permissions {
  const listed = options.commands?.map((name) => name.toUpperCase().trim().replaceAll(/\s+/gu, '|'));
  const all = [...redisCommands, ...(options.mode === 'read-write' ? ofModules(listed ?? []) : [])];
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
  { name, access }: RedisCommand,
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

/**
 * A user who lists a command outside the table should know its effect. It may do more than read, so it counts as a
 * write.
 */
function ofModules(listed: readonly string[]): readonly RedisCommand[] {
  const names = new Set(redisCommands.flatMap(({ name }) => [name, name.split('|')[0]]));
  return listed
    .filter((name) => !name.startsWith('@') && !name.includes('|') && !names.has(name))
    .map((name) => ({ name, access: 'write', key: 'none' }));
}

/** Meaning of a command's first name: a command, a container of subcommands, or both, like `COMMAND`. */
export interface Named {
  readonly permission?: Permission;
  readonly subcommands?: NameIndex<Permission>;
}

/** Finds commands by their first names. */
export function createCommandFinder(known: readonly Permission[]): NameIndex<Named> {
  const own = new Map<string, Permission>();
  const below = new Map<string, Map<string, Permission>>();
  for (const permission of known) {
    const [first = '', second] = permission.command.name.split('|');
    if (second === undefined) own.set(first, permission);
    else below.set(first, (below.get(first) ?? new Map<string, Permission>()).set(second, permission));
  }
  const named = new Map<string, Named>();
  for (const name of new Set([...own.keys(), ...below.keys()])) {
    const permission = own.get(name);
    const subcommands = below.get(name);
    named.set(name, {
      ...(permission !== undefined && { permission }),
      ...(subcommands !== undefined && { subcommands: createNameIndex(subcommands) }),
    });
  }
  return createNameIndex(named);
}

/** Finds names in bytes, ignoring case, without converting them to text. */
export interface NameIndex<Of> {
  /** Returns the value for the name from `start` to `end`. Finds only whole ASCII names. */
  find(bytes: Buffer, start: number, end: number): Of | undefined;
}

interface Entry<Of> {
  /** In upper case. */
  readonly name: Buffer;
  readonly of: Of;
}

/** `names` are in upper case. */
export function createNameIndex<Of>(names: ReadonlyMap<string, Of>): NameIndex<Of> {
  const buckets = new Map<number, Entry<Of>[]>();
  for (const [text, of] of names) {
    const name = Buffer.from(text, 'latin1');
    const hash = hashOf(name, 0, name.length);
    buckets.set(hash, [...(buckets.get(hash) ?? []), { name, of }]);
  }
  return {
    find(bytes, start, end) {
      const bucket = buckets.get(hashOf(bytes, start, end));
      if (bucket === undefined) return undefined;
      for (const entry of bucket) if (isName(entry.name, bytes, start, end)) return entry.of;
      return undefined;
    },
  };
}

function hashOf(bytes: Buffer, start: number, end: number): number {
  let hash = end - start;
  for (let at = start; at < end; at += 1) hash = (Math.imul(hash, 31) + ((bytes[at] ?? 0) | 0x20)) | 0;
  // Small integers are faster to look up.
  return hash & 0x3fff_ffff;
}

/* oxlint-disable-next-line max-params -- this avoids an object for each command that passes. */
function isName(name: Buffer, bytes: Buffer, start: number, end: number): boolean {
  if (name.length !== end - start) return false;
  for (let at = 0; at < name.length; at += 1) {
    const byte = bytes[start + at] ?? 0;
    const upper = byte >= 0x61 && byte <= 0x7a ? byte - 0x20 : byte;
    if (upper !== name[at]) return false;
  }
  return true;
}
