import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { types } from '../dns/wire-name.ts';
import type { EgressRefusal, EgressRefusalCode, Refused, Resolution } from '../types.ts';
import { type Asking, askServers, type ServerOutcome } from './ask-servers.ts';
import type { ResolverConfiguration } from './ask-udp.ts';

export interface LookUp {
  readonly result: Resolution | Refused;
  /** Milliseconds of validity. */
  readonly lifetime: number;
}

export interface LookUpOptions {
  readonly configuration: ResolverConfiguration;
  /** Milliseconds for the whole look-up. */
  readonly budget: number;
}

/**
 * Milliseconds for which addresses of one family wait for the other. Many servers never answer AAAA questions, and
 * clients should not wait for the whole time-out because of them.
 */
export const grace = 500;

/** Asks for A and AAAA at the same time. Never rejects. */
export async function lookUpName(name: string, { configuration, budget }: LookUpOptions): Promise<LookUp> {
  const controller = new AbortController();
  const asking: Asking = { configuration, deadline: performance.now() + budget, signal: controller.signal };
  let timer: NodeJS.Timeout | undefined;
  const ask = async (type: number): Promise<ServerOutcome> => {
    const outcome = await askServers(name, type, asking);
    if (outcome.kind === 'found' && outcome.addresses.length > 0) timer ??= setTimeout(() => controller.abort(), grace);
    return outcome;
  };
  const [v4, v6] = await Promise.all([ask(types.A), ask(types.AAAA)]);
  clearTimeout(timer);
  return mergeOutcomes(name, v4, v6);
}

/** No connection tries more addresses. */
export const mostAddresses = 16;
/** Milliseconds. A longer memory would outlive the owner's own changes of an address. */
export const longestLifetime = 60_000;
/** Milliseconds for which a negative answer is remembered, or a family without an answer. */
export const negativeLifetime = 5000;

/** Merges the answers for A and AAAA. A contradiction in one invalidates both, because no honest server sends one. */
export function mergeOutcomes(name: string, v4: ServerOutcome, v6: ServerOutcome): LookUp {
  const outcomes = [v4, v6];
  for (const outcome of outcomes)
    if (outcome.kind === 'contradictory') return { result: contradictory(name, outcome.reason), lifetime: 0 };
  const found = outcomes.filter((outcome) => outcome.kind === 'found');
  const failed = outcomes.filter((outcome) => outcome.kind === 'failed');
  const addresses = choose(addressesOf(v4), addressesOf(v6));
  if (addresses.length > 0) {
    const aliases = [...new Set(found.flatMap((outcome) => outcome.aliases))];
    const most = failed.length > 0 ? negativeLifetime : longestLifetime;
    return {
      result: { kind: 'resolved', aliases, addresses },
      lifetime: Math.min(most, ...found.map(({ ttl }) => ttl * 1000)),
    };
  }
  if (failed.length > 0)
    return { result: noAnswer(name, [...new Set(failed.flatMap(({ reasons }) => reasons))]), lifetime: 0 };
  return { result: found.length > 0 ? noAddress(name) : noSuchName(name), lifetime: negativeLifetime };
}

function addressesOf(outcome: ServerOutcome): readonly string[] {
  return outcome.kind === 'found' ? [...new Set(outcome.addresses)] : [];
}

/** If there are too many addresses, each family keeps at least half of the slots, as far as it fills them. */
function choose(v4: readonly string[], v6: readonly string[]): readonly string[] {
  const half = mostAddresses / 2;
  const chosen = [
    ...v4.slice(0, Math.max(half, mostAddresses - v6.length)),
    ...v6.slice(0, Math.max(half, mostAddresses - v4.length)),
  ];
  return [...new Set(chosen)];
}

export function noHost(): Refused {
  return refusedWith(
    'malformed-host',
    'the name to look up is not a host name',
    'use a name of letters, digits, hyphens and dots',
  );
}

export function noSuchName(name: string): Refused {
  return refusedWith('name-not-found', `${name} does not exist`, 'check the spelling of the name');
}

function noAddress(name: string): Refused {
  return refusedWith('name-not-found', `${name} exists but has no address`, 'check the spelling of the name');
}

function contradictory(name: string, reason: string): Refused {
  return refusedWith(
    'resolver-failed',
    `${name} could not be looked up: ${reason}`,
    'tell the owner of the name, or name the address in the policy instead',
  );
}

function noAnswer(name: string, reasons: readonly string[]): Refused {
  const tried = reasons.length === 0 ? 'no time was left' : reasons.join('; ');
  return refusedWith(
    'resolver-failed',
    `${name} could not be looked up (${tried})`,
    'check the network of the host and the name servers in its /etc/resolv.conf',
  );
}

export function tooManyLookUps(name: string): Refused {
  return refusedWith(
    'overloaded',
    `${name} was not looked up, because too many other look-ups are in progress`,
    'try again in a few seconds',
  );
}

export function abandoned(name: string): Refused {
  return refusedWith('resolver-failed', `the look-up of ${name} was given up because its client is gone`, 'try again');
}

function refusedWith(code: EgressRefusalCode, message: string, remedy: string): Refused {
  return { kind: 'refused', refusal: { code, message, remedy } satisfies EgressRefusal };
}

interface WatchedFileOptions<Value> {
  readonly path: string;
  /** Parses the content. A missing or unreadable file is parsed as an empty text. */
  parse(text: string): Value;
}

/** Block lists can be long. Longer files are cut off here. */
const mostBytes = 32 * 2 ** 20;

/**
 * Returns a reader of the parsed content of a small system file. The file is read again after a change. Each check
 * costs a few microseconds.
 */
export function watchFile<Value>({ path, parse }: WatchedFileOptions<Value>): () => Value {
  let seen: Stamp | undefined;
  let value = parse('');
  return () => {
    const stamp = stampOf(path);
    if (seen !== undefined && isSame(stamp, seen)) return value;
    seen = stamp;
    value = parse(stamp === 'absent' ? '' : contentOf(path));
    return value;
  };
}

type Stamp = Pick<Stats, 'dev' | 'ino' | 'size' | 'mtimeMs' | 'ctimeMs'> | 'absent';

function stampOf(path: string): Stamp {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? 'absent';
  } catch {
    return 'absent';
  }
}

/**
 * Compares the inode too, because these files are usually replaced by a rename. Compares numbers one by one, because
 * this runs at every look-up, and building a text would cost more than the check itself.
 */
function isSame(a: Stamp, b: Stamp): boolean {
  if (a === 'absent' || b === 'absent') return a === b;
  return a.ino === b.ino && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.size === b.size && a.dev === b.dev;
}

function contentOf(path: string): string {
  try {
    return readWhole(path);
  } catch {
    return '';
  }
}

/**
 * Opens the file without blocking, and reads no more than its size. Otherwise a FIFO or a device would stop the
 * supervisor.
 */
function readWhole(path: string): string {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const buffer = Buffer.alloc(Math.min(fstatSync(descriptor).size, mostBytes));
    return buffer.toString('utf8', 0, readSync(descriptor, buffer));
  } finally {
    closeSync(descriptor);
  }
}
