import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  type Stats,
} from 'node:fs';
import { hash } from 'node:crypto';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { type HoldfastError, isHoldfastError } from '../errors/index.ts';
import { withDirectoryLock } from '../kernel/index.ts';
import { syncStore, unwritable, writeOwnFile } from '../trust/store/write-own-file.ts';
import { mostBundleBytes } from './bundle-fields.ts';
import { parseCentral, centralText } from './record.ts';
import { type CentralRecord, failedBundle } from './types.ts';

/** Files of a machine's central policy. No box can see them. */
export interface CentralPaths {
  /** The managed policy file, which sessions read. */
  readonly policy: string;
  /** Contains the record with its pin, and the bundles. */
  readonly directory: string;
}

export function centralPaths(managedPolicy: string): CentralPaths {
  return { policy: managedPolicy, directory: join(dirname(managedPolicy), 'central') };
}

const recordPath = ({ directory }: CentralPaths): string => join(directory, 'record.json');
const bundlePath = ({ directory }: CentralPaths, serial: number): string => join(directory, `${serial}.bundle`);

/** Most bytes. A record of 20 bundles has about ten thousand. */
const longestRecord = 1 << 20;
const longestPolicy = 1 << 20;

/** Undefined on a machine that never accepted a bundle. Throws `HF_BUNDLE_FAILED` if others can write the record. */
export function readRecord(paths: CentralPaths): CentralRecord | undefined {
  const path = recordPath(paths);
  const bytes = readOwned(paths, path, longestRecord);
  if (bytes === undefined) return undefined;
  const record = parseCentral(bytes);
  if (record === undefined) throw untrusted(path, 'is not in the form that Holdfast writes');
  return record;
}

/** Returns the bytes of a stored bundle. They still have to be verified. */
export function readBundle(paths: CentralPaths, serial: number): Buffer {
  const path = bundlePath(paths, serial);
  const bytes = readOwned(paths, path, mostBundleBytes);
  if (bytes === undefined) throw failedBundle(`${path} is gone`, 'fetch a newer bundle with `holdfast policy fetch`');
  return bytes;
}

/** The state of the policy file: its SHA-256, or the reason that it has none. */
export type PolicyFile =
  | { readonly kind: 'file'; readonly sha256: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unusual' };

export function policyFile({ policy }: CentralPaths): PolicyFile {
  if (lstatSync(policy, { throwIfNoEntry: false }) === undefined) return { kind: 'absent' };
  try {
    const bytes = readPlain(policy, longestPolicy);
    return bytes === undefined ? { kind: 'unusual' } : { kind: 'file', sha256: hash('sha256', bytes) };
  } catch {
    return { kind: 'unusual' };
  }
}

/**
 * Puts a policy into force. The record is written first. After a crash between the two writes, the machine knows the
 * newer serial, and the older policy stays in force until the next fetch.
 */
export function writeForce(paths: CentralPaths, record: CentralRecord, policy: string): void {
  write(recordPath(paths), Buffer.from(centralText(record)));
  write(paths.policy, Buffer.from(policy));
  const kept = new Set(record.bundles.map(({ serial }) => `${serial}.bundle`));
  for (const name of readdirSync(paths.directory))
    if (name.endsWith('.bundle') && !kept.has(name)) rmSync(join(paths.directory, name), { force: true });
}

export function writeBundle(paths: CentralPaths, serial: number, bytes: Uint8Array): void {
  write(bundlePath(paths, serial), bytes);
}

function write(path: string, bytes: Uint8Array): void {
  writeOwnFile({ path, bytes, mode: 0o644 });
}

/** Runs `work` while no other process changes the policy in force. Creates the directories. */
export function changeForce<T>(paths: CentralPaths, work: () => T): T {
  try {
    for (const directory of [dirname(paths.directory), paths.directory]) makeShared(directory);
    return withDirectoryLock(paths.directory, work, () =>
      failedBundle('another process is changing the policy in force', 'wait until it has ended'),
    );
  } catch (cause) {
    throw isHoldfastError(cause) || !isOfSystem(cause) ? cause : unwritable(paths.directory, cause, remedies);
  }
}

/** Runs of every user read from this directory. */
function makeShared(path: string): void {
  if (hasOwned(path)) return;
  mkdirSync(path);
  chmodSync(path, 0o755);
  syncStore(dirname(path));
}

function readOwned({ directory }: CentralPaths, path: string, longest: number): Buffer | undefined {
  if (![dirname(directory), directory].every(hasOwned)) return undefined;
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  checkOwner(path, stats);
  const bytes = readPlain(path, longest);
  if (bytes === undefined) throw untrusted(path, 'is not a regular file, or is too long');
  return bytes;
}

function hasOwned(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (!stats.isDirectory()) throw untrusted(path, 'is not a directory');
  checkOwner(path, stats);
  return true;
}

/**
 * Undefined for anything except a regular file of at most this length. Follows no link, and does not wait for a FIFO.
 */
function readPlain(path: string, longest: number): Buffer | undefined {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    const stats = fstatSync(fd);
    return stats.isFile() && stats.size <= longest ? readFileSync(fd) : undefined;
  } finally {
    closeSync(fd);
  }
}

const othersMayWrite = 0o022;

/** Attack: anyone who can write the pin chooses the key. */
function checkOwner(path: string, { uid, mode }: Stats): void {
  if (uid !== 0 && uid !== process.geteuid?.()) throw untrusted(path, `belongs to user ${uid}`);
  if ((mode & othersMayWrite) !== 0) throw untrusted(path, 'can be written by others');
}

function untrusted(path: string, why: string): HoldfastError {
  return failedBundle(
    `${path} ${why}, so Holdfast does not trust it`,
    'find out who changed it; move the directory away and fetch again with --key',
  );
}

const remedies = { full: 'free some space, and fetch again', denied: 'run it as the administrator, as with sudo' };

function isOfSystem(cause: unknown): cause is NodeJS.ErrnoException {
  return cause instanceof Error && 'syscall' in cause;
}
