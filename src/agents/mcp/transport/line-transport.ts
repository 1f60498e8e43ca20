import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { LineSplitter, type Line } from './line-splitter.ts';
import { PendingRequests } from './pending-requests.ts';
import { readMessage, tooLong, type ReadMessage } from './read-message.ts';

/** Bytes of one message. */
const longestLine = 8 * 1024 * 1024;
/** Requests that may wait for their answers. */
const mostPending = 64;
/** Bytes that wait for the client to read them, above which nothing more is read from it. */
const mostUnread = 1024 * 1024;

export interface LineStreams {
  readonly input: Readable;
  readonly output: Writable;
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
  readonly #splitter = new LineSplitter(longestLine);
  readonly #pending = new PendingRequests(mostPending);
  #state: 'new' | 'open' | 'closed' = 'new';
  #hasClosed: () => void = () => undefined;

  constructor(streams: LineStreams) {
    this.#streams = streams;
    this.closed = new Promise((resolve) => {
      this.#hasClosed = resolve;
    });
  }

  /** Whether the client has not read what it was sent: what can be left out is then left out. */
  get isBehind(): boolean {
    return this.#streams.output.writableNeedDrain;
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
      if (line.kind === 'too-long' || line.text.trim() !== '') this.#take(messageOf(line));
    }
    // A client that only writes would have all of its answers kept here.
    if (this.#streams.output.writableLength > mostUnread) this.#streams.input.pause();
  };

  #take(read: ReadMessage): void {
    const refused = read.kind === 'invalid' ? read : this.#pending.received(read.message);
    if (refused !== undefined) void this.#write({ jsonrpc: '2.0', id: refused.id, error: refused.error });
    else if (read.kind === 'message') this.onmessage?.(read.message);
  }

  #write(message: object): Promise<void> {
    if (this.#state !== 'open') return Promise.resolve();
    return new Promise((resolve) => this.#streams.output.write(`${JSON.stringify(message)}\n`, () => resolve()));
  }
}

function messageOf(line: Line): ReadMessage {
  return line.kind === 'too-long' ? tooLong(longestLine) : readMessage(line.text);
}
