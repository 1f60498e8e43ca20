import type { FieldPattern } from '../dlp/types.ts';

/** How a server of models is spoken to. Told by host and path, never by the shape of a key. */
export type DialectName =
  | 'anthropic-messages'
  | 'openai-chat'
  | 'openai-responses'
  | 'gemini'
  | 'bedrock-converse'
  | 'bedrock-invoke'
  | 'ollama-chat'
  | 'ollama-generate';

/** How an answer comes, by its content type. */
export type StreamFraming = 'json' | 'sse' | 'event-stream' | 'json-lines' | 'websocket';

/** What a request at a host of models is. */
export interface ModelCall {
  /**
   * An id of the price table's providers, or the name that a policy gives a server of its own: `anthropic`, `openai`,
   * `azure`, `google`, `aws`, `openrouter`, `ollama`.
   */
  readonly provider: string;
  readonly dialect: DialectName;
  /** `generate` costs output; `count` and `embed` cost none; `other` (lists of models, files) is not looked into. */
  readonly operation: 'generate' | 'count' | 'embed' | 'other';
  /** Where the path names it: Gemini, Bedrock, Azure deployments. Else it stands in the body. */
  readonly model?: string;
  /** It begins work, such as a batch, and no answer tells what that comes to. */
  readonly cost?: 'untold';
  /** The server tells usage in streams without being asked, and may refuse a request that asks. */
  readonly streamUsage?: 'unasked';
}

/** Tokens of one call, normalised so that no token is in two classes. Whole numbers. `reasoning` is within `output`. */
export interface Usage {
  readonly uncachedInput: number;
  readonly cacheRead: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  readonly output: number;
  readonly reasoning: number;
}

/** What one call came to, as far as its answer told. */
export interface CallOutcome {
  /** Undefined where the answer told none. */
  readonly usage?: Usage;
  /** Of the answer where it says so, else of the request. */
  readonly model?: string;
  /** `partial`: the answer ended before it said that it was complete. */
  readonly completeness: 'complete' | 'partial';
  readonly toolCalls: readonly ToolCall[];
}

/** A call of a tool that a model asked for. */
export interface ToolCall {
  readonly name: string;
  readonly id?: string;
  /** JSON as the model wrote it. */
  readonly arguments: string;
  /** More came than is kept: `arguments` is only the beginning. */
  readonly cut?: true;
}

/** Text of a model in one event or document of an answer, by the channel that it goes on in. */
export interface Delta {
  /** The same for all pieces of one text: `content.0`, `choices.0.tool_calls.1`. */
  readonly channel: string;
  /**
   * `arguments`: a piece of JSON text, cut anywhere. `arguments-text`: a piece of plain text that a tool gets, such as
   * a patch.
   * `arguments-value`: string leaves below the path are whole. `thinking` is never to be changed: some providers sign
   * it.
   */
  readonly kind: 'text' | 'thinking' | 'arguments' | 'arguments-text' | 'arguments-value';
  /** Where it stands in the event's JSON. */
  readonly path: readonly (string | number)[];
}

/** What one event of an answer means. */
export interface EventReading {
  readonly deltas: readonly Delta[];
  /**
   * Channels that end here, and every channel below them: `choices.0` ends `choices.0.content`. What was held back of
   * them goes out before this event; where the event has a piece of such a channel itself, with that piece. `all`: the
   * answer is over.
   */
  readonly closes: readonly string[] | 'all';
  /** Tools that the client runs, where their names stand in this event. Their arguments may be in it, or come later. */
  readonly tools?: readonly NamedTool[];
}

export interface NamedTool {
  /** Of its arguments, which may be on channels below this one. */
  readonly channel: string;
  readonly name: string;
}

/** Everything that is known of a dialect. Data, and pure functions over parsed JSON, which is hostile. */
export interface Dialect {
  readonly name: DialectName;
  /** Published documents and packages, with versions. */
  readonly sources: readonly string[];
  /**
   * String leaves of a request that a model reads, tool results and tool inputs among them. No image, document,
   * signature or thinking block.
   */
  readonly requestText: readonly FieldPattern[];
  /**
   * Leaves that are a text or base64 of a file, by a member beside them. Look into those that `isTextLeaf` takes for
   * text.
   */
  readonly requestTextOrBase64: readonly FieldPattern[];
  /** Of tool definitions: looked into by option only. */
  readonly toolDefinitions: readonly FieldPattern[];
  /** What a whole answer's text is, by the same rules as its events. */
  readonly readDocument: (document: unknown) => EventReading;
  /** A whole answer that is a list is a stream of events. */
  readonly lists?: 'events';
  /** An event that is no JSON (`[DONE]`) is given as its text. */
  readonly readEvent: (event: unknown, name: string | undefined) => EventReading;
  /**
   * What an event of `deltaEvent` goes under: `event:` of SSE, `:event-type` of an event stream. Undefined where events
   * have no names.
   */
  readonly eventName: (event: unknown) => string | undefined;
  /**
   * An event that carries `text` on a channel, as like `like` as it can be, for what was held back when the channel
   * closes.
   */
  readonly deltaEvent: (delta: Delta, text: string, like: unknown) => unknown;
  /** Takes usage, model and tool calls out of events, or of one document, as they come. */
  readonly openMeter: () => CallMeter;
  /** A refusal as the provider would say it, so that SDKs show its message and do not retry it. */
  readonly refusal: (refusal: ModelRefusal) => ModelRefusalAnswer;
  /** The same within a stream or WebSocket that has begun; undefined where there is no such event. */
  readonly refusalEvent?: (refusal: ModelRefusal) => unknown;
  /** What is said over a WebSocket; undefined where the dialect has none, or none that could be looked into. */
  readonly socket?: DialectSocket;
  /** The request with a text that the model reads last, before it answers; undefined where there is no such place. */
  readonly steer: (request: unknown, text: string) => Steering | undefined;
  /** Asks for usage in a stream where the client did not; undefined where it is told anyway. */
  readonly askForUsage?: (request: unknown) => Steering | undefined;
  /** With `askForUsage`: whether an event is there for nothing but that. */
  readonly isUsageOnly?: (event: unknown) => boolean;
}

/** Messages of a WebSocket, by their `type`. */
export interface DialectSocket {
  /**
   * Those of a client that are known. `asks` begins an answer; `adds` goes into one that is under way, which may bring
   * another.
   */
  readonly asks: Readonly<Record<string, 'asks' | 'adds'>>;
  /**
   * What one of a server is to an answer. `fails`: it ends one, or none was begun. `apart`: it belongs to no answer.
   */
  readonly tells: (type: string) => 'begins' | 'goes-on' | 'ends' | 'fails' | 'apart';
  /** The member that says which of several answers at a time a message is about. */
  readonly lane: string;
  /** Where a client's message names the model. */
  readonly models: readonly (readonly string[])[];
}

export interface ModelRefusal {
  /** 429 stays, so that clients wait. Any other status that SDKs retry becomes 403. */
  readonly status: number;
  readonly message: string;
}

export interface ModelRefusalAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** A JSON value to put in: behind the last element of the array at `path`, or as a member `key` of the object there. */
export interface Steering {
  /** The value goes in the place of the one at `path`, which is a string or a boolean. There is no `key` then. */
  readonly replaces?: true;
  readonly path: readonly (string | number)[];
  readonly key?: string;
  readonly value: unknown;
}

export interface CallMeter {
  /** An event of the answer, or the whole document. Never throws. */
  read(event: unknown, name: string | undefined): void;
  outcome(end: 'ended' | 'cut'): CallOutcome;
}

/** One event of `text/event-stream`. Source: WHATWG HTML §9.2.6. */
export interface SseEvent {
  readonly event?: string;
  readonly data: string;
  readonly id?: string;
}

/** What becomes of an event: `same` is passed on byte for byte. */
export type EventEdit = 'same' | 'drop' | { readonly before?: readonly SseEvent[]; readonly data?: string };

/** Changes a stream in flight. Each complete event goes on in the moment it has come. Never throws. */
export interface StreamEditor {
  push(bytes: Buffer): Buffer;
  end(): Buffer;
}

/** One call that was sent on, to generate or to embed, as the journal holds it. What we refused ourselves is none. */
export interface CallRecord {
  /** ISO 8601, when the call began. */
  readonly at: string;
  readonly session: string;
  /** The repository that the session works in. */
  readonly workspace: string;
  readonly agent?: string;
  readonly provider: string;
  readonly dialect: DialectName;
  readonly model?: string;
  readonly usage?: Usage;
  /** Null where the cost is not known, which is not the same as 0. */
  readonly usd: number | null;
  /** Of the prices: package and version, or `policy`. */
  readonly table: string;
  readonly completeness: CallOutcome['completeness'];
  /** Of HTTP; 0 where no answer came. */
  readonly status: number;
  readonly milliseconds: number;
  /** Milliseconds until the answer began. */
  readonly firstByte?: number;
  readonly toolCalls: number;
}
