import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { HoldfastError, isHoldfastError } from '../../errors/index.ts';
import { withDirectoryLock } from '../../kernel/index.ts';
import { recordName, recordNamePattern, sha256Of, sha256Pattern } from '../store/layout.ts';
import {
  hasOwnDirectory,
  invalidFile,
  makeOwnDirectory,
  newerStore,
  readOwnFile,
  unwritable,
  writeOwnFile,
} from '../store/write-own-file.ts';

/** A server's description of one of its tools, as hashed. */
export interface Definition {
  readonly tool: string;
  /** Canonical JSON. */
  readonly text: string;
  /** SHA-256 of `text`, lower-case hexadecimal. */
  readonly sha256: string;
}

/** The approved definitions of one server. */
export interface ServerPins {
  readonly server: string;
  /** The latest definitions of each tool, newest last. */
  readonly definitions: readonly Definition[];
}

/** Bytes of one file, and versions of one tool in it. */
const longestFile = 32 * 1024 * 1024;
const mostVersions = 8;

/** Pins that cannot be trusted. */
export interface DamagedPins {
  readonly path: string;
  /** Returns whether the file belongs to this server. */
  readonly of: (server: string) => boolean;
  readonly error: HoldfastError;
}

export interface AllPins {
  readonly servers: readonly ServerPins[];
  readonly damaged: readonly DamagedPins[];
}

/**
 * Reads the pins of all servers ever seen, each from its own file. Throws `HF_TRUST_INVALID` only for a directory that
 * cannot be trusted.
 */
export function readPins(directory: string): AllPins {
  if (!hasOwnDirectory(directory)) return { servers: [], damaged: [] };
  const read = readdirSync(directory)
    .filter((name) => recordNamePattern.test(name))
    .map((name) => readOne(directory, name));
  return { servers: read.flatMap(({ pins }) => pins ?? []), damaged: read.flatMap(({ damaged }) => damaged ?? []) };
}

/**
 * Returns the approved definitions of one server, oldest first. Throws `HF_TRUST_INVALID` if its own pins are damaged.
 */
export function pinsOf(server: string, { servers, damaged }: AllPins): readonly Definition[] {
  const own = damaged.find(({ of }) => of(server));
  if (own !== undefined)
    throw new HoldfastError(
      'HF_TRUST_INVALID',
      `the pins of the MCP server ${server} cannot be trusted: ${own.error.message}`,
      {
        remedy: `look at ${own.path} and move it away; then ${server} counts as a server that was never seen`,
        details: { path: own.path, server },
        cause: own.error,
      },
    );
  return servers.find((each) => each.server === server)?.definitions ?? [];
}

/**
 * Reads the pins, and adds the definitions that `change` returns, under a lock. Calls `change` once. Throws
 * `HF_TRUST_INVALID` for damaged pins of this server, `HF_STATE_UNWRITABLE`, and the errors of `change`; nothing is
 * kept then.
 */
export function changePins(directory: string, server: string, change: (all: AllPins) => readonly Definition[]): void {
  alone(directory, () => {
    const all = readPins(directory);
    const own = pinsOf(server, all);
    const added = change(all);
    if (added.length > 0) write(directory, { server, definitions: lastOf([...own, ...added]) });
  });
}

export interface Removal {
  readonly server: string;
  /**
   * Tools whose approvals are revoked, so that their next description counts as changed. Default: the whole server,
   * which then counts as never seen.
   */
  readonly tools?: readonly string[];
  /** Called before anything is written. An error stops the removal. */
  readonly journal: (gone: readonly Definition[]) => void;
}

/** Revokes approvals, and returns them. Throws like `changePins`. */
export function removePins(directory: string, { server, tools, journal }: Removal): readonly Definition[] {
  return alone(directory, () => {
    const definitions = pinsOf(server, readPins(directory));
    const gone = definitions.filter(
      (each) => !isWithdrawn(each) && !isSeenMark(each) && (tools?.includes(each.tool) ?? true),
    );
    if (gone.length > 0) journal(gone);
    if (tools === undefined) rmSync(join(directory, recordName(server)), { force: true });
    else if (gone.length > 0)
      write(directory, {
        server,
        definitions: [...definitions.filter((each) => !gone.includes(each)), ...withdrawn(gone)],
      });
    return gone;
  });
}

/**
 * Attack: the approval of a server's only tool is revoked. Without a record of that, the server would count as never
 * seen, and its tool would be pinned without a question.
 */
const nothingSaid = '{}';

function withdrawn(gone: readonly Definition[]): readonly Definition[] {
  return [...new Set(gone.map(({ tool }) => tool))].map((tool) => definitionOf(tool, nothingSaid));
}

export function isWithdrawn({ text }: Definition): boolean {
  return text === nothingSaid;
}

/**
 * Attack: a server lists nothing at first, and its tools later. Without a record of the empty list, it would count as
 * never seen, and the tools would be pinned without a question.
 */
const listSeen = '[]';

/** Returns the record of a seen list, with any content. `list` is its kind. */
export function seenMark(list: string): Definition {
  return definitionOf(`(${list})`, listSeen);
}

/** Returns whether a definition is the record of a list rather than a tool. */
export function isSeenMark({ tool, text }: Definition): boolean {
  return text === listSeen && tool.startsWith('(');
}

/** Runs `work` under the lock. */
function alone<Value>(directory: string, work: () => Value): Value {
  try {
    makeOwnDirectory(directory);
    return withDirectoryLock(directory, work, () => unwritable(directory, { code: 'EBUSY' }));
  } catch (error) {
    if (isHoldfastError(error)) throw error;
    throw unwritable(directory, error);
  }
}

interface ReadPins {
  readonly pins?: ServerPins;
  readonly damaged?: DamagedPins;
}

/** Attack: the pins of one server are stored under another's name, which would then have all of its approvals. */
function readOne(directory: string, name: string): ReadPins {
  const path = join(directory, name);
  try {
    const bytes = readOwnFile(path, longestFile);
    if (bytes === undefined) return {};
    const pins = parsePins(path, bytes);
    if (recordName(pins.server) !== name) throw invalidFile(path, 'holds the pins of another server');
    return { pins };
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    return { damaged: { path, of: (server) => recordName(server) === name, error } };
  }
}

/**
 * Attack: a server describes so much that its pins cannot be read again, and neither can those of every other server.
 */
function write(directory: string, pins: ServerPins): void {
  const bytes = Buffer.from(pinsText(pins));
  if (bytes.length > longestFile)
    throw new HoldfastError(
      'HF_TRUST_INVALID',
      `the server ${pins.server} describes its tools in more than the ${longestFile} bytes that are kept`,
      { remedy: 'let it offer fewer tools; nothing was approved' },
    );
  writeOwnFile({ path: join(directory, recordName(pins.server)), bytes, mode: 0o600 });
}

/** Moves a repeated definition to the end. */
function lastOf(definitions: readonly Definition[]): readonly Definition[] {
  const distinct = [
    ...new Map(definitions.toReversed().map((each) => [`${each.tool}\0${each.sha256}`, each])).values(),
  ];
  const counts = new Map<string, number>();
  return distinct
    .filter(({ tool }) => {
      const count = (counts.get(tool) ?? 0) + 1;
      counts.set(tool, count);
      return count <= mostVersions;
    })
    .toReversed();
}

const version = 1;
const definition = v.strictObject({
  tool: v.string(),
  text: v.string(),
  sha256: v.pipe(v.string(), v.regex(sha256Pattern)),
});
const pins = v.strictObject({ version: v.literal(version), server: v.string(), definitions: v.array(definition) });

/** Throws `HF_TRUST_INVALID` for a file that Holdfast did not write, and for a text that does not match its hash. */
function parsePins(path: string, bytes: Uint8Array): ServerPins {
  const value = parsed(path, bytes);
  if (
    typeof value === 'object' &&
    value !== null &&
    'version' in value &&
    typeof value.version === 'number' &&
    value.version > version
  )
    throw newerStore(path);
  const { success, output } = v.safeParse(pins, value);
  if (!success) throw invalidFile(path, 'does not have the form of pinned tools');
  const other = output.definitions.find((each) => !isOwnHash(each));
  if (other !== undefined)
    throw invalidFile(path, `has another text of ${JSON.stringify(other.tool)} than was approved`);
  return { server: output.server, definitions: output.definitions };
}

function pinsText({ server, definitions }: ServerPins): string {
  return `${JSON.stringify({ version, server, definitions }, undefined, 2)}\n`;
}

export function definitionOf(tool: string, text: string): Definition {
  return { tool, text, sha256: sha256Of(text) };
}

function isOwnHash({ text, sha256 }: Definition): boolean {
  return sha256Of(text) === sha256;
}

function parsed(path: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch (cause) {
    throw invalidFile(path, 'is not JSON', cause);
  }
}
