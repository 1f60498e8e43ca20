import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { HoldfastError, isHoldfastError } from '../../errors/index.ts';
import { withDirectoryLock } from '../../kernel/index.ts';
import type { TrustEntry, TrustLevel } from '../types.ts';
import { objectsDirectory, recordDirectory, recordName, recordNamePattern, type TrustPaths } from './layout.ts';
import { parseRecord, recordText } from './parse-record.ts';
import { longestRecord, readLevel } from './read-trust.ts';
import {
  hasOwnDirectory,
  makeOwnDirectory,
  readOwnFile,
  syncStore,
  unwritable,
  writeOwnFile,
} from './write-own-file.ts';

/** A new entry, with the bytes of its file and of the scripts that it names. */
export interface TrustGrant {
  readonly entry: TrustEntry;
  /** Bytes by their SHA-256, which the caller has checked. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

export interface Keeping {
  /** Real path. */
  readonly workspace: string;
  readonly level: TrustLevel;
  /** Approvals whose entries have that level. */
  readonly approvals: readonly TrustGrant[];
  /** Called before anything is written. An error stops the change. */
  readonly journal: () => void;
}

/** Adds approvals. Each replaces an earlier one of the same path and level. Concurrent processes lose nothing. */
export function keepApprovals(paths: TrustPaths, { workspace, level, approvals, journal }: Keeping): void {
  const names = new Set(approvals.map(({ entry }) => entry.path));
  changeLocked(paths, () => {
    const kept = readLevel(paths, workspace, level).entries.filter(({ path }) => !names.has(path));
    journal();
    for (const { contents } of approvals) writeObjects(paths, contents);
    writeLevel(paths, { workspace, level, entries: [...kept, ...approvals.map(({ entry }) => entry)] });
    collectObjects(paths);
  });
}

export interface Revoking {
  readonly workspace: string;
  readonly revoked: (entry: TrustEntry) => boolean;
  /** Called with the entries before they are revoked, if there are any. An error stops the change. */
  readonly journal: (entries: readonly TrustEntry[]) => void;
}

/** Revokes approvals at both levels, and returns them. */
export function revokeApprovals(paths: TrustPaths, { workspace, revoked, journal }: Revoking): readonly TrustEntry[] {
  if (!levels.some((level) => hasOwnDirectory(recordDirectory(paths, level)))) return [];
  return changeLocked(paths, () => {
    const found = levels.map((level) => ({ level, entries: readLevel(paths, workspace, level).entries }));
    const gone = found.flatMap(({ entries }) => entries.filter(revoked));
    if (gone.length === 0) return [];
    journal(gone);
    for (const { level, entries } of found) {
      const kept = entries.filter((entry) => !revoked(entry));
      if (kept.length < entries.length) writeLevel(paths, { workspace, level, entries: kept });
    }
    collectObjects(paths);
    return gone;
  });
}

const levels: readonly TrustLevel[] = ['session', 'always'];

/**
 * Runs `work` under the lock of the trust store. All workspaces share one lock, because they share the approved bytes.
 */
export function changeLocked<T>(paths: TrustPaths, work: () => T): T {
  try {
    makeOwnDirectory(paths.trust);
    return withDirectoryLock(
      paths.trust,
      work,
      () =>
        new HoldfastError('HF_STATE_UNWRITABLE', 'another process is changing approvals', {
          remedy: 'wait until it has ended',
        }),
    );
  } catch (cause) {
    throw isHoldfastError(cause) ? cause : unwritable(paths.trust, cause);
  }
}

function writeObjects(paths: TrustPaths, contents: TrustGrant['contents']): void {
  const directory = objectsDirectory(paths);
  makeOwnDirectory(directory);
  for (const [sha256, bytes] of contents) writeOwnFile({ path: join(directory, sha256), bytes, mode: 0o400 });
}

interface Level {
  readonly workspace: string;
  readonly level: TrustLevel;
  readonly entries: readonly TrustEntry[];
}

/** A workspace without approvals has no record. */
function writeLevel(paths: TrustPaths, { workspace, level, entries }: Level): void {
  const directory = recordDirectory(paths, level);
  const path = join(directory, recordName(workspace));
  if (entries.length === 0) {
    rmSync(path);
    syncStore(directory);
    return;
  }
  makeOwnDirectory(directory);
  const sorted = entries.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  writeOwnFile({ path, bytes: Buffer.from(recordText({ version: 1, workspace, entries: sorted })), mode: 0o600 });
}

/**
 * Removes approved bytes that no record names, and leftovers of a crash. If a record is unreadable, removes no bytes,
 * because that record may name them.
 */
function collectObjects(paths: TrustPaths): void {
  const directory = objectsDirectory(paths);
  if (!hasOwnDirectory(directory)) return;
  const named = namedObjects(paths);
  if (named === undefined) return;
  for (const name of readdirSync(directory)) {
    if (!named.has(name)) rmSync(join(directory, name), { force: true });
  }
}

/** Returns the stored objects of an entry. */
function objectsOf({ sha256, scripts }: Pick<TrustEntry, 'sha256' | 'scripts'>): readonly string[] {
  return [sha256, ...scripts.flatMap((script) => script.sha256 ?? [])];
}

function namedObjects(paths: TrustPaths): ReadonlySet<string> | undefined {
  try {
    return new Set([...entriesOfAll(paths, 'always'), ...entriesOfAll(paths, 'session')].flatMap(objectsOf));
  } catch (error) {
    if (isHoldfastError(error)) return undefined;
    throw error;
  }
}

function entriesOfAll(paths: TrustPaths, level: TrustLevel): readonly TrustEntry[] {
  const directory = recordDirectory(paths, level);
  if (!hasOwnDirectory(directory)) return [];
  return readdirSync(directory)
    .filter((name) => recordNamePattern.test(name))
    .flatMap((name) => {
      const path = join(directory, name);
      const bytes = readOwnFile(path, longestRecord);
      return bytes === undefined ? [] : parseRecord({ path, bytes }, level).entries;
    });
}
