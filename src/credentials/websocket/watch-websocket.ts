import { Duplex } from 'node:stream';
import type { Detector, Hit, Masker } from '../masking/index.ts';
import { createFrameRelay, type FrameRelay, type Stopped } from './frame-relay.ts';
import { detectingGate, maskingGate, openGate } from './gate.ts';
import { closeFrame } from './write-frame.ts';

export interface WebSocketWatch {
  /** What must not leave. */
  readonly outgoing: Detector;
  /** Masks what comes in. Absent: it is left as it is. */
  readonly incoming?: Masker;
  /** Something was found that must not leave, and has not. Called once at most. */
  readonly onHit: (hit: Hit) => void;
  /** A secret of this credential came in, and was masked. */
  readonly onMasked?: (credential: string) => void;
}

/** Milliseconds that both sides have to hear why a WebSocket was ended. */
const linger = 2_000;

/**
 * The tunnel of an opened WebSocket, seen from the client, as a stream that is looked into in both directions: text,
 * binary and control frames, across the fragments of a message. What a message ends with goes on with its end, so of
 * something that is spread over several messages only what is in the last one is stopped or masked. A find is never sent:
 * both sides are told 1008 (policy violation) and the tunnel ends; bytes that are no frames end it with 1002. No
 * extension may have been agreed on: nothing here looks into compressed messages.
 */
export function watchWebSocket(tunnel: Duplex, watch: WebSocketWatch): Duplex {
  return new WatchedTunnel(tunnel, watch);
}

class WatchedTunnel extends Duplex {
  readonly #tunnel: Duplex;
  readonly #outgoing: FrameRelay;
  readonly #incoming: FrameRelay;
  readonly #onHit: WebSocketWatch['onHit'];
  #state: 'open' | 'stopped' = 'open';
  #reading: 'open' | 'ended' = 'open';

  constructor(tunnel: Duplex, { outgoing, incoming, onHit, onMasked = () => undefined }: WebSocketWatch) {
    super();
    this.#tunnel = tunnel;
    this.#outgoing = createFrameRelay('client', detectingGate(outgoing));
    this.#incoming = createFrameRelay('server', incoming === undefined ? openGate : maskingGate(incoming, onMasked));
    this.#onHit = onHit;
    // Nothing is read before somebody reads from here.
    tunnel.pause();
    tunnel.on('data', (bytes: Buffer) => this.#orEnd(() => this.#hear(bytes)));
    tunnel.once('end', () => this.#endReading([]));
    tunnel.on('error', (error) => this.destroy(error));
    tunnel.once('close', () => {
      if (!tunnel.readableEnded || !tunnel.writableFinished) this.destroy();
    });
  }

  /** Of the tunnel. What waits for silence on a tunnel asks for it. */
  setTimeout(milliseconds: number): this {
    if ('setTimeout' in this.#tunnel && typeof this.#tunnel.setTimeout === 'function') this.#tunnel.setTimeout(milliseconds);
    return this;
  }

  override _read(): void {
    this.#tunnel.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (this.#state === 'stopped') return done();
    this.#orEnd(() => this.#say(chunk, done));
  }

  #say(chunk: Buffer, done: () => void): void {
    const { frames, stopped } = this.#outgoing.push(chunk);
    const hasRoom = frames.length === 0 || this.#tunnel.write(Buffer.concat(frames));
    if (stopped !== undefined) this.#stop(stopped);
    if (hasRoom || stopped !== undefined) done();
    else this.#tunnel.once('drain', done);
  }

  override _final(done: () => void): void {
    // Whoever is done here closes the tunnel, which must have sent everything by then.
    this.#tunnel.end(() => done());
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#tunnel.destroy();
    done(error);
  }

  /** Who is told of a find may fail, as with a full disk. Nobody would catch that here, and nothing goes on unseen. */
  #orEnd(look: () => void): void {
    try {
      look();
    } catch (error) {
      this.destroy(error instanceof Error ? error : new Error('A WebSocket could not be watched.'));
    }
  }

  #hear(chunk: Buffer): void {
    if (this.#state === 'stopped') return;
    const { frames, stopped } = this.#incoming.push(chunk);
    if (frames.length > 0 && !this.push(Buffer.concat(frames))) this.#tunnel.pause();
    if (stopped !== undefined) this.#stop(stopped);
  }

  #endReading(last: readonly Buffer[]): void {
    if (this.#reading === 'ended') return;
    this.#reading = 'ended';
    for (const bytes of last) this.push(bytes);
    this.push(null);
  }

  #stop(stopped: Stopped): void {
    this.#state = 'stopped';
    if (stopped.kind === 'hit') this.#onHit(stopped.hit);
    const end = endingOf(stopped);
    if (this.#tunnel.writable) this.#tunnel.end(closeFrame(end, 'server'));
    this.#tunnel.resume();
    this.#endReading([closeFrame(end, 'client')]);
    const late = setTimeout(() => this.destroy(new Error('A side of a WebSocket that was ended did not go.')), linger).unref();
    this.once('close', () => clearTimeout(late));
  }
}

/** Source of the statuses: RFC 6455 §7.4.1. */
function endingOf(stopped: Stopped): { readonly status: number; readonly reason: string } {
  switch (stopped.kind) {
    case 'hit':
      return { status: 1008, reason: 'A message held a credential that must not leave the box.' };
    case 'violation':
      return { status: 1002, reason: stopped.message };
  }
}
