import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import process from 'node:process';
import { kernelCall } from '../../kernel/index.ts';
import type { RootFile } from '../../plan/mount.ts';
import { decide } from '../../policy/decide.ts';
import type { FileAccess, FileRequest } from '../../policy/request.ts';
import type { FileLaw, RefusedAs } from '../law/file-law.ts';
import type { Supervision } from '../supervise/context.ts';
import { readable } from '../view/byte-text.ts';
import type { Later } from './later.ts';
import type { MadeHere, OtherNames } from './other-names.ts';

/** The shared state of all answers for a box without mounts. */
export interface Whole {
  readonly supervision: Supervision;
  readonly law: FileLaw;
  readonly ground: MadeHere;
  readonly others: OtherNames;
  readonly files: SealedFiles;
  readonly processes: BoxProcesses;
  readonly later: Later;
  /** Refusals that were reported. Repeated attempts of one call are reported once. */
  readonly told: Set<string>;
}

const mostTold = 10_000;

export const errno = {
  noEntry: 2,
  noDevice: 6,
  badDescriptor: 9,
  accessDenied: 13,
  badAddress: 14,
  busy: 16,
  exists: 17,
  otherDevice: 18,
  notDirectory: 20,
  readOnly: 30,
  nameTooLong: 36,
  loop: 40,
  notSupported: 95,
} as const;

/** The errno that a box with mounts would give. */
export function errnoOf(how: RefusedAs, operation: FileAccess | 'move'): number {
  switch (how) {
    case 'absent':
      return operation === 'create' ? errno.accessDenied : errno.noEntry;
    case 'hidden':
      return errno.accessDenied;
    case 'fixed':
      return errno.readOnly;
    case 'pinned':
      return errno.busy;
  }
}

/**
 * Reports a refusal to the journal and `why`, if a rule or a list decided it. A path without a grant shows only in the
 * command's own output.
 */
export function tell({ supervision: { options }, told }: Whole, operation: FileAccess | 'move', path: string): void {
  const key = `${operation}${path}`;
  if (told.has(key)) return;
  if (told.size < mostTold) told.add(key);
  const request: FileRequest = {
    kind: 'file',
    operation: operation === 'move' ? 'delete' : operation,
    path: readable(path),
  };
  const verdict = decide(options.policy, request);
  if (verdict.decision === 'deny' && verdict.code !== 'not-granted' && verdict.code !== 'outside-ceiling')
    options.report({ kind: 'refused', request, verdict });
}

/** Files of the plan that do not exist on the host. The box gets them when it opens them. */
interface SealedFiles {
  /** Returns a new descriptor for reading, with its own offset. */
  open(file: RootFile): number;
}

const closeOnExec = 1;
const allowSealing = 2;
const addSeals = 1033;
/** `F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE`. */
const everySeal = 0xf;

/** Made on first use, and kept as long as the box. */
export function sealedFiles(atEnd: Supervision['atEnd']): SealedFiles {
  const made = new Map<string, number>();
  atEnd(() => [...made.values()].forEach((memory) => closeSync(memory)));
  return {
    open(file) {
      const memory = made.get(file.target) ?? seal(file);
      made.set(file.target, memory);
      return openSync(`/proc/self/fd/${memory}`, 'r');
    },
  };
}

function seal({ content, encoding = 'utf8' }: RootFile): number {
  const memory = kernelCall('memfd_create', 'file', closeOnExec | allowSealing);
  try {
    const bytes = Buffer.from(content, encoding);
    for (let at = 0; at < bytes.length; ) at += writeSync(memory, bytes, at);
    kernelCall('fcntl', memory, addSeals, everySeal);
    return memory;
  } catch (error) {
    closeSync(memory);
    throw error;
  }
}

/** The box's own processes, because no namespace separates them. */
interface BoxProcesses {
  /**
   * Whether a PID currently belongs to the box. A caller that acts on it first opens its procfs directory, which never
   * belongs to another process.
   */
  has(pid: number): boolean;
}

/** More parents than any process has. */
const deepest = 4096;

/**
 * Descendants of the launcher with more filters than the launcher has: in a container every process has some. The
 * keeper adopts processes that lose their parent, so that none leaves the tree. The box has no access to the launcher's
 * own processes. `thread` is any thread of the box.
 */
export function boxProcesses(thread: number): BoxProcesses {
  const top = lineOf(thread).at(-1) ?? 0;
  const ofLauncher = filtersOf(top) ?? Infinity;
  return { has: (pid) => (filtersOf(pid) ?? 0) > ofLauncher && lineOf(pid).slice(1).includes(top) };
}

/** The number of a process's seccomp filters (kernel 5.9). Undefined after its end. */
function filtersOf(pid: number): number | undefined {
  const [, count] = /^Seccomp_filters:\t(\d+)$/mu.exec(statusOf(pid) ?? '') ?? [];
  return count === undefined ? undefined : Number(count);
}

/** A process and its ancestors, below the supervisor. */
function lineOf(thread: number): readonly number[] {
  const line: number[] = [];
  for (let at = thread; at > 1 && at !== process.pid && line.length < deepest; ) {
    const status = statusOf(at);
    if (status === undefined) break;
    line.push(Number(/^Tgid:\t(\d+)$/mu.exec(status)?.[1] ?? 0));
    at = Number(/^PPid:\t(\d+)$/mu.exec(status)?.[1] ?? 0);
  }
  return line;
}

function statusOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/status`, 'latin1');
  } catch {
    return undefined;
  }
}
