import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { callFile, partFile } from './call-id.ts';
import type { CallLine } from './read-call.ts';

/** Writes one call. Once something fails nothing more is written, nothing is left, and nobody is kept from going on. */
export interface Recorder {
  /** Why nothing is kept; undefined as long as all went well. */
  failure(): string | undefined;
  write(line: () => CallLine): void;
  /** When there is nothing else to do, or before the next line. */
  soon(line: () => CallLine): void;
  finish(): void;
  drop(): void;
}

export interface RecorderOptions {
  readonly directory: string;
  readonly id: string;
  /** Told the bytes of the file when it is there to stay. */
  readonly onKept: (size: number) => void;
}

export function openRecorder({ directory, id, onKept }: RecorderOptions): Recorder {
  let file: CallFile | undefined;
  let failed: string | undefined;
  let waiting: (() => CallLine) | undefined;
  let state: 'open' | 'closed' = 'open';
  const attempt = (work: (file: CallFile) => void): void => {
    // A descriptor that is closed may be someone else's by now.
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
    // It is pruned later.
  }
}

const longestReason = 200;

function wordsOf(error: unknown): string {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' ? code : String(error).slice(0, longestReason);
}

/** The file of one call while it is written: lines of JSON, in members of gzip. */
interface CallFile {
  /** Throws what the file system says. */
  line(value: unknown): void;
  /** From here on the call can be read. Returns its bytes on the disk. Throws what the file system says. */
  finish(): number;
  /** As if it had never been. */
  drop(): void;
}

/** Characters that wait to be compressed together. */
const memberLength = 65_536;
const level = 3;

/** Throws what the file system says. */
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
