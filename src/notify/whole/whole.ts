import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import process from 'node:process';
import { kernelCall } from '../../kernel/index.ts';
import type { RootFile } from '../../plan/types.ts';
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
  /** Earlier refusals: repeated tries of one call are reported once. */
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

/** As a box with mounts would say it. */
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
 * For the journal and `why`, where some rule or list says so. What is merely not granted shows in the command's own
 * words.
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

/** Files of a plan that are no files of the host: the box gets them when it opens them. */
interface SealedFiles {
  /** A new descriptor for reading, with an offset of its own. */
  open(file: RootFile): number;
}

const closeOnExec = 1;
const allowSealing = 2;
const addSeals = 1033;
/** `F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE`. */
const everySeal = 0xf;

/** Made when they are first wanted, and kept as long as the box. */
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

/** The box's own processes, where no namespace tells them apart. */
interface BoxProcesses {
  /**
   * Whether a number currently means one of them. A caller that acts on it holds its directory of procfs, which never
   * belongs to another process.
   */
  has(pid: number): boolean;
}

/** More parents than any process has. */
const deepest = 4096;

/**
 * Descendants of the launcher that are under more filters than it is: in a container every process is under some. The
 * keeper adopts processes that lose their parent, so that none leaves the tree. The launcher's own processes do not
 * concern the box. `thread` is any of the box.
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

/** A process and those above it, below the supervisor. */
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
