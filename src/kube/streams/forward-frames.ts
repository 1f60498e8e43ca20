import { objectIn } from '../api/failures.ts';

/** The subprotocol of `portforward`: two channels for a port, which both begin with its number. */
export const forwardProtocol = 'v4.channel.k8s.io';

/** The number of the connection's one port. */
const forwardChannels = { data: 0, error: 1 } as const;

/** Content of one message. */
export type ForwardFrame =
  | { readonly kind: 'data'; readonly bytes: Buffer }
  /** The node's message for a failed connection. More of it may follow. */
  | { readonly kind: 'error' }
  /** The server does not speak the protocol. */
  | { readonly kind: 'lie'; readonly what: string };

const nothing = Buffer.alloc(0);
/** Bytes of an error that are kept, and bytes that a server may send as one. */
const keptOfError = 2048;
const mostOfError = 64 << 10;

/** Reads the messages of one forwarded connection. Keeps a bounded number of bytes, from any server. */
export class ForwardFrames {
  readonly #port: number;
  readonly #heads = [nothing, nothing];
  #error = nothing;
  #errorLength = 0;

  constructor(port: number) {
    this.#port = port;
  }

  take(message: Buffer): ForwardFrame {
    const [channel] = message;
    if (channel === undefined) return lie('an empty message');
    if (channel !== forwardChannels.data && channel !== forwardChannels.error)
      return lie(`a message on the channel ${channel}`);
    const rest = this.#afterHead(channel, message.subarray(1));
    if (rest === undefined) return lie(`another port than ${this.#port}`);
    if (channel === forwardChannels.data) return { kind: 'data', bytes: rest };
    this.#errorLength += rest.length;
    if (this.#errorLength > mostOfError) return lie('an endless error');
    this.#error = Buffer.concat([this.#error, rest.subarray(0, keptOfError - this.#error.length)]);
    return { kind: 'error' };
  }

  /** The error in one line. Empty without one. */
  get error(): string {
    const text = this.#error.toString('utf8');
    const { message } = objectIn(text);
    return (typeof message === 'string' ? message : text)
      .replaceAll(/[\s\p{C}]+/gu, ' ')
      .trim()
      .slice(0, 300);
  }

  /** Returns the bytes after the port in little endian, or undefined for another port. */
  #afterHead(channel: 0 | 1, bytes: Buffer): Buffer | undefined {
    const head = this.#heads[channel] ?? nothing;
    if (head.length === 2) return bytes;
    const missing = 2 - head.length;
    const whole = Buffer.concat([head, bytes.subarray(0, missing)]);
    this.#heads[channel] = whole;
    if (whole.length === 2 && whole.readUInt16LE(0) !== this.#port) return undefined;
    return bytes.subarray(missing);
  }
}

function lie(what: string): ForwardFrame {
  return { kind: 'lie', what };
}

export function encodeForwarded(bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(forwardChannels.data), bytes]);
}
