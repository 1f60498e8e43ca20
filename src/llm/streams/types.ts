/**
 * The reason that bytes passed without being searched. It is reported before the bytes are returned, so a caller that
 * wants to refuse them can discard the result of that `push` or `end`.
 *
 * - `too-long`: one event, line or message exceeds the limit. The search goes on with the next one.
 * - `not-utf8`: the text of one is not UTF-8. The search goes on with the next one.
 * - `unfinished`: the stream ended inside one. By the formats a reader drops it, but not every reader does.
 * - `damaged`: the framing is wrong. If it can no longer be trusted, the rest passes without being searched.
 */
export type Unread = 'too-long' | 'not-utf8' | 'unfinished' | 'damaged';

export interface EditorOptions {
  /** Most octets of an event, line or message that is searched. */
  readonly limit?: number;
  /** Called once for each event, line or message. */
  readonly onUnread?: (why: Unread) => void;
}

/**
 * Result for a line. `before` are whole lines to write before it, and `data` replaces it. None of them has line breaks.
 */
export type LineEdit = 'same' | 'drop' | { readonly before?: readonly string[]; readonly data?: string };

/** A message of `application/vnd.amazon.eventstream`. */
export interface EventStreamMessage {
  /**
   * Values by name, in an object without a prototype. Text is unchanged. Numbers, and times in milliseconds since 1970,
   * are decimal. Booleans are `true` and `false`, octets are base64, and UUIDs have hyphens.
   */
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: Buffer;
}

/**
 * Result for a message. `payload` replaces its payload, and its headers stay byte for byte. The headers of messages in
 * `before` are written as text. A header that is too long for the format (name over 255 octets, value over 32,767) is
 * left out.
 */
export type EventStreamEdit =
  | 'same'
  | 'drop'
  | { readonly before?: readonly EventStreamMessage[]; readonly payload?: Buffer };

/** An unmasked frame of a WebSocket. Opcodes: RFC 6455 §11.8. */
export interface MessageFrame {
  readonly opcode: number;
  readonly final: boolean;
  readonly payload: Buffer;
}

/** Result for a text message. `before` are whole messages to send before it. */
export type MessageEdit = LineEdit;

/** Changes whole text messages in the frames of one direction. Never throws. */
export interface MessageEditor {
  /** Returns the frames to send now. */
  push(frame: MessageFrame): readonly MessageFrame[];
  /** Returns the frames that were held back, at the end of the connection. */
  end(): readonly MessageFrame[];
}
