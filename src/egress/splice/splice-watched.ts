import type { Socket } from 'node:net';
import { type Duplex, Transform } from 'node:stream';
import type { StreamWatch } from '../types.ts';
import { followSide, type Inspection, resetSide } from './splice.ts';

export interface WatchedOptions {
  readonly watch: StreamWatch;
  /** As in `splice`, but without last bytes. */
  inspect?(bytes: Buffer): Inspection;
  /** The connection beneath the client's TLS. Only this connection can be reset. */
  readonly carrier?: Socket;
  /** Bytes that the client sent before it ended, if they could not be put back. */
  readonly said?: Buffer;
}

/**
 * Like `splice`, but for any kind of stream. The watch decides how far the client's bytes may go on. Rejects if the
 * watch throws. Both ends are closed in any case.
 */
export function spliceWatched(
  client: Duplex,
  upstream: Duplex,
  { watch, inspect, carrier, said }: WatchedOptions,
): Promise<'ended' | 'stopped'> {
  const gate = streamOf(gateOf(watch, inspect));
  upstream.pipe(client);
  gate.pipe(upstream);
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      if (!client.closed || !upstream.closed) return;
      gate.destroy();
      resolve('ended');
    };
    followSide(client, upstream, settle);
    followSide(upstream, client, settle);
    gate.on('error', (error) => {
      resetSide(carrier ?? client);
      resetSide(client);
      resetSide(upstream);
      if (error instanceof Stopped) resolve('stopped');
      else reject(error);
    });
    if (said !== undefined) gate.write(said);
    // Reading may have begun earlier. The end may then have come already, and is not reported again.
    if (client.readableEnded) gate.end();
    else client.pipe(gate);
  });
}

class Stopped extends Error {
  override readonly name = 'Stopped';
}

/** Milliseconds after which both sides may be waiting for bytes that the watch holds back. */
const longestHold = 100;

function streamOf(gate: Gate): Transform {
  let heldBack = 0;
  let timer: NodeJS.Timeout | undefined;
  const look = (ask: () => Buffer | 'stop', added = 0): Buffer => {
    clearTimeout(timer);
    const passed = ask();
    if (passed === 'stop') throw new Stopped();
    heldBack += added - passed.length;
    return passed;
  };
  const release = (): void =>
    give(
      () => look(() => gate.pause()),
      (error, bytes) => void (error === null ? bytes !== undefined && stream.push(bytes) : stream.destroy(error)),
    );
  const stream = new Transform({
    transform(bytes: Buffer, _encoding, done) {
      give(() => look(() => gate.push(bytes), bytes.length), done);
      if (heldBack > 0) timer = setTimeout(release, longestHold);
    },
    flush: (done) => give(() => look(() => gate.end()), done),
    destroy(error, done) {
      clearTimeout(timer);
      done(error);
    },
  });
  return stream;
}

function give(take: () => Buffer, done: (error: Error | null, bytes?: Buffer) => void): void {
  try {
    const passed = take();
    if (passed.length === 0) done(null);
    else done(null, passed);
  } catch (error) {
    done(asError(error));
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** Filters the client's bytes. */
interface Gate {
  push(bytes: Buffer): Buffer | 'stop';
  /** The client has been silent for a while. The server may be waiting for bytes that the watch holds back. */
  pause(): Buffer | 'stop';
  end(): Buffer | 'stop';
}

const nothing = Buffer.alloc(0);

/**
 * Wraps a watch so that the first bytes are held back, even during pauses, until they have been inspected. The
 * inspection may refuse them.
 */
export function gateOf(watch: StreamWatch, inspect?: (bytes: Buffer) => Inspection): Gate {
  let held: Buffer | undefined = inspect === undefined ? undefined : nothing;
  return {
    push(bytes) {
      if (held === undefined) return watch.push(bytes);
      const all = Buffer.concat([held, bytes]);
      const kind = inspect?.(all).kind;
      held = kind === 'more' ? all : undefined;
      if (kind === 'more') return nothing;
      return kind === 'pass' ? watch.push(all) : 'stop';
    },
    pause: () => (held === undefined ? watch.end() : nothing),
    end() {
      const passed = held === undefined ? nothing : watch.push(held);
      const rest = passed === 'stop' ? passed : watch.end();
      return passed === 'stop' || rest === 'stop' ? 'stop' : Buffer.concat([passed, rest]);
    },
  };
}
