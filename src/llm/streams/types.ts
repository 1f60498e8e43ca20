/**
 * The reason why bytes went on unsearched. It is reported before the bytes are returned. A caller who would rather
 * refuse can discard the result of that `push` or `end`.
 *
 * - `too-long`: one event, line or message exceeds the limit. The search goes on with the next one.
 * - `not-utf8`: its text is not UTF-8. The search goes on with the next one.
 * - `unfinished`: the stream ended inside it. The formats say that a reader drops it, but not every reader does.
 * - `damaged`: the framing is wrong. If it cannot be trusted any more, the rest passes unsearched.
 */
export type Unread = 'too-long' | 'not-utf8' | 'unfinished' | 'damaged';

export interface EditorOptions {
  /** Octets of the longest event, line or message that is searched. */
  readonly limit?: number;
  /** Called once for each event, line or message. */
  readonly onUnread?: (why: Unread) => void;
}

/** Result for a line. `before` holds whole lines to write before it, `data` replaces it. None has line breaks. */
export type LineEdit = 'same' | 'drop' | { readonly before?: readonly string[]; readonly data?: string };

/** A message of `application/vnd.amazon.eventstream`. */
export interface EventStreamMessage {
  /**
   * By name, without a prototype. Text is unchanged. Numbers, and times in milliseconds since 1970, are decimal.
   * Booleans are `true` and `false`, octets are base64, and UUIDs have hyphens.
   */
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: Buffer;
}

/**
 * Result for a message. With `payload`, its headers stay byte for byte. The headers of messages in `before` are written
 * as text. A header that the format has no room for (name over 255 octets, value over 32,767) is left out.
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

/** Result for a text message. `before` holds whole messages to send before it. */
export type MessageEdit = LineEdit;

/** Changes whole text messages among the frames of one direction. Never throws. */
export interface MessageEditor {
  /** Returns the frames that go on now. */
  push(frame: MessageFrame): readonly MessageFrame[];
  /** Returns held frames at the end of the connection. */
  end(): readonly MessageFrame[];
}
