import { HoldfastError } from '../errors/index.ts';
import type { FileOperation, FileResult, WatchEvent } from './types.ts';
import type { WorkerReply } from './wire/reply.ts';

/** A sent or waiting request. */
export interface Pending {
  readonly id: number;
  readonly operations: readonly FileOperation[];
  readonly stop: 'at-failure' | 'never';
  readonly results: FileResult[];
  /** Called while the reply is read, before any event that follows it. */
  readonly onResult: ((result: FileResult) => void) | undefined;
  resolve: (results: readonly FileResult[]) => void;
  reject: (error: unknown) => void;
  /** Bytes of the request and its expected answer. */
  readonly weight: number;
}

/** Next step after a valid reply. */
export type Accepted =
  | { readonly kind: 'ready' }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'finished'; readonly pending: Pending }
  | { readonly kind: 'event'; readonly event: WatchEvent };

/**
 * Replies that are still due. The reader checks their order, and the ledger compares them with the requests. At any
 * time exactly one reply of one kind is due. Any other reply means that the worker is unreliable, and throws
 * `HF_FILES_PROTOCOL`.
 */
export class RequestLedger {
  readonly #sent: Pending[] = [];
  readonly #cancelled = new Set<number>();
  #greeted: 'greeted' | 'silent' = 'silent';

  sent(pending: Pending): void {
    this.#sent.push(pending);
  }

  /** Cancels the remaining operations of a request. Returns true if an answer is still due. */
  cancel(pending: Pending): boolean {
    const owed = this.#sent.includes(pending);
    if (owed) this.#cancelled.add(pending.id);
    return owed;
  }

  get isGreeted(): boolean {
    return this.#greeted === 'greeted';
  }

  accept(reply: WorkerReply): Accepted {
    switch (reply.kind) {
      case 'error':
        throw disorder(`it says: ${reply.message}`);
      case 'hello':
        this.#greeted = 'greeted';
        return { kind: 'ready' };
      case 'result':
        return this.#result(reply);
      case 'end':
        return { kind: 'finished', pending: this.#end(reply) };
      case 'event':
        return { kind: 'event', event: reply.event };
    }
  }

  /** Removes and returns all unanswered requests, in their order. */
  takeAll(): readonly Pending[] {
    return this.#sent.splice(0);
  }

  #result({ id, index, result }: Extract<WorkerReply, { kind: 'result' }>): Accepted {
    const pending = this.#front(id);
    const operation = pending.operations[index];
    if (operation === undefined || index !== pending.results.length)
      throw disorder(`it answers operation ${index}, which is not due`);
    if (stopped(pending)) throw disorder('it goes on after a failure');
    refuseUnfit(operation, result);
    pending.results.push(result);
    pending.onResult?.(result);
    return { kind: 'waiting' };
  }

  #end({ id, done }: Extract<WorkerReply, { kind: 'end' }>): Pending {
    const pending = this.#front(id);
    const { results, operations } = pending;
    if (done !== results.length) throw disorder(`it counts ${done} operations where ${results.length} were answered`);
    if (results.length < operations.length && !stopped(pending) && !this.#cancelled.has(id))
      throw disorder(`it ends after ${results.length} of ${operations.length} operations`);
    this.#sent.shift();
    this.#cancelled.delete(id);
    return pending;
  }

  #front(id: number): Pending {
    const [pending] = this.#sent;
    if (pending?.id === id) return pending;
    throw disorder(`it answers request ${id}, which is not due`);
  }
}

function stopped({ stop, results }: Pending): boolean {
  return stop === 'at-failure' && results.at(-1)?.kind === 'failed';
}

function refuseUnfit(operation: FileOperation, result: FileResult): void {
  if (result.kind !== 'failed' && result.kind !== answers[operation.kind])
    throw disorder(`it answers ${operation.kind} with ${result.kind}`);
  if (result.kind === 'data' && 'length' in operation && result.data.length > operation.length)
    throw disorder(`it gives ${result.data.length} bytes when ${operation.length} were asked for`);
}

function disorder(what: string): HoldfastError {
  return new HoldfastError('HF_FILES_PROTOCOL', `the files worker is unreliable: ${what}`, {
    remedy:
      'it was ended, and the next call starts another; if this happens again, run `make -C native` or reinstall holdfast',
  });
}

/** Valid answers to each operation, in addition to `failed`. */
const answers = {
  read: 'data',
  write: 'done',
  open: 'opened',
  readAt: 'data',
  writeAt: 'written',
  close: 'done',
  list: 'entries',
  stat: 'stat',
  makeDirectory: 'done',
  copy: 'done',
  rename: 'done',
  link: 'done',
  symlink: 'done',
  readlink: 'path',
  realpath: 'path',
  truncate: 'done',
  times: 'done',
  owner: 'done',
  mode: 'done',
  remove: 'done',
  temporary: 'path',
  access: 'done',
  watch: 'opened',
  unwatch: 'done',
} as const satisfies Readonly<Record<FileOperation['kind'], FileResult['kind']>>;

/** The answer to a successful operation. */
export type AnswerTo<Operation extends FileOperation> = Extract<
  FileResult,
  { readonly kind: (typeof answers)[Operation['kind']] }
>;

/** Bytes of sent requests and their expected answers. Further requests wait. */
const mostOutstanding = 8 << 20;
const mostRequests = 1024;

/** Limits the sent requests, and keeps the others in order. */
export class Outbox {
  #waiting: Pending[] = [];
  #weight = 0;
  #requests = 0;

  /** Whether no request is sent or waits. */
  get isEmpty(): boolean {
    return this.#requests === 0 && this.#waiting.length === 0;
  }

  add(pending: Pending): void {
    this.#waiting.push(pending);
  }

  /** Returns the next request that may be sent, and counts it as sent. */
  take(): Pending | undefined {
    const [next] = this.#waiting;
    if (next === undefined || !this.#fits(next)) return undefined;
    this.#waiting.shift();
    this.#weight += next.weight;
    this.#requests += 1;
    return next;
  }

  /** Call when a request is answered, or was not sent after all. */
  finished({ weight }: Pending): void {
    this.#weight -= weight;
    this.#requests -= 1;
  }

  /** Removes a waiting request. Returns false if it no longer waited. */
  remove(pending: Pending): boolean {
    const before = this.#waiting.length;
    this.#waiting = this.#waiting.filter((other) => other !== pending);
    return this.#waiting.length < before;
  }

  takeWaiting(): readonly Pending[] {
    return this.#waiting.splice(0);
  }

  /** A request larger than the limit is sent alone. */
  #fits({ weight }: Pending): boolean {
    return this.#requests === 0 || (this.#requests < mostRequests && this.#weight + weight <= mostOutstanding);
  }
}
