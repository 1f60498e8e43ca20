import type { Permission } from './permissions.ts';

/** What stands under a first name: a command, or a container of subcommands, or both, as `COMMAND` is. */
export interface Named {
  readonly permission?: Permission;
  readonly subcommands?: NameIndex<Permission>;
}

/** By first names. */
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

/** Finds names in bytes, whatever case they are in, without making text of them. */
export interface NameIndex<Of> {
  /** What stands for the name at `start` up to `end`. Only whole names of ASCII are found. */
  find(bytes: Buffer, start: number, end: number): Of | undefined;
}

interface Entry<Of> {
  /** Upper case. */
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
  // What is a small integer is found sooner.
  return hash & 0x3fff_ffff;
}

/* oxlint-disable-next-line max-params -- an object for each command that passes is what this is here to avoid. */
function isName(name: Buffer, bytes: Buffer, start: number, end: number): boolean {
  if (name.length !== end - start) return false;
  for (let at = 0; at < name.length; at += 1) {
    const byte = bytes[start + at] ?? 0;
    const upper = byte >= 0x61 && byte <= 0x7a ? byte - 0x20 : byte;
    if (upper !== name[at]) return false;
  }
  return true;
}
