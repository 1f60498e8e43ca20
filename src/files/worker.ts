import type { Readable, Writable } from 'node:stream';

/** Starts workers. Where the boundary comes from is its business: this room only speaks with what it started. */
export interface WorkerSource {
  /** Rejects when no confined worker can be had here. */
  start(): Promise<WorkerProcess>;
}

/** One running worker, from its start to its end. */
export interface WorkerProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Milliseconds in which it has greeted. Default: 20000. */
  readonly patience?: number;
  /** Resolves when it and its box have ended; rejects when the box could not be built. */
  readonly ended: Promise<WorkerEnd>;
  /** Ends it at once. */
  end(): void;
  /** Whether the process has to live on for its sake. */
  hold(how: 'ref' | 'unref'): void;
}

export interface WorkerEnd {
  /** 0 to 255; 128+n when a signal ended it. */
  readonly exitCode: number;
  /** The last of what it, or what built its box, said. */
  readonly said: string;
}
