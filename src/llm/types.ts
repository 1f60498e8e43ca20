import type { FieldPattern } from '../dlp/types.ts';

/** Protocol of a server of models. It is recognised by host and path, never by the form of a key. */
export type DialectName =
  | 'anthropic-messages'
  | 'openai-chat'
  | 'openai-responses'
  | 'gemini'
  | 'bedrock-converse'
  | 'bedrock-invoke'
  | 'ollama-chat'
  | 'ollama-generate';

/** Form of an answer, by its content type. */
export type StreamFraming = 'json' | 'sse' | 'event-stream' | 'json-lines' | 'websocket';

/** The call that a request to a server of models makes. */
export interface ModelCall {
  /**
   * An ID of the price table's providers, or the policy's name of its own server: `anthropic`, `openai`, `azure`,
   * `google`, `aws`, `openrouter`, `ollama`.
   */
  readonly provider: string;
  readonly dialect: DialectName;
  /** `generate` costs output tokens. `count` and `embed` do not. `other` (lists of models, files) is not inspected. */
  readonly operation: 'generate' | 'count' | 'embed' | 'other';
  /** The model, if the path names it: Gemini, Bedrock, Azure deployments. Otherwise the body names it. */
  readonly model?: string;
  /** Set if the call starts work, such as a batch, whose cost no answer reports. */
  readonly cost?: 'untold';
  /** Set if the server reports usage in streams without being asked, and may refuse a request that asks. */
  readonly streamUsage?: 'unasked';
}

/**
 * Tokens of one call, normalised so that no token is in two classes. Whole numbers. `reasoning` is part of `output`.
 */
export interface Usage {
  readonly uncachedInput: number;
  readonly cacheRead: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  readonly output: number;
  readonly reasoning: number;
}

/** Result of one call, as far as its answer reports it. */
export interface CallOutcome {
  /** Undefined if the answer has no usage. */
  readonly usage?: Usage;
  /** The model that the answer names, or else the request. */
  readonly model?: string;
  /** `partial`: the answer ended before its completion mark. */
  readonly completeness: 'complete' | 'partial';
  readonly toolCalls: readonly ToolCall[];
}

/** A tool call of a model. */
export interface ToolCall {
  readonly name: string;
  readonly id?: string;
  /** JSON as the model wrote it. */
  readonly arguments: string;
  /** More text arrived, which was not kept: `arguments` is only the beginning. */
  readonly cut?: true;
}

/** Text of a model in one event or document of an answer, with its channel. */
export interface Delta {
  /** Identifies one text. It is the same for all its pieces: `content.0`, `choices.0.tool_calls.1`. */
  readonly channel: string;
  /**
   * `arguments`: a piece of JSON text, cut anywhere. `arguments-text`: a piece of plain text for a tool, such as a
   * patch. `arguments-value`: string leaves below the path are whole. `thinking` must never be changed, because some
   * providers sign it.
   */
  readonly kind: 'text' | 'thinking' | 'arguments' | 'arguments-text' | 'arguments-value';
  /** Position of the text in the event's JSON. */
  readonly path: readonly (string | number)[];
}

/** Meaning of one event of an answer. */
export interface EventReading {
  readonly deltas: readonly Delta[];
  /**
   * Channels that end here, with every channel below them: `choices.0` ends `choices.0.content`. Their text that was
   * held back is sent before this event, or with the event's own piece of that channel. `all`: the answer has ended.
   */
  readonly closes: readonly string[] | 'all';
  /** Tools that the client runs, if this event names them. Their arguments may be in the same event or come later. */
  readonly tools?: readonly NamedTool[];
}

export interface NamedTool {
  /** Channel of its arguments, which may also be on channels below it. */
  readonly channel: string;
  readonly name: string;
}

/** All facts about a dialect: data, and pure functions over parsed JSON, which may be hostile. */
export interface Dialect {
  readonly name: DialectName;
  /** Published documents and packages, with versions. */
  readonly sources: readonly string[];
  /**
   * String leaves of a request that a model reads, including tool results and tool inputs. Excludes images, documents,
   * signatures and thinking blocks.
   */
  readonly requestText: readonly FieldPattern[];
  /**
   * Leaves that are either text or base64 of a file, depending on a neighbouring member. Search those that `isTextLeaf`
   * accepts.
   */
  readonly requestTextOrBase64: readonly FieldPattern[];
  /** Leaves of tool definitions, which are searched only on request. */
  readonly toolDefinitions: readonly FieldPattern[];
  /** Reads the texts of a whole answer, by the same rules as its events. */
  readonly readDocument: (document: unknown) => EventReading;
  /** Set if a whole answer that is a list is a stream of events. */
  readonly lists?: 'events';
  /** An event that is not JSON (`[DONE]`) is passed as its text. */
  readonly readEvent: (event: unknown, name: string | undefined) => EventReading;
  /**
   * Returns the name for an event of `deltaEvent`: `event:` of SSE, `:event-type` of an event stream. Undefined if
   * events have no names.
   */
  readonly eventName: (event: unknown) => string | undefined;
  /**
   * Returns an event that carries `text` on a channel, as similar to `like` as possible, for held text when the channel
   * closes.
   */
  readonly deltaEvent: (delta: Delta, text: string, like: unknown) => unknown;
  /** Opens a meter, which extracts usage, model and tool calls from events as they arrive, or from one document. */
  readonly openMeter: () => CallMeter;
  /** Returns a refusal in the provider's form, so that SDKs show its message and do not retry it. */
  readonly refusal: (refusal: ModelRefusal) => ModelRefusalAnswer;
  /** Returns the same refusal for a stream or WebSocket that has begun. Undefined if the protocol has no such event. */
  readonly refusalEvent?: (refusal: ModelRefusal) => unknown;
  /** Messages of the dialect's WebSocket. Undefined if it has none, or none that could be inspected. */
  readonly socket?: DialectSocket;
  /**
   * Adds a text to the request, as the last thing that the model reads before it answers. Undefined if this is
   * impossible.
   */
  readonly steer: (request: unknown, text: string) => Steering | undefined;
  /** Asks for usage in a stream if the client did not. Undefined if the server reports it anyway. */
  readonly askForUsage?: (request: unknown) => Steering | undefined;
  /** Used with `askForUsage`: returns true if an event exists only to report usage. */
  readonly isUsageOnly?: (event: unknown) => boolean;
}

/** Messages of a WebSocket, by their `type`. */
export interface DialectSocket {
  /**
   * Known messages of a client. `asks` begins an answer. `adds` is added to a running answer, and may cause another
   * one.
   */
  readonly asks: Readonly<Record<string, 'asks' | 'adds'>>;
  /**
   * Effect of a server's message on an answer. `fails`: the message ends an answer, or no answer will begin. `apart`:
   * the message belongs to no answer.
   */
  readonly tells: (type: string) => 'begins' | 'goes-on' | 'ends' | 'fails' | 'apart';
  /** The member that distinguishes concurrent answers. */
  readonly lane: string;
  /** Paths to the model's name in a client's message. */
  readonly models: readonly (readonly string[])[];
}

export interface ModelRefusal {
  /** 429 stays, so that clients wait. Any other status that SDKs retry is replaced with 403. */
  readonly status: number;
  readonly message: string;
}

export interface ModelRefusalAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/**
 * A JSON value to insert: after the last element of the array at `path`, or as the member `key` of the object at
 * `path`.
 */
export interface Steering {
  /** Set if the value replaces the one at `path`, which is a string or a boolean. `key` is then absent. */
  readonly replaces?: true;
  readonly path: readonly (string | number)[];
  readonly key?: string;
  readonly value: unknown;
}

export interface CallMeter {
  /** Reads an event of the answer, or the whole document. Never throws. */
  read(event: unknown, name: string | undefined): void;
  outcome(end: 'ended' | 'cut'): CallOutcome;
}

/** One event of `text/event-stream`. Source: WHATWG HTML §9.2.6. */
export interface SseEvent {
  readonly event?: string;
  readonly data: string;
  readonly id?: string;
}

/** Result for an event. `same`: the event passes byte for byte. */
export type EventEdit = 'same' | 'drop' | { readonly before?: readonly SseEvent[]; readonly data?: string };

/** Changes a stream in flight. Each complete event is sent at once. Never throws. */
export interface StreamEditor {
  push(bytes: Buffer): Buffer;
  end(): Buffer;
}

/** One journalled call that was sent, to generate or to embed. Excludes Holdfast's own refusals. */
export interface CallRecord {
  /** Beginning of the call, in ISO 8601. */
  readonly at: string;
  readonly session: string;
  /** The repository of the session. */
  readonly workspace: string;
  readonly agent?: string;
  readonly provider: string;
  readonly dialect: DialectName;
  readonly model?: string;
  readonly usage?: Usage;
  /** Null if the cost is unknown, which differs from 0. */
  readonly usd: number | null;
  /** Source of the prices: package and version, or `policy`. */
  readonly table: string;
  readonly completeness: CallOutcome['completeness'];
  /** HTTP status. 0 if there was no answer. */
  readonly status: number;
  readonly milliseconds: number;
  /** Milliseconds until the answer began. */
  readonly firstByte?: number;
  readonly toolCalls: number;
}
