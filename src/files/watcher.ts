import type { WorkerConnection, EventSink } from './connection.ts';
import type { Desk } from './desk.ts';
import type { FilePath, FileResult, WatchEvent } from './types.ts';

export interface WatchOptions {
  /** `directory`: its entries, not deeper. Default: `directory`. */
  readonly depth?: 'directory' | 'tree';
}

/** An event of a watched path. */
export interface FileEvent {
  /**
   * After `overflow`, some events were missed, so look for changes yourself. After `gone` of the watched path itself,
   * the loop ends.
   */
  readonly event: WatchEvent['event'];
  /** Relative to the watched path. Empty for the watched path itself. */
  readonly path: string;
  /** The exact bytes of `path`. */
  readonly bytes: Buffer;
}

/** Events that may wait. Beyond that, all events become one `overflow`, until some are taken. */
const mostWaiting = 16_384;

export async function watchFiles(
  desk: Desk,
  path: FilePath,
  { depth = 'directory' }: WatchOptions,
): Promise<FileWatcher> {
  const connection = desk.connection();
  const watcher = new FileWatcher(desk, connection);
  // Runs while the reply is read, because the first event may follow in the same bytes.
  const onResult = (result: FileResult): void => {
    if (result.kind === 'opened') watcher.attach(result.handle);
  };
  await desk.one({ kind: 'watch', path, depth }, { connection, onResult });
  return watcher;
}

/**
 * The events of one watch, in their order, for one `for await`. Leaving the loop closes it. Rejects with
 * `HF_FILES_WORKER_ENDED` if the worker has ended.
 */
export class FileWatcher implements AsyncIterableIterator<FileEvent, undefined, undefined>, EventSink {
  readonly #desk: Desk;
  readonly #connection: WorkerConnection;
  readonly #events: FileEvent[] = [];
  #wake: (() => void) | undefined;
  #state: { readonly kind: 'open' | 'closed' } | { readonly kind: 'lost'; readonly error: unknown } = { kind: 'open' };
  #handle = -1;

  /** Called by `files.watch`. */
  constructor(desk: Desk, connection: WorkerConnection) {
    this.#desk = desk;
    this.#connection = connection;
  }

  /** Called once the worker watches. */
  attach(handle: number): void {
    this.#handle = handle;
    this.#connection.listen(handle, this);
  }

  event({ event, path }: WatchEvent): void {
    if (this.#state.kind !== 'open' || this.#events.length > mostWaiting) return;
    // A copy, because the worker's buffer is reused.
    const bytes = Buffer.from(path);
    this.#events.push(
      this.#events.length === mostWaiting
        ? { event: 'overflow', path: '', bytes: Buffer.alloc(0) }
        : { event, path: bytes.toString(), bytes },
    );
    this.#wakeUp();
  }

  lost(error: unknown): void {
    this.#state = { kind: 'lost', error };
    this.#wakeUp();
  }

  async next(): Promise<IteratorResult<FileEvent, undefined>> {
    for (;;) {
      const event = this.#events.shift();
      if (event?.event === 'gone') await this.close();
      if (event !== undefined) return { done: false, value: event };
      if (this.#state.kind === 'lost') throw this.#state.error;
      if (this.#state.kind === 'closed') return { done: true, value: undefined };
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  async return(): Promise<IteratorResult<FileEvent, undefined>> {
    await this.close();
    return { done: true, value: undefined };
  }

  /** Stops watching, and drops waiting events. */
  async close(): Promise<void> {
    this.#events.length = 0;
    if (this.#state.kind !== 'open') return;
    this.#state = { kind: 'closed' };
    this.#wakeUp();
    const connection = this.#connection;
    if (!connection.isEnded)
      await this.#desk
        .one({ kind: 'unwatch', handle: this.#handle }, { connection })
        .finally(() => connection.unlisten(this.#handle));
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #wakeUp(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}
