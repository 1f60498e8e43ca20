import type { Readable } from 'node:stream';
import { byteSource } from '../../../egress/http/byte-source.ts';
import { postgresLimits, type PostgresMessage } from './types.ts';

const none: Buffer = Buffer.alloc(0);

/** What becomes of a message: it goes on, it does not, or it and all after it wait for `resume`. */
export type Fate = 'pass' | 'drop' | 'hold';

/** A message that the walker has come to. The object is used again for the next one. */
export interface WalkedMessage {
  readonly type: number;
  /** Of the whole message in octets, its head of 5 included. */
  readonly size: number;
  /** The message begins at `at`; as much of it is there as `needs` said, or all of it. */
  readonly bytes: Buffer;
  readonly at: number;
}

export interface Visitor {
  /** How many octets of a message have to be there before it is visited. Throws on a length that is not taken. */
  needs(type: number, size: number): number;
  visit(message: WalkedMessage): Fate;
}

/**
 * Goes from head to head of the messages in a stream and gives out what goes on, mostly the very chunks that came.
 * Bodies of messages that were visited by their heads go on piece by piece: no message is longer in memory than `needs`
 * says.
 */
export class Walker {
  readonly #visitor: Visitor;
  readonly #seen = { type: 0, size: 0, bytes: none, at: 0 };
  /** What came and has not gone on, and how much of it has to be there for the next step. */
  #waiting: Buffer[] = [];
  #waitingSize = 0;
  #wanted = 0;
  /** Octets of the visited message that have not gone on, and what becomes of them. */
  #streaming = 0;
  #fate: Fate = 'pass';
  #state: 'idle' | 'walking' | 'holding' | 'broken' = 'idle';
  #failure: unknown;
  #behind: Buffer[] = [];
  #out: Buffer[] = [];
  /** What is walked through, up to where it has gone on, and up to where it was looked at. */
  #bytes: Buffer = none;
  #from = 0;
  #at = 0;

  constructor(visitor: Visitor) {
    this.#visitor = visitor;
  }

  get isHolding(): boolean {
    return this.#state === 'holding';
  }

  /** Whether everything that came has gone on, and no message is on its way. */
  get isBetween(): boolean {
    return this.#streaming === 0 && this.#waitingSize === 0;
  }

  /** Why nothing goes on any more: what a visitor threw, or a malformed head. Everything before it has gone on. */
  get failure(): unknown {
    return this.#failure;
  }

  /** What goes on now. */
  push(chunk: Buffer): readonly Buffer[] {
    if (this.#state === 'broken') return [];
    this.#waiting.push(chunk);
    this.#waitingSize += chunk.length;
    return this.isHolding || (this.#streaming === 0 && this.#waitingSize < this.#wanted) ? [] : this.#walk();
  }

  /** Goes on with what was held. */
  resume(): readonly Buffer[] {
    return this.isHolding ? this.#walk() : [];
  }

  /** Puts messages of ours before the one that is visited. Only while it is. */
  insertBefore(bytes: Buffer): void {
    this.#cut();
    this.#out.push(bytes);
  }

  /**
   * Puts messages of ours behind the message that is visited or on its way. `now`: there is none, and the caller has to
   * send them himself.
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

  /** The octets of a message that was visited, as far as they are there. */
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

  /** False where more is needed, or the message has to wait. */
  #visitNext(): boolean {
    const there = this.#bytes.length - this.#at;
    this.#wanted = 5;
    if (there < this.#wanted) return false;
    const seen = this.#seen;
    seen.type = this.#bytes[this.#at] ?? 0;
    seen.size = this.#bytes.readUInt32BE(this.#at + 1) + 1;
    if (seen.size < 5 || seen.size > 0x7fff_ffff) throw new ProtocolViolation('it sent a message whose length is none');
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

/** The other side does not keep to the protocol. Its message holds nothing that was sent. */
export class ProtocolViolation extends Error {
  override readonly name = 'ProtocolViolation';
}

/**
 * Reads messages one by one, while both sides wait for each other. Rejects when the stream breaks or ends, and on what
 * is no message.
 */
export interface LoginReader {
  /** What stands behind the length of a packet without a letter. */
  first(): Promise<Buffer>;
  /** One octet: the answer to a request for TLS. */
  octet(): Promise<number>;
  /** At most `most` octets behind the length. */
  next(most: number): Promise<PostgresMessage>;
  /** Whether nothing has come that was not asked for. */
  isEmpty(): boolean;
  /** Gives the stream back with what was not read still in it. */
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
