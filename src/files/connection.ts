import { type HoldfastError, isHoldfastError } from '../errors/index.ts';
import { Ledger, type Pending } from './ledger.ts';
import { lossOf, lostWatch, unavailable } from './losses.ts';
import type { FileOperation, FileResult, WatchEvent } from './types.ts';
import { encodeCancel, encodeRequest, ReplyReader } from './wire/index.ts';
import { weightOf } from './weight.ts';
import type { WorkerProcess, WorkerSource } from './worker.ts';

/** Bytes that may be on their way, requests and what is expected for them. What comes on top waits its turn. */
const mostOutstanding = 8 << 20;
const mostRequests = 1024;

/** Milliseconds in which a worker that was started has greeted; it does so before anything else. */
const greetingPatience = 5000;

export interface RequestOptions {
  /** Default `at-failure`. */
  readonly stop?: Pending['stop'];
  /** Called while the reply is read, before any event that follows it. */
  readonly onResult?: (result: FileResult) => void;
  /** Rejects with its reason what was not sent yet; of what was, the rest is not run. */
  readonly signal?: AbortSignal | undefined;
}

/** Takes the events of one watch. */
export interface EventSink {
  event(event: WatchEvent): void;
  /** No more will come. */
  lost(error: unknown): void;
}

/**
 * One worker, from its start to its end. Requests are sent in the order in which they are made, each exactly once; when the
 * worker ends, every one that has no answer is rejected with what is known of it.
 */
export class Connection {
  readonly #ledger = new Ledger();
  readonly #reader = new ReplyReader();
  readonly #waiting: Pending[] = [];
  readonly #sinks = new Map<number, EventSink>();
  readonly #closed: Promise<void>;
  #process: WorkerProcess | undefined;
  #state: 'starting' | 'open' | 'ended' = 'starting';
  #weight = 0;
  #requests = 0;
  #nextId = 1;
  #greeting: NodeJS.Timeout | undefined;
  #cork: 'corked' | 'open' = 'open';

  constructor(source: WorkerSource) {
    this.#closed = this.#start(source);
  }

  get isEnded(): boolean {
    return this.#state === 'ended';
  }

  /** Resolves with a result per operation that ran; fewer than operations where a failure stopped it. */
  request(operations: readonly FileOperation[], { stop = 'at-failure', onResult, signal }: RequestOptions = {}): Promise<readonly FileResult[]> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const pending: Pending = { id: this.#takeId(), operations, stop, results: [], onResult, resolve, reject, weight: weightOf(operations) };
      if (signal !== undefined) this.#listenTo(signal, pending);
      if (this.#state === 'ended') pending.reject(lossOf(pending, { position: 'later', reason: 'the worker that it belonged to has ended' }));
      else if (this.#waiting.length > 0 || this.#state === 'starting' || !this.#fits(pending)) this.#waiting.push(pending);
      else this.#send(pending);
    });
  }

  /** Events of a watch that this worker has opened. */
  listen(handle: number, sink: EventSink): void {
    this.#sinks.set(handle, sink);
    this.#process?.hold('ref');
  }

  unlisten(handle: number): void {
    this.#sinks.delete(handle);
    this.#releaseIfIdle();
  }

  /** Ends the worker and waits for its end. */
  async close(): Promise<void> {
    this.#process?.hold('ref');
    this.#fail(undefined, 'it was closed');
    this.#process?.end();
    await this.#closed;
  }

  async #start(source: WorkerSource): Promise<void> {
    try {
      const process = await source.start();
      if (this.isEnded) process.end();
      await this.#serve(process);
    } catch (error) {
      this.#fail(unavailable(error), 'it could not be started');
    }
  }

  /** Until it has ended *and* what it said was read to the end: an answer may still be on its way. */
  async #serve(process: WorkerProcess): Promise<void> {
    this.#process = process;
    process.hold(this.#waiting.length > 0 ? 'ref' : 'unref');
    const { stdin, stdout } = process;
    // A worker that ended breaks the pipe; its end is what is reported.
    stdin.on('error', () => undefined);
    const drained = new Promise<void>((resolve) => stdout.once('close', resolve).on('error', () => undefined));
    stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#greeting = setTimeout(() => this.#giveUp(unavailable(new Error(`it said nothing for ${greetingPatience} ms`))), greetingPatience).unref();
    const [end] = await Promise.all([process.ended.catch((error: unknown) => unavailable(error)), drained]);
    clearTimeout(this.#greeting);
    if (isHoldfastError(end)) return this.#fail(this.#ledger.isGreeted ? undefined : end, end.message);
    const said = end.said === '' ? '' : `: ${end.said}`;
    if (!this.#ledger.isGreeted) return this.#fail(unavailable(new Error(`it ended with ${end.exitCode} before it had begun${said}`)), '');
    this.#fail(undefined, `it ended with ${end.exitCode}${said}`);
  }

  #read(chunk: Buffer): void {
    if (this.isEnded) return;
    try {
      for (const reply of this.#reader.push(chunk)) this.#accept(reply);
    } catch (error) {
      this.#giveUp(this.#ledger.isGreeted ? undefined : unavailable(error), error);
    }
    this.#sendWaiting();
    this.#releaseIfIdle();
  }

  #accept(reply: Parameters<Ledger['accept']>[0]): void {
    const accepted = this.#ledger.accept(reply);
    switch (accepted.kind) {
      case 'ready':
        this.#state = 'open';
        clearTimeout(this.#greeting);
        return;
      case 'waiting':
        return;
      case 'finished':
        this.#weight -= accepted.pending.weight;
        this.#requests -= 1;
        return accepted.pending.resolve(accepted.pending.results);
      case 'event':
        return this.#sinks.get(accepted.event.handle)?.event(accepted.event);
    }
  }

  #sendWaiting(): void {
    while (this.#state === 'open' && this.#waiting[0] !== undefined && this.#fits(this.#waiting[0])) this.#send(this.#waiting.shift() as Pending);
  }

  #fits({ weight }: Pending): boolean {
    return this.#requests === 0 || (this.#requests < mostRequests && this.#weight + weight <= mostOutstanding);
  }

  #send(pending: Pending): void {
    let frame: Buffer;
    try {
      frame = encodeRequest(pending);
    } catch (error) {
      return pending.reject(error);
    }
    if (this.#requests === 0) this.#process?.hold('ref');
    this.#requests += 1;
    this.#weight += pending.weight;
    this.#ledger.sent(pending);
    this.#corkOnce();
    this.#process?.stdin.write(frame);
  }

  /** A signal may outlive its calls by far: they leave nothing with it. */
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

  /** Too late for one that was answered, it does nothing. */
  #cancel(pending: Pending, reason: unknown): void {
    const place = this.#waiting.indexOf(pending);
    if (place !== -1) {
      this.#waiting.splice(place, 1);
      pending.reject(reason);
    } else if (this.#ledger.cancel(pending)) this.#process?.stdin.write(encodeCancel(pending.id));
  }

  /** Requests made in one go leave in one system call, and wake the worker once. */
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

  /** What it did is not known any more, and nothing further of it is believed. */
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
      pending.reject(error ?? lossOf(pending, { position: !believed ? 'unknown' : index === 0 ? 'first' : 'later', reason, cause }));
    }
    for (const pending of this.#waiting.splice(0)) pending.reject(error ?? lossOf(pending, { position: 'later', reason, cause }));
    for (const sink of this.#sinks.values()) sink.lost(error ?? lostWatch(reason, cause));
    this.#sinks.clear();
  }

  /** A process that waits for nothing of it may end. */
  #releaseIfIdle(): void {
    if (this.#requests === 0 && this.#waiting.length === 0 && this.#sinks.size === 0) this.#process?.hold('unref');
  }

  /** u32, and never one that is still in use. */
  #takeId(): number {
    const id = this.#nextId;
    this.#nextId = id === 0xffff_ffff ? 1 : id + 1;
    return id;
  }
}
