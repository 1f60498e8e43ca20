import { readFileSync, readlinkSync } from 'node:fs';
import { atFdcwd } from '../../kernel/index.ts';

/**
 * The absolute path of the caller's path, before any symlink is followed. Undefined if it starts at a descriptor that
 * is not a named directory.
 */
export function absoluteWords(thread: number, directory: number, words: string): string | undefined {
  if (words.startsWith('/')) return ownProcess(thread, words);
  const start = startOf(linkText, thread, directory);
  if (start === undefined) return undefined;
  return words === '' ? start : start === '/' ? `/${words}` : `${start}/${words}`;
}

/**
 * The directory where a relative path starts. Read again each time, because no call reports a change. Undefined if it
 * has no name.
 */
export function startOf(
  textOf: (link: string) => string | undefined,
  thread: number,
  directory: number,
): string | undefined {
  const start = textOf(directory === atFdcwd ? `/proc/${thread}/cwd` : `/proc/${thread}/fd/${directory}`);
  return start === undefined || !start.startsWith('/') || start.endsWith(' (deleted)') ? undefined : start;
}

/** `/proc/self` means the reader, which would be the supervisor. So replace it with the caller's PID in the box. */
function ownProcess(thread: number, words: string): string {
  const found = /^\/+(?:proc\/+(self|thread-self)(?=\/|$)|dev\/+(?:(fd)(?=\/|$)|(stdin|stdout|stderr)$))/u.exec(words);
  if (found === null) return words;
  const rest = words.slice(found[0].length);
  const own = `/proc/${namesInBox(thread).process}`;
  if (found[1] === 'self') return own + rest;
  if (found[1] === 'thread-self') return `${own}/task/${namesInBox(thread).thread}${rest}`;
  return `${own}/fd${found[2] === undefined ? `/${standard[found[3] ?? ''] ?? 0}` : rest}`;
}

const standard: Readonly<Record<string, number>> = { stdin: 0, stdout: 1, stderr: 2 };

export interface Names {
  /** PID and TID in the thread's innermost PID namespace. */
  readonly process: number;
  readonly thread: number;
}

/** Zero for a thread that has ended. */
export function namesInBox(thread: number): Names {
  return { process: innermost(thread, 'NStgid'), thread: innermost(thread, 'NSpid') };
}

/** PID of the thread's process in the supervisor's namespace. */
export function processOfThread(thread: number): number {
  return Number(statusField(thread, 'Tgid') ?? 0);
}

/** The caller's umask. */
export function umaskOf(thread: number): number {
  return Number.parseInt(statusField(thread, 'Umask') ?? '077', 8);
}

function innermost(thread: number, field: string): number {
  return Number(statusField(thread, field)?.split('\t').at(-1) ?? 0);
}

function statusField(thread: number, field: string): string | undefined {
  try {
    return new RegExp(`^${field}:\\s*(.*)$`, 'mu').exec(readFileSync(`/proc/${thread}/status`, 'latin1'))?.[1];
  } catch {
    return undefined;
  }
}

export function linkText(path: string): string | undefined {
  try {
    return readlinkSync(path, 'latin1');
  } catch {
    return undefined;
  }
}
