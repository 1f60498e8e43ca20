import type { TlsOptions } from 'node:tls';
import type { Usage } from '../../../src/llm/index.ts';

/**
 * The provider whose paths and bodies a server implements. `openai`: Chat, and Responses over HTTP and WebSocket.
 * `bedrock`: converse and invoke (of Anthropic's models).
 */
export type ServerDialect = 'anthropic' | 'openai' | 'azure' | 'gemini' | 'bedrock' | 'ollama';

/** One part of a model's answer. `pieces` are its events. */
export type Part =
  | { readonly kind: 'text'; readonly pieces: readonly string[] }
  | { readonly kind: 'thinking'; readonly pieces: readonly string[]; readonly signature: string }
  /** The input's JSON is cut into events of `cut` characters each. Default: 7. */
  | {
      readonly kind: 'tool-call';
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
      readonly cut?: number;
    };

/** The pace of an answer's bytes. */
export interface Pacing {
  /**
   * `whole`: in one write. `event`: in one write for each event. `byte`: one byte for each write, and over a WebSocket
   * for each frame. Default: `event`.
   */
  readonly chunking?: 'whole' | 'event' | 'byte';
  /** Ends the connection after this many events, or a whole document in its middle. */
  readonly abortAfter?: number;
  /** `reset`: TCP's reset, or the stream's in HTTP/2. `end`: the body ends cleanly, but too early. Default: `reset`. */
  readonly abortHow?: 'reset' | 'end';
  /** Milliseconds between two events. Default: 0. */
  readonly delay?: number;
  /** Holds all bytes from event `before` on until `until` settles. */
  readonly hold?: { readonly before: number; readonly until: Promise<unknown> };
  /** Not for WebSockets. Streams are flushed after every event. */
  readonly coding?: Coding;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Coding = 'gzip' | 'br' | 'zstd';

/** A model's answer, in any form of request. */
export interface ModelAnswer extends Pacing {
  readonly kind: 'model';
  readonly parts: readonly Part[];
  /** Default: `defaultUsage`. */
  readonly usage?: Usage;
  /** Default: the requested model. */
  readonly model?: string;
  /** Adds unknown events, comments and members to all others. */
  readonly unknown?: 'sprinkled';
  /** Sends the provider's error event after this many events of a stream, which then ends. */
  readonly failAfter?: { readonly events: number; readonly message: string };
}

/** A refusal in the provider's own shape. */
export interface ErrorAnswer extends Pacing {
  readonly kind: 'error';
  readonly status: number;
  readonly message: string;
}

/** Raw bytes, which no provider need send. Over a WebSocket, they go to its socket, frames and all. */
export interface RawAnswer extends Pacing {
  readonly kind: 'raw';
  readonly status: number;
  readonly events: readonly Buffer[];
}

export type Answer = ModelAnswer | ErrorAnswer | RawAnswer;

/** A request, or one message of a WebSocket with the head of its handshake. */
export interface ReceivedRequest {
  readonly transport: 'http' | 'websocket';
  /** `1.1` or `2.0`. */
  readonly version: string;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[];
  /** The raw bytes, coded or not. */
  readonly body: Buffer;
}

export interface ModelServerOptions {
  readonly dialect: ServerDialect;
  /**
   * One answer for each call in order. The server answers 400 to a call beyond the last one. A function answers each
   * call by its content instead, for clients with their own order. WebSockets do not support the function.
   */
  readonly script: readonly Answer[] | ((call: Call) => Answer);
  /** Without it, the server speaks in the clear, HTTP/1.1 and HTTP/2 at one port. */
  readonly tls?: { readonly key: string; readonly cert: string } | Required<Pick<TlsOptions, 'SNICallback'>>;
  /** Default: a free port of 127.0.0.1. */
  readonly at?: { readonly host: string; readonly port: number };
}

export interface ModelServer extends AsyncDisposable {
  readonly port: number;
  /** Every complete request, in order. */
  readonly requests: readonly ReceivedRequest[];
  close(): Promise<void>;
}

/** A call in the terms of a dialect. */
export interface Call {
  readonly method: string;
  readonly path: string;
  /** Undefined for invalid JSON. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/** One event of a stream. `name` is SSE's `event`, or Bedrock's `:event-type`. */
export interface ModelEvent {
  readonly name?: string;
  readonly data: string;
  /** An error of an event stream has other headers. */
  readonly isException?: true;
}

export type StreamFraming = 'sse' | 'array' | 'lines' | 'event-stream';

/** The kind of a dialect's path. */
export interface Endpoint {
  readonly framing: StreamFraming;
  /** `document` for calls that cost nothing. */
  readonly answersWith: 'document' | 'stream';
  readonly document: (answer: ModelAnswer, call: Call) => unknown;
  readonly events: (answer: ModelAnswer, call: Call) => readonly ModelEvent[];
  readonly failure: (message: string) => ModelEvent;
  /** Members that no SDK knows. */
  readonly unknownEvent: ModelEvent;
}

export interface Dialect {
  /** Undefined for a path that the provider does not have. */
  readonly endpoint: (call: Call) => Endpoint | undefined;
  readonly refusal: (
    status: number,
    message: string,
    path: string,
  ) => { readonly headers: Readonly<Record<string, string>>; readonly body: unknown };
}
