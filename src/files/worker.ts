import type { Readable, Writable } from 'node:stream';

/** Starts workers, and decides their boundary. This room only talks to the worker. */
export interface WorkerSource {
  /** Rejects if no confined worker can run here. */
  start(): Promise<WorkerProcess>;
}

/** One running worker, from its start to its end. */
export interface WorkerProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Milliseconds for the worker to greet. Default: 20000. */
  readonly patience?: number;
  /** Resolves when the worker and its box have ended. Rejects if the box could not be built. */
  readonly ended: Promise<WorkerEnd>;
  end(): void;
  /** Sets whether the worker keeps this process alive. */
  hold(how: 'ref' | 'unref'): void;
}

export interface WorkerEnd {
  /** 0 to 255; 128+n if signal n ended it. */
  readonly exitCode: number;
  /** Last output of the worker, or of the launcher that built its box. */
  readonly said: string;
}
