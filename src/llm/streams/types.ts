/**
 * Why something went on without having been looked into. It is told before the bytes are given back, so a caller who
 * would rather refuse can throw away what that `push` or `end` returns.
 *
 * - `too-long`: one event, line or message is longer than the limit. Looking goes on with the next one.
 * - `not-utf8`: its text is none. Looking goes on with the next one.
 * - `unfinished`: the stream ended inside of it. The formats say that a reader drops it, and not every reader does.
 * - `damaged`: the framing is wrong. Where the framing cannot be trusted any more, nothing of the rest is looked into.
 */
export type Unread = 'too-long' | 'not-utf8' | 'unfinished' | 'damaged';

export interface EditorOptions {
  /** Octets of the longest event, line or message that is looked into. */
  readonly limit?: number;
  /** Called once for each event, line or message. */
  readonly onUnread?: (why: Unread) => void;
}

/**
 * What becomes of a line: `before` are whole lines that are written ahead of it, `data` stands in its place. None has
 * line breaks.
 */
export type LineEdit = 'same' | 'drop' | { readonly before?: readonly string[]; readonly data?: string };

/** A message of `application/vnd.amazon.eventstream`. */
export interface EventStreamMessage {
  /**
   * By name, without a prototype. Text as it is; numbers, and times in milliseconds since 1970, in decimal; `true` and
   * `false`; octets in base64; UUIDs with hyphens.
   */
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: Buffer;
}

/**
 * What becomes of a message. With `payload` its headers stay byte for byte. The headers of messages `before` are
 * written as text; one that the format has no room for (name over 255 octets, value over 32,767) is left out.
 */
export type EventStreamEdit =
  | 'same'
  | 'drop'
  | { readonly before?: readonly EventStreamMessage[]; readonly payload?: Buffer };

/** A frame of a WebSocket without its mask. Opcodes: RFC 6455 §11.8. */
export interface MessageFrame {
  readonly opcode: number;
  readonly final: boolean;
  readonly payload: Buffer;
}

/** What becomes of a text message: `before` are whole messages that are sent ahead of it. */
export type MessageEdit = LineEdit;

/** Changes whole text messages among the frames of one direction. Never throws. */
export interface MessageEditor {
  /** The frames that go on now. */
  push(frame: MessageFrame): readonly MessageFrame[];
  /** What is held back, when the connection is over. */
  end(): readonly MessageFrame[];
}
