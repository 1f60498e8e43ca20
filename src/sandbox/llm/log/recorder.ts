import { type CallFile, openCallFile } from './call-file.ts';
import type { CallLine } from './line-types.ts';

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
    // A descriptor that is closed may be somebody else's by now.
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
