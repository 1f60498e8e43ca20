import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { LineSplitter, type Line } from './line-splitter.ts';
import { PendingRequests } from './pending-requests.ts';
import { readMessage, tooLong, type ReadMessage } from './read-message.ts';

/** Bytes of one message of a client. */
const longestLine = 8 * 1024 * 1024;
/** Requests that may wait for their answers. */
const mostPending = 64;
/** Bytes that wait for the client to read them, above which nothing more is read from it. */
const mostUnread = 1024 * 1024;

export interface LineStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/** What is no message: a server that prints its log on stdout would not read an answer to it. */
export type Wrong = Extract<ReadMessage, { readonly kind: 'invalid' }> & { readonly line: Line['kind'] };

export interface LineLimits {
  /** Bytes of one message. Default: 8 MiB. */
  readonly longest?: number;
  /** Told what is no message, in the place of an answer. Default: it is answered. */
  readonly onWrong?: (wrong: Wrong) => void;
}

/**
 * The protocol's lines over two streams. What is wrong is answered in JSON-RPC's own form, and the session goes on: the transport of the SDK
 * drops it without a word, and ends the session at a line that is too long. Closes when the client's end of either stream is gone.
 */
export class LineTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  /** Resolves when it has closed. */
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

  /** Whether the client has not read what it was sent: what can be left out is then left out. */
  get isBehind(): boolean {
    return this.#streams.output.writableNeedDrain;
  }

  /** Whoever reads without the SDK. Once, before `start`. */
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
    // A client that only writes would have all of its answers kept here.
    if (this.#streams.output.writableLength > mostUnread) this.#streams.input.pause();
  };

  #messageOf(line: Line): ReadMessage {
    return line.kind === 'too-long' ? tooLong(this.#limits.longest) : readMessage(line.text);
  }

  #take(read: ReadMessage, line: Line): void {
    if (read.kind === 'invalid' && this.#limits.onWrong !== undefined) return this.#limits.onWrong({ ...read, line: line.kind });
    const refused = read.kind === 'invalid' ? read : this.#pending.received(read.message);
    if (refused !== undefined) void this.#write({ jsonrpc: '2.0', id: refused.id, error: refused.error });
    else if (read.kind === 'message') this.#listener(read.message);
  }

  #write(message: object): Promise<void> {
    if (this.#state !== 'open') return Promise.resolve();
    return new Promise((resolve) => this.#streams.output.write(`${JSON.stringify(message)}\n`, () => resolve()));
  }
}
