import type { Readable, Writable } from 'node:stream';
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/server';

/** Bytes of one message of a client. */
const longestLine = 8 * 1024 * 1024;
/** Requests that may wait for answers. */
const mostPending = 64;
/** Unread bytes after which no more input of the client is read. */
const mostUnread = 1024 * 1024;

export interface LineStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/** An invalid line. A server that prints its log on stdout would not read an answer to it. */
export type InvalidLine = Extract<ReadMessage, { readonly kind: 'invalid' }> & { readonly line: SplitLine['kind'] };

export interface LineLimits {
  /** Bytes of one message. Default: 8 MiB. */
  readonly longest?: number;
  /** Receives invalid lines, which then get no answer. Default: they get an error as answer. */
  readonly onWrong?: (wrong: InvalidLine) => void;
}

/**
 * Carries the protocol's lines over two streams. A wrong line gets a JSON-RPC error, and the session goes on. The SDK's
 * transport drops it silently, and ends the session at a line that is too long. Closes when the client closes either
 * stream.
 */
export class LineTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  /** Resolves when the transport has closed. */
  readonly closed: Promise<void>;
  readonly #streams: LineStreams;
  readonly #limits: Required<Pick<LineLimits, 'longest'>> & LineLimits;
  readonly #splitter: LineSplitter;
  readonly #pending = new PendingRequests(mostPending);
  #state: 'new' | 'open' | 'closed' = 'new';
  #hasClosed: () => void = () => undefined;
  #listener: (message: JSONRPCMessage) => void = (message) => this.onmessage?.(message);

  constructor(streams: LineStreams, limits: LineLimits = {}) {
    this.#streams = streams;
    this.#limits = { longest: longestLine, ...limits };
    this.#splitter = new LineSplitter(this.#limits.longest);
    this.closed = new Promise((resolve) => {
      this.#hasClosed = resolve;
    });
  }

  /** Whether the client has unread messages. Optional ones are then dropped. */
  get isBehind(): boolean {
    return this.#streams.output.writableNeedDrain;
  }

  /** Adds a listener that reads without the SDK. Call once, before `start`. */
  listen(listener: (message: JSONRPCMessage) => void): void {
    this.#listener = listener;
  }

  start(): Promise<void> {
    this.#state = 'open';
    const { input, output } = this.#streams;
    for (const event of ['end', 'close', 'error'] as const) input.once(event, this.#end);
    for (const event of ['close', 'error'] as const) output.on(event, this.#end);
    output.on('drain', () => input.resume());
    input.on('data', this.#read);
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    this.#pending.sent(message);
    return this.#write(message);
  }

  close(): Promise<void> {
    if (this.#state === 'closed') return Promise.resolve();
    this.#state = 'closed';
    this.#streams.input.off('data', this.#read);
    this.#streams.input.pause();
    this.onclose?.();
    this.#hasClosed();
    return Promise.resolve();
  }

  readonly #end = (): void => void this.close();

  readonly #read = (chunk: Buffer): void => {
    for (const line of this.#splitter.push(chunk)) {
      if (this.#state !== 'open') return;
      if (line.kind === 'too-long' || line.text.trim() !== '') this.#take(this.#messageOf(line), line);
    }
    // Otherwise all answers to a client that only writes would be kept here.
    if (this.#streams.output.writableLength > mostUnread) this.#streams.input.pause();
  };

  #messageOf(line: SplitLine): ReadMessage {
    return line.kind === 'too-long' ? tooLong(this.#limits.longest) : readMessage(line.text);
  }

  #take(read: ReadMessage, line: SplitLine): void {
    if (read.kind === 'invalid' && this.#limits.onWrong !== undefined)
      return this.#limits.onWrong({ ...read, line: line.kind });
    const refused = read.kind === 'invalid' ? read : this.#pending.received(read.message);
    if (refused !== undefined) void this.#write({ jsonrpc: '2.0', id: refused.id, error: refused.error });
    else if (read.kind === 'message') this.#listener(read.message);
  }

  #write(message: object): Promise<void> {
    if (this.#state !== 'open') return Promise.resolve();
    return new Promise((resolve) => this.#streams.output.write(`${JSON.stringify(message)}\n`, () => resolve()));
  }
}

type Refused = Extract<ReadMessage, { readonly kind: 'invalid' }>;

const invalidRequest = -32_600;
/** Error code of the range that JSON-RPC leaves to servers. */
const tooMany = -32_000;

/** Unanswered requests. A second one with the same ID could not be told apart or cancelled. */
class PendingRequests {
  readonly #ids = new Set<unknown>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** Returns the refusal of a request, if any. */
  received(message: JSONRPCMessage): Refused | undefined {
    if (!('method' in message)) return undefined;
    if (message.method === 'notifications/cancelled') this.#ids.delete(message.params?.['requestId']);
    if (!('id' in message)) return undefined;
    // An answer with this ID would seem to answer the first request.
    if (this.#ids.has(message.id))
      return {
        kind: 'invalid',
        id: null,
        error: { code: invalidRequest, message: 'an earlier request with this id is not answered yet' },
      };
    if (this.#ids.size >= this.#most)
      return {
        kind: 'invalid',
        id: message.id,
        error: { code: tooMany, message: `${this.#most} requests wait for their answers: wait for some of them` },
      };
    this.#ids.add(message.id);
    return undefined;
  }

  sent(message: JSONRPCMessage): void {
    if (!('method' in message) && 'id' in message) this.#ids.delete(message.id);
  }
}

type Id = string | number;

/** A line in JSON-RPC 2.0: a message, or the error that answers it. */
type ReadMessage =
  | { readonly kind: 'message'; readonly message: JSONRPCMessage }
  | { readonly kind: 'invalid'; readonly id: Id | null; readonly error: RpcError };

interface RpcError {
  readonly code: number;
  readonly message: string;
}

/** Error codes of JSON-RPC 2.0. */
const [parseError, readMessageInvalidRequest] = [-32_700, -32_600];

function readMessage(line: string): ReadMessage {
  const value = parsed(line);
  if (value === undefined) return invalid(null, parseError, 'this line is not JSON');
  if (Array.isArray(value))
    return invalid(null, readMessageInvalidRequest, 'the protocol has no batches: send each message on its own line');
  try {
    return { kind: 'message', message: parseJSONRPCMessage(value) };
  } catch {
    return invalid(idOf(value), readMessageInvalidRequest, 'this is not a message of JSON-RPC 2.0');
  }
}

function tooLong(longest: number): ReadMessage {
  return invalid(null, parseError, `a line has more than ${longest} bytes`);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}

function invalid(id: Id | null, code: number, message: string): ReadMessage {
  return { kind: 'invalid', id, error: { code, message } };
}

/** Returns the ID for the answer to an invalid request. */
function idOf(value: unknown): Id | null {
  if (typeof value !== 'object' || value === null || !('id' in value) || !('method' in value)) return null;
  return typeof value.id === 'string' || typeof value.id === 'number' ? value.id : null;
}

/** One line of the input, or the fact that it was too long. */
type SplitLine = { readonly kind: 'line'; readonly text: string } | { readonly kind: 'too-long' };

const lineFeed = 0x0a;
/** Chunks kept unjoined. */
const mostParts = 1024;

/** Splits a stream into lines. Drops a line that is too long; the next one is whole again. */
export class LineSplitter {
  readonly #longest: number;
  #whole: Buffer[] = [];
  #parts: Buffer[] = [];
  #size = 0;
  #isTooLong = false;

  /** `longest`: bytes of a line. */
  constructor(longest: number) {
    this.#longest = longest;
  }

  /** Yields the lines that end in this chunk. A line that is too long is reported once, as soon as it is. */
  *push(chunk: Buffer): Generator<SplitLine, void> {
    let at = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, at)) {
      yield* this.#add(chunk.subarray(at, end));
      if (!this.#isTooLong) yield { kind: 'line', text: Buffer.concat([...this.#whole, ...this.#parts]).toString() };
      this.#clear();
      this.#isTooLong = false;
      at = end + 1;
    }
    yield* this.#add(chunk.subarray(at));
  }

  *#add(part: Buffer): Generator<SplitLine, void> {
    if (this.#isTooLong || part.length === 0) return;
    this.#parts.push(part);
    this.#size += part.length;
    if (this.#parts.length === mostParts) this.#join();
    if (this.#size <= this.#longest) return;
    this.#clear();
    this.#isTooLong = true;
    yield { kind: 'too-long' };
  }

  /** Attack: a line of megabytes that arrives one byte at a time, with hundreds of bytes of overhead for each. */
  #join(): void {
    this.#whole.push(Buffer.concat(this.#parts));
    this.#parts = [];
  }

  #clear(): void {
    this.#whole = [];
    this.#parts = [];
    this.#size = 0;
  }
}
