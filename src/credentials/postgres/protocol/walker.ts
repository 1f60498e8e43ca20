import type { Readable } from 'node:stream';
import { byteSource } from '../../../egress/http/byte-source.ts';
import { postgresLimits, type PostgresMessage } from './types.ts';

const none: Buffer = Buffer.alloc(0);

/** Decision about a message: it passes, is dropped, or waits for `resume` together with all later ones. */
export type Fate = 'pass' | 'drop' | 'hold';

/** The message at the walker's position. The object is reused for the next message. */
export interface WalkedMessage {
  readonly type: number;
  /** Octets of the whole message, including its 5-octet head. */
  readonly size: number;
  /** The message begins at offset `at`. `bytes` holds at least as much of it as `needs` returned, or all of it. */
  readonly bytes: Buffer;
  readonly at: number;
}

export interface Visitor {
  /** Returns how many octets of a message have to arrive before it is visited. Throws on an unacceptable length. */
  needs(type: number, size: number): number;
  visit(message: WalkedMessage): Fate;
}

/**
 * Walks from head to head through a stream of messages, and returns the bytes that pass, mostly as the original chunks.
 * A body passes piece by piece after its head was visited. The walker buffers no more of a message than `needs`
 * returns.
 */
export class Walker {
  readonly #visitor: Visitor;
  readonly #seen = { type: 0, size: 0, bytes: none, at: 0 };
  /** Bytes that have arrived but not passed, and how many of them the next step needs. */
  #waiting: Buffer[] = [];
  #waitingSize = 0;
  #wanted = 0;
  /** Octets of the visited message that have not passed yet, and the decision about them. */
  #streaming = 0;
  #fate: Fate = 'pass';
  #state: 'idle' | 'walking' | 'holding' | 'broken' = 'idle';
  #failure: unknown;
  #behind: Buffer[] = [];
  #out: Buffer[] = [];
  /** The bytes under examination, the end of those that have passed, and the end of those examined. */
  #bytes: Buffer = none;
  #from = 0;
  #at = 0;

  constructor(visitor: Visitor) {
    this.#visitor = visitor;
  }

  get isHolding(): boolean {
    return this.#state === 'holding';
  }

  /** True if all bytes have passed and no message is incomplete. */
  get isBetween(): boolean {
    return this.#streaming === 0 && this.#waitingSize === 0;
  }

  /** The reason that nothing passes any more: a visitor's error, or a malformed head. All earlier bytes have passed. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Adds a chunk and returns the bytes that pass now. */
  push(chunk: Buffer): readonly Buffer[] {
    if (this.#state === 'broken') return [];
    this.#waiting.push(chunk);
    this.#waitingSize += chunk.length;
    return this.isHolding || (this.#streaming === 0 && this.#waitingSize < this.#wanted) ? [] : this.#walk();
  }

  /** Continues with messages that were held back, and returns the bytes that pass now. */
  resume(): readonly Buffer[] {
    return this.isHolding ? this.#walk() : [];
  }

  /** Inserts messages of the broker before the visited one. Valid only during the visit. */
  insertBefore(bytes: Buffer): void {
    this.#cut();
    this.#out.push(bytes);
  }

  /**
   * Inserts messages of the broker after the message that is being visited or is incomplete. `now`: there is no such
   * message, and the caller has to send them.
   */
  insertAfter(bytes: Buffer): 'now' | 'later' {
    if (this.#state !== 'walking' && this.#streaming === 0) return 'now';
    this.#behind.push(bytes);
    return 'later';
  }

  #walk(): readonly Buffer[] {
    const [only] = this.#waiting;
    this.#bytes =
      this.#waiting.length === 1 && only !== undefined ? only : Buffer.concat(this.#waiting, this.#waitingSize);
    this.#state = 'walking';
    this.#from = 0;
    this.#at = 0;
    this.#out = [];
    try {
      do {
        if (this.#streaming > 0) this.#passBody();
      } while (this.#streaming === 0 && this.#at < this.#bytes.length && this.#visitNext());
    } catch (error) {
      this.#failure = error;
      this.#state = 'broken';
    }
    this.#cut();
    this.#keepRest();
    return this.#out;
  }

  /** Passes the octets of a visited message that have arrived. */
  #passBody(): void {
    const taken = Math.min(this.#streaming, this.#bytes.length - this.#at);
    if (this.#fate === 'drop') this.#cut();
    this.#at += taken;
    if (this.#fate === 'drop') this.#from = this.#at;
    this.#streaming -= taken;
    if (this.#streaming > 0 || this.#behind.length === 0) return;
    this.#cut();
    this.#out.push(...this.#behind);
    this.#behind = [];
  }

  /** Returns false if more bytes are needed or the message has to wait. */
  #visitNext(): boolean {
    const there = this.#bytes.length - this.#at;
    this.#wanted = 5;
    if (there < this.#wanted) return false;
    const seen = this.#seen;
    seen.type = this.#bytes[this.#at] ?? 0;
    seen.size = this.#bytes.readUInt32BE(this.#at + 1) + 1;
    if (seen.size < 5 || seen.size > 0x7fff_ffff) throw new ProtocolViolation('it sent a message of invalid length');
    this.#wanted = Math.min(seen.size, this.#visitor.needs(seen.type, seen.size));
    if (there < this.#wanted) return false;
    seen.bytes = this.#bytes;
    seen.at = this.#at;
    this.#fate = this.#visitor.visit(seen);
    if (this.#fate !== 'hold') this.#streaming = seen.size;
    else this.#state = 'holding';
    return this.#fate !== 'hold';
  }

  #cut(): void {
    if (this.#from < this.#at) this.#out.push(this.#bytes.subarray(this.#from, this.#at));
    this.#from = this.#at;
  }

  #keepRest(): void {
    this.#waitingSize = this.#state === 'broken' ? 0 : this.#bytes.length - this.#at;
    this.#waiting = this.#waitingSize > 0 ? [this.#bytes.subarray(this.#at)] : [];
    if (this.#waitingSize === 0) this.#wanted = 0;
    if (this.#state === 'walking') this.#state = 'idle';
    this.#bytes = none;
    this.#seen.bytes = this.#bytes;
  }
}

/** The other side broke the protocol. The error message contains none of its bytes. */
export class ProtocolViolation extends Error {
  override readonly name = 'ProtocolViolation';
}

/**
 * Reads messages one by one while both sides take turns. Rejects if the stream breaks or ends, and on an invalid
 * message.
 */
export interface LoginReader {
  /** Reads a packet without a letter, and returns its body after the length. */
  first(): Promise<Buffer>;
  /** Reads one octet: the answer to a request for TLS. */
  octet(): Promise<number>;
  /** Reads a message of at most `most` octets after the length. */
  next(most: number): Promise<PostgresMessage>;
  /** Returns true if no unexpected bytes have arrived. */
  isEmpty(): boolean;
  /** Releases the stream, with the unread bytes still in it. */
  detach(): void;
}

export function loginReader(stream: Readable): LoginReader {
  const source = byteSource(stream);
  let bytes: Buffer = Buffer.alloc(0);
  const take = async (count: number): Promise<Buffer> => {
    while (bytes.length < count) {
      const more = await source.read();
      if (more === undefined) throw new ProtocolViolation('it ended the connection');
      bytes = bytes.length === 0 ? more : Buffer.concat([bytes, more]);
    }
    const taken = bytes.subarray(0, count);
    bytes = bytes.subarray(count);
    return taken;
  };
  const rest = async (length: number, most: number): Promise<Buffer> => {
    if (length < 4 || length - 4 > most) throw new ProtocolViolation(`it sent a message with the length ${length}`);
    return take(length - 4);
  };
  return {
    first: async () => rest((await take(4)).readUInt32BE(0), postgresLimits.startup),
    octet: async () => (await take(1))[0] ?? 0,
    async next(most) {
      const head = await take(5);
      return { type: head[0] ?? 0, body: await rest(head.readUInt32BE(1), most) };
    },
    isEmpty: () => bytes.length === 0 && source.isEmpty(),
    detach() {
      source.unread(bytes);
      bytes = Buffer.alloc(0);
      source.detach();
    },
  };
}
