import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { callFile, partFile } from './call-id.ts';
import type { CallLine } from './read-call.ts';

/** Writes one call. After a failure it writes nothing more, leaves nothing behind, and delays no caller. */
export interface Recorder {
  /** Returns the reason that nothing is kept. Undefined without a failure. */
  failure(): string | undefined;
  write(line: () => CallLine): void;
  /** Writes a line when the process is idle, or before the next line. */
  soon(line: () => CallLine): void;
  finish(): void;
  drop(): void;
}

export interface RecorderOptions {
  readonly directory: string;
  readonly id: string;
  /** Called with the bytes of the finished file. */
  readonly onKept: (size: number) => void;
}

export function openRecorder({ directory, id, onKept }: RecorderOptions): Recorder {
  let file: CallFile | undefined;
  let failed: string | undefined;
  let waiting: (() => CallLine) | undefined;
  let state: 'open' | 'closed' = 'open';
  const attempt = (work: (file: CallFile) => void): void => {
    // After it was closed, the descriptor's number may already belong to another file.
    if (failed !== undefined || state === 'closed') return;
    try {
      file ??= openCallFile(directory, id);
      work(file);
    } catch (error) {
      failed = wordsOf(error);
      dropped(file);
    }
  };
  const settle = (): void => {
    const line = waiting;
    waiting = undefined;
    if (line !== undefined) attempt((open) => open.line(line()));
  };
  attempt(() => undefined);
  return {
    failure: () => failed,
    write(line) {
      settle();
      attempt((open) => open.line(line()));
    },
    soon(line) {
      settle();
      waiting = line;
      setImmediate(settle);
    },
    finish() {
      settle();
      attempt((open) => onKept(open.finish()));
      state = 'closed';
    },
    drop() {
      waiting = undefined;
      if (state === 'open') dropped(file);
      state = 'closed';
    },
  };
}

function dropped(file: CallFile | undefined): void {
  try {
    file?.drop();
  } catch {
    // The log removes the file later.
  }
}

const longestReason = 200;

function wordsOf(error: unknown): string {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' ? code : String(error).slice(0, longestReason);
}

/** The file of one call while it is written: JSON lines, in gzip members. */
interface CallFile {
  /** Writes one line. Throws errors of the file system. */
  line(value: unknown): void;
  /** Makes the call readable, and returns its size on disk. Throws errors of the file system. */
  finish(): number;
  /** Removes the file. */
  drop(): void;
}

/** Characters to compress together. */
const memberLength = 65_536;
const level = 3;

/** Throws errors of the file system. */
export function openCallFile(directory: string, id: string): CallFile {
  const part = partFile(directory, id);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const fd = openSync(part, 'wx', 0o600);
  let waiting = '';
  let size = 0;
  let state: 'open' | 'closed' = 'open';
  const flush = (): void => {
    if (waiting === '') return;
    const bytes = gzipSync(waiting, { level });
    waiting = '';
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
    size += bytes.length;
  };
  const close = (): void => {
    if (state === 'open') closeSync(fd);
    state = 'closed';
  };
  return {
    line(value) {
      waiting += `${JSON.stringify(value)}\n`;
      if (waiting.length >= memberLength) flush();
    },
    finish() {
      flush();
      close();
      renameSync(part, callFile(directory, id));
      return size;
    },
    drop() {
      close();
      rmSync(part, { force: true });
    },
  };
}
