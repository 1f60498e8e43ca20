import type { Duplex } from 'node:stream';
import { type ClientHello, parseClientHello } from '../tls/client-hello.ts';

/** First bytes of a client. */
export type FirstBytes =
  | { readonly kind: 'tls'; readonly hello: ClientHello }
  | { readonly kind: 'http' }
  | { readonly kind: 'other' }
  | { readonly kind: 'malformed'; readonly reason: string }
  /**
   * The client sent nothing, or an incomplete beginning, before the wait was over or the stream ended. `said`: bytes
   * that cannot be put back, because the stream has ended.
   */
  | { readonly kind: 'silent'; readonly said?: Buffer };

/** Longest method of the registry and a space: `UPDATEREDIRECTREF `. Source: IANA "HTTP Method Registry". */
const longestMethod = 18;
const mostBytes = 17 * 1024;
const methodLine = /^[A-Z][A-Z-]{1,16} /u;
const methodStart = /^[A-Z][A-Z-]*$/u;
/** Go takes any token as a method. nginx accepts blanks after the version. */
const looseStart = /^[!#$%&'*+\-.^_`|~\w]*(?:[\t ]|$)/u;
const looseLine = /^[!#$%&'*+\-.^_`|~\w]+[\t ].*[\t ]HTTP\/\d[\d.]*[\t\r ]*$/iu;

/** Returns the protocol of the bytes. Undefined while more are needed. Pure. */
export function recognise(bytes: Uint8Array): FirstBytes | undefined {
  const first = recogniseTls(bytes);
  return first?.kind === 'other' ? recogniseText(bytes) : first;
}

/** Like `recognise`, but only for TLS: bytes that cannot become a hello are `other` from their first byte. */
export function recogniseTls(bytes: Uint8Array): FirstBytes | undefined {
  const parsed = parseClientHello(bytes);
  switch (parsed.kind) {
    case 'hello':
      return { kind: 'tls', hello: parsed.hello };
    case 'malformed':
      return parsed;
    case 'incomplete':
      return bytes.length > mostBytes ? { kind: 'malformed', reason: 'its hello is too long' } : undefined;
    case 'not-tls':
      return { kind: 'other' };
  }
}

/**
 * Like `recognise`, but for any protocol: bytes that begin like a request count as one only with a complete first line.
 * The line may be as loose as the laxest server accepts. Otherwise its `Host` would not be compared. Attack:
 * `net-fronting-plain`.
 */
export function recogniseWhole(bytes: Uint8Array): FirstBytes | undefined {
  const first = recogniseTls(bytes);
  if (first?.kind !== 'other') return first;
  // nginx, Apache and Node skip line ends before a request.
  const text = Buffer.from(bytes.subarray(0, mostBytes))
    .toString('latin1')
    .replace(/^[\r\n]+/u, '');
  const end = text.indexOf('\n');
  if (end !== -1) return { kind: looseLine.test(text.slice(0, end)) ? 'http' : 'other' };
  if (!looseStart.test(text)) return { kind: 'other' };
  return bytes.length > mostBytes ? { kind: 'http' } : undefined;
}

function recogniseText(bytes: Uint8Array): FirstBytes | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, longestMethod)).toString('latin1');
  if (methodLine.test(start)) return { kind: 'http' };
  return bytes.length < longestMethod && methodStart.test(start) ? undefined : { kind: 'other' };
}

export interface FirstBytesOptions {
  /** Milliseconds to wait, or a signal that ends the wait. */
  readonly until: number | AbortSignal;
  /** Default: `recognise`. */
  readonly recognise?: typeof recognise;
}

/**
 * Reads until the client's protocol is known, and puts every byte back, so the next reader sees the connection from its
 * start.
 */
export function firstBytes(
  socket: Duplex,
  { until, recognise: known = recognise }: FirstBytesOptions,
): Promise<FirstBytes> {
  return new Promise((resolve) => {
    let seen: Buffer = Buffer.alloc(0);
    const settle = (first: FirstBytes): void => {
      cancel();
      socket.off('readable', hear).off('end', giveUp).off('close', giveUp);
      if (seen.length > 0 && !socket.readableEnded && !socket.destroyed) socket.unshift(seen);
      resolve(first);
    };
    const giveUp = (): void =>
      settle({ kind: 'silent', ...(seen.length > 0 && socket.readableEnded ? { said: seen } : {}) });
    const hear = (): void => {
      for (let chunk = socket.read() as Buffer | null; chunk !== null; chunk = socket.read() as Buffer | null)
        seen = seen.length === 0 ? chunk : Buffer.concat([seen, chunk]);
      const first = seen.length === 0 ? undefined : known(seen);
      if (first !== undefined) settle(first);
    };
    socket.on('readable', hear).on('end', giveUp).on('close', giveUp);
    const cancel = whenOver(until, giveUp);
    if (socket.destroyed || socket.readableEnded || (typeof until === 'object' && until.aborted)) giveUp();
    // An earlier listener may have received the event, which comes only once.
    else if (socket.readableLength > 0) hear();
  });
}

function whenOver(until: number | AbortSignal, giveUp: () => void): () => void {
  if (typeof until === 'number') {
    const timer = setTimeout(giveUp, until);
    return () => clearTimeout(timer);
  }
  until.addEventListener('abort', giveUp);
  return () => until.removeEventListener('abort', giveUp);
}
