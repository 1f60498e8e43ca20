import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { HoldfastError } from '../../errors/index.ts';
import { isKernelError, kernelCall, removeTree } from '../../kernel/index.ts';
import type { AcceptPlan } from './types.ts';

/** A completed accept that can be undone. */
export interface AcceptRecord {
  readonly id: string;
  /** Absolute path. Holds the journal, and the old entries of the host and the layer. */
  readonly directory: string;
  readonly layer: string;
  readonly workspace: string;
  /** Milliseconds since 1970. */
  readonly accepted: number;
  /** Number of the host's entries that were replaced. */
  readonly entries: number;
  /** Bytes of kept entries. */
  readonly bytes: number;
}

/**
 * Names of the journal: of an unfinished accept, and of a finished one. `kept`: it ended, but some entries could not be
 * put back.
 */
export const journalName = 'journal';
const doneName = 'journal.done';
const keptName = 'journal.kept';

/** Accepts of one workspace that can be undone, and bytes that they may keep. The newest is always kept. */
const retention = { records: 10, bytes: 1 << 30 } as const;

function recordsDirectory(state: string): string {
  return join(state, 'accepted');
}

/**
 * Makes an empty record, whose name sorts after all earlier ones, and runs `work` while it holds it. Nobody sees the
 * record before it is held: a command that recovers would take it for an abandoned one. Throws `HF_STAGED_BUSY`.
 */
export function withNewRecord(state: string, work: (record: string) => void): void {
  mkdirSync(recordsDirectory(state), { recursive: true, mode: 0o700 });
  for (let tries = 0; tries < mostTries; tries += 1) {
    const id = `${Date.now().toString(36)}-${randomBytes(3).toString('hex')}`;
    const [fresh, record] = [`.new-${id}`, id].map((name) => join(recordsDirectory(state), name)) as [string, string];
    mkdirSync(fresh, { mode: 0o700 });
    const done = withRecordLock(fresh, () => {
      for (const name of ['host', 'staged']) mkdirSync(join(fresh, name), { mode: 0o700 });
      renameSync(fresh, record);
      work(record);
      return 'done';
    });
    if (done !== undefined) return;
  }
  throw new HoldfastError('HF_STAGED_BUSY', 'other commands remove each new record of an accept', {
    remedy: 'accept again',
  });
}

/** Another process can remove a new record only in the moment before this one holds it. */
const mostTries = 100;

/** Lists directories of unfinished accepts. */
export function openRecords(state: string): readonly string[] {
  return recordDirectories(state).filter(
    (directory) => !existsSync(join(directory, doneName)) && !existsSync(join(directory, keptName)),
  );
}

/** Lists accepts that can be undone, newest first. */
export function listAccepts(state: string, workspace?: string): readonly AcceptRecord[] {
  return recordDirectories(state)
    .filter((directory) => existsSync(join(directory, doneName)))
    .flatMap((directory) => readSummary(directory) ?? [])
    .filter((record) => workspace === undefined || record.workspace === workspace)
    .toSorted((a, b) => b.accepted - a.accepted || (a.id < b.id ? 1 : -1));
}

/** Marks the accept as finished. It can be undone from now on. */
export function closeRecord(directory: string, plan: AcceptPlan): void {
  const bytes = plan.steps.reduce(
    (sum, { before, staged, way }) =>
      sum + Number(before?.size ?? 0) + (way === 'copy' ? Number(staged?.size ?? 0) : 0),
    0,
  );
  const summary: Summary = {
    layer: plan.layer.id,
    workspace: plan.layer.workspace,
    accepted: plan.begun,
    entries: plan.steps.length,
    bytes,
  };
  writeFileSync(join(directory, 'summary.json'), `${JSON.stringify(summary)}\n`, { mode: 0o600 });
  renameSync(join(directory, journalName), join(directory, doneName));
}

/** Marks the accept as unfinished, because its undo has begun. */
export function reopenRecord(directory: string): void {
  renameSync(join(directory, doneName), join(directory, journalName));
}

/** Marks the accept as ended, with entries that could not be put back. */
export function keepRecord(directory: string): void {
  renameSync(join(directory, journalName), join(directory, keptName));
}

export function doneJournalOf(directory: string): string {
  return join(directory, doneName);
}

export function removeRecord(directory: string): void {
  const doomed = join(dirname(directory), `.removed-${directory.slice(directory.lastIndexOf('/') + 1)}`);
  renameSync(directory, doomed);
  removeTree(doomed);
}

/** A record whose creation or removal was interrupted by a kill. */
const leftover = /^\.(?:new|removed)-/u;

/** Removes leftovers. A working process holds its own record, which stays. */
export function removeLeftovers(state: string): void {
  for (const name of namesIn(recordsDirectory(state))) {
    const left = join(recordsDirectory(state), name);
    if (leftover.test(name)) withRecordLock(left, () => removeTree(left));
  }
}

/** Removes the oldest accepts of a workspace beyond the limits. */
export function pruneRecords(state: string, workspace: string): void {
  let bytes = 0;
  for (const [index, record] of listAccepts(state, workspace).entries()) {
    bytes += record.bytes;
    if (index > 0 && (index >= retention.records || bytes > retention.bytes))
      withRecordLock(record.directory, () => removeRecord(record.directory));
  }
}

/**
 * Runs `work` while it holds the record. Returns undefined, without running it, if another process holds the record or
 * has just removed it.
 */
export function withRecordLock<T>(directory: string, work: () => T): T | undefined {
  const descriptor = openRecord(directory);
  if (descriptor === undefined) return undefined;
  try {
    // Its last holder may have removed it. No name is used twice.
    return isHeldNow(descriptor) && existsSync(directory) ? work() : undefined;
  } finally {
    closeSync(descriptor);
  }
}

function isHeldNow(descriptor: number): boolean {
  try {
    kernelCall('flock', descriptor, exclusiveNow);
    return true;
  } catch (error) {
    if (isKernelError(error, 'EAGAIN')) return false;
    throw error;
  }
}

function openRecord(directory: string): number | undefined {
  try {
    return openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** `flock(2)`: exclusive, without waiting. */
const exclusiveNow = 2 | 4;

type Summary = Omit<AcceptRecord, 'id' | 'directory'>;

function readSummary(directory: string): AcceptRecord | undefined {
  try {
    return {
      ...(JSON.parse(readFileSync(join(directory, 'summary.json'), 'utf8')) as Summary),
      id: directory.slice(directory.lastIndexOf('/') + 1),
      directory,
    };
  } catch {
    return undefined;
  }
}

function recordDirectories(state: string): readonly string[] {
  return namesIn(recordsDirectory(state))
    .filter((name) => !name.startsWith('.'))
    .map((name) => join(recordsDirectory(state), name));
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
