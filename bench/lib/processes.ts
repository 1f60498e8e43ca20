import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

export interface ProcessMemory {
  readonly pid: number;
  /** The program's file name, e.g. `node` or `bwrap`. */
  readonly program: string;
  /** Resident set, bytes: counts shared pages in full. */
  readonly rss: number;
  /** Proportional set, bytes: shared pages divided among their users. Absent if the kernel does not show it. */
  readonly pss?: number;
}

/** A process and its descendants, the root first. */
export function processTree(root: number): readonly ProcessMemory[] {
  const parents = new Map(allProcesses().map((pid) => [pid, parentOf(pid)]));
  const below = (pid: number): readonly number[] =>
    [...parents].filter(([, parent]) => parent === pid).flatMap(([child]) => [child, ...below(child)]);
  return [root, ...below(root)].flatMap((pid) => describeProcess(pid) ?? []);
}

function allProcesses(): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** The name in parentheses may hold anything, spaces and parentheses included. */
function parentOf(pid: number): number | undefined {
  const stat = read(`/proc/${pid}/stat`);
  return stat === undefined ? undefined : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

/** Absent if the process has ended meanwhile. */
function describeProcess(pid: number): ProcessMemory | undefined {
  const status = read(`/proc/${pid}/status`);
  if (status === undefined) return undefined;
  const rss = kilobytes(status, 'VmRSS') ?? 0;
  const pss = kilobytes(read(`/proc/${pid}/smaps_rollup`) ?? '', 'Pss');
  const name = /^Name:\s+(.*)$/m.exec(status)?.[1] ?? '';
  return { pid, program: programOf(pid) ?? name, rss, ...(pss === undefined ? {} : { pss }) };
}

function programOf(pid: number): string | undefined {
  try {
    return basename(readlinkSync(`/proc/${pid}/exe`));
  } catch {
    return undefined;
  }
}

function kilobytes(text: string, field: string): number | undefined {
  const found = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1];
  return found === undefined ? undefined : Number(found) * 1024;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
