import type { HoldfastError } from '../errors/index.ts';
import { RequestLedger, Outbox, type Pending } from './ledger.ts';
import { lossOf, lostWatch, workerUnavailable } from './losses.ts';
import type { FileOperation, FileResult, WatchEvent } from './types.ts';
import { encodeCancel, encodeFileRequest } from './wire/encode-request.ts';
import { WorkerReplyReader } from './wire/reply-reader.ts';
import type { WorkerEnd, WorkerProcess, WorkerSource } from './worker.ts';

/** Milliseconds for a started worker to send its greeting. */
const greetingPatience = 20_000;

export interface RequestOptions {
  /** Default: `at-failure`. */
  readonly stop?: Pending['stop'];
  /** Called while the reply is read, before any event that follows it. */
  readonly onResult?: (result: FileResult) => void;
  /** When aborted, an unsent request rejects with its reason, and remaining operations of a sent one do not run. */
  readonly signal?: AbortSignal | undefined;
}

/** Receiver of the events of one watch. */
export interface EventSink {
  event(event: WatchEvent): void;
  /** Called once no more events will come. */
  lost(error: unknown): void;
}

/**
 * One worker, from its start to its end. Requests are sent in the order of the calls, each exactly once. When the
 * worker ends, every request without an answer is rejected with its known state.
 */
export class WorkerConnection {
  readonly #ledger = new RequestLedger();
  readonly #reader = new WorkerReplyReader();
  readonly #outbox = new Outbox();
  readonly #sinks = new Map<number, EventSink>();
  readonly #closed: Promise<void>;
  #process: WorkerProcess | undefined;
  #state: 'starting' | 'open' | 'ended' = 'starting';
  #nextId = 1;
  #greeting: NodeJS.Timeout | undefined;
  /** The failure that was reported when its box ended. */
  #left: { readonly error: unknown } | undefined;
  #cork: 'corked' | 'open' = 'open';

  constructor(source: WorkerSource) {
    this.#closed = this.#start(source);
  }

  get isEnded(): boolean {
    return this.#state === 'ended';
  }

  /**
   * Resolves with a result for each operation that ran. If a failure stopped the request, there are fewer results than
   * operations.
   */
  request(
    operations: readonly FileOperation[],
    { stop = 'at-failure', onResult, signal }: RequestOptions = {},
  ): Promise<readonly FileResult[]> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const pending: Pending = {
        id: this.#takeId(),
        operations,
        stop,
        results: [],
        onResult,
        resolve,
        reject,
        weight: weightOf(operations),
      };
      if (signal !== undefined) this.#listenTo(signal, pending);
      if (this.#state === 'ended')
        return pending.reject(
          lossOf(pending, { position: 'later', reason: 'the worker that it belonged to has ended' }),
        );
      this.#outbox.add(pending);
      this.#sendAll();
    });
  }

  /** Sets the receiver of the events of a watch on this worker. */
  listen(handle: number, sink: EventSink): void {
    this.#sinks.set(handle, sink);
    this.#process?.hold('ref');
  }

  unlisten(handle: number): void {
    this.#sinks.delete(handle);
    this.#releaseIfIdle();
  }

  /** Ends the worker and waits for its end. Rejects if its box left behind something that it should not. */
  async close(): Promise<void> {
    this.#process?.hold('ref');
    this.#fail(undefined, 'it was closed');
    this.#process?.end();
    await this.#closed;
    if (this.#left !== undefined) throw this.#left.error;
  }

  async #start(source: WorkerSource): Promise<void> {
    try {
      const process = await source.start();
      if (this.isEnded) process.end();
      await this.#serve(process);
    } catch (error) {
      this.#fail(workerUnavailable(error), 'it could not be started');
    }
  }

  /** Waits until the worker has ended *and* its output is read, because an answer may still be on its way. */
  async #serve(process: WorkerProcess): Promise<void> {
    this.#process = process;
    process.hold(this.#outbox.isEmpty ? 'unref' : 'ref');
    const { stdin, stdout, patience = greetingPatience } = process;
    // A worker that has ended breaks the pipe. Its end is reported instead.
    stdin.on('error', () => undefined);
    const drained = new Promise<void>((resolve) => stdout.once('close', resolve).on('error', () => undefined));
    stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#greeting = setTimeout(
      () => this.#giveUp(workerUnavailable(new Error(`it sent nothing for ${patience} ms`))),
      patience,
    ).unref();
    const [end] = await Promise.all([process.ended.catch((error: unknown) => ({ error })), drained]);
    clearTimeout(this.#greeting);
    const reason = reasonOf(end);
    if (!this.#ledger.isGreeted)
      return this.#fail(
        workerUnavailable('error' in end ? end.error : new Error(`${reason} before it had begun`)),
        reason,
      );
    if ('error' in end) this.#left = end;
    this.#fail(undefined, reason);
  }

  #read(chunk: Buffer): void {
    if (this.isEnded) return;
    try {
      for (const reply of this.#reader.push(chunk)) this.#accept(reply);
    } catch (error) {
      this.#giveUp(this.#ledger.isGreeted ? undefined : workerUnavailable(error), error);
    }
    this.#sendAll();
    this.#releaseIfIdle();
  }

  #accept(reply: Parameters<RequestLedger['accept']>[0]): void {
    const accepted = this.#ledger.accept(reply);
    switch (accepted.kind) {
      case 'ready':
        this.#state = 'open';
        clearTimeout(this.#greeting);
        return;
      case 'waiting':
        return;
      case 'finished':
        this.#outbox.finished(accepted.pending);
        return accepted.pending.resolve(accepted.pending.results);
      case 'event':
        return this.#sinks.get(accepted.event.handle)?.event(accepted.event);
    }
  }

  #sendAll(): void {
    if (this.#state !== 'open') return;
    for (let pending = this.#outbox.take(); pending !== undefined; pending = this.#outbox.take()) this.#send(pending);
  }

  #send(pending: Pending): void {
    let frame: Buffer;
    try {
      frame = encodeFileRequest(pending);
    } catch (error) {
      this.#outbox.finished(pending);
      return pending.reject(error);
    }
    this.#process?.hold('ref');
    this.#ledger.sent(pending);
    this.#corkOnce();
    this.#process?.stdin.write(frame);
  }

  /** A signal may live much longer than its calls, so they remove their listeners. */
  #listenTo(signal: AbortSignal, pending: Pending): void {
    const { resolve, reject } = pending;
    const cancel = (): void => this.#cancel(pending, signal.reason);
    const forget = (): void => signal.removeEventListener('abort', cancel);
    signal.addEventListener('abort', cancel);
    pending.resolve = (results) => {
      forget();
      resolve(results);
    };
    pending.reject = (error) => {
      forget();
      reject(error);
    };
  }

  /** Has no effect on an answered request. */
  #cancel(pending: Pending, reason: unknown): void {
    if (this.#outbox.remove(pending)) pending.reject(reason);
    else if (this.#ledger.cancel(pending)) this.#process?.stdin.write(encodeCancel(pending.id));
  }

  /** Requests made in one turn are sent in one system call, which wakes the worker once. */
  #corkOnce(): void {
    if (this.#cork === 'corked') return;
    this.#cork = 'corked';
    const { stdin } = this.#process as WorkerProcess;
    stdin.cork();
    process.nextTick(() => {
      this.#cork = 'open';
      stdin.uncork();
    });
  }

  /** The state of the worker is unknown, and its further output is ignored. */
  #giveUp(error: HoldfastError | undefined, cause: unknown = error): void {
    this.#process?.end();
    this.#fail(error, cause instanceof Error ? cause.message : String(cause), cause);
  }

  #fail(error: HoldfastError | undefined, reason: string, cause?: unknown): void {
    if (this.isEnded) return;
    this.#state = 'ended';
    clearTimeout(this.#greeting);
    const believed = cause === undefined;
    for (const [index, pending] of this.#ledger.takeAll().entries()) {
      pending.reject(
        error ?? lossOf(pending, { position: !believed ? 'unknown' : index === 0 ? 'first' : 'later', reason, cause }),
      );
    }
    for (const pending of this.#outbox.takeWaiting())
      pending.reject(error ?? lossOf(pending, { position: 'later', reason, cause }));
    for (const sink of this.#sinks.values()) sink.lost(error ?? lostWatch(reason, cause));
    this.#sinks.clear();
  }

  /** Lets a process end if it waits for no answer. */
  #releaseIfIdle(): void {
    if (this.#outbox.isEmpty && this.#sinks.size === 0) this.#process?.hold('unref');
  }

  /** Returns a u32 that is not in use. */
  #takeId(): number {
    const id = this.#nextId;
    this.#nextId = id === 0xffff_ffff ? 1 : id + 1;
    return id;
  }
}

function reasonOf(end: WorkerEnd | { readonly error: unknown }): string {
  if ('error' in end) return end.error instanceof Error ? end.error.message : String(end.error);
  return `it ended with ${end.exitCode}${end.said === '' ? '' : `: ${end.said}`}`;
}

/** Approximate bytes of a request without a payload: its frame, its reply, and its bookkeeping. */
const base = 256;
/** Bytes of one answer to `list`. */
const listing = 64 * 1024;

/** Approximate bytes that operations keep in memory until they are answered. */
function weightOf(operations: readonly FileOperation[]): number {
  return operations.reduce((sum, operation) => sum + weightOfOne(operation), 0);
}

function weightOfOne(operation: FileOperation): number {
  switch (operation.kind) {
    case 'read':
    case 'readAt':
      return base + operation.length;
    case 'write':
    case 'writeAt':
      return base + operation.data.length;
    case 'list':
      return base + listing;
    default:
      return base;
  }
}
