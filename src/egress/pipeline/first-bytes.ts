import type { Duplex } from 'node:stream';
import { type ClientHello, parseClientHello } from '../tls/client-hello.ts';

/** What a client says first. */
export type FirstBytes =
  | { readonly kind: 'tls'; readonly hello: ClientHello }
  | { readonly kind: 'http' }
  | { readonly kind: 'other' }
  | { readonly kind: 'malformed'; readonly reason: string }
  /** Nothing, or half of something, until the deadline or the end. */
  | { readonly kind: 'silent' };

/** Longest method of the registry and a space: `UPDATEREDIRECTREF `. Source: IANA "HTTP Method Registry". */
const longestMethod = 18;
const mostBytes = 17 * 1024;
const methodLine = /^[A-Z][A-Z-]{1,16} /u;
const methodStart = /^[A-Z][A-Z-]*$/u;

/** What the bytes are, or undefined while more are needed. Pure. */
export function recognise(bytes: Uint8Array): FirstBytes | undefined {
  const parsed = parseClientHello(bytes);
  switch (parsed.kind) {
    case 'hello':
      return { kind: 'tls', hello: parsed.hello };
    case 'malformed':
      return parsed;
    case 'incomplete':
      return bytes.length > mostBytes ? { kind: 'malformed', reason: 'its hello is too long' } : undefined;
    case 'not-tls':
      return recogniseText(bytes);
  }
}

function recogniseText(bytes: Uint8Array): FirstBytes | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, longestMethod)).toString('latin1');
  if (methodLine.test(start)) return { kind: 'http' };
  return bytes.length < longestMethod && methodStart.test(start) ? undefined : { kind: 'other' };
}

/** Reads until it is known what the client speaks, and puts every byte back: who reads next sees the connection from its start. */
export function firstBytes(socket: Duplex, patience: number): Promise<FirstBytes> {
  return new Promise((resolve) => {
    let seen: Buffer = Buffer.alloc(0);
    const settle = (first: FirstBytes): void => {
      clearTimeout(timer);
      socket.off('readable', hear).off('end', giveUp).off('close', giveUp);
      if (seen.length > 0 && !socket.readableEnded && !socket.destroyed) socket.unshift(seen);
      resolve(first);
    };
    const giveUp = (): void => settle({ kind: 'silent' });
    const hear = (): void => {
      for (let chunk = socket.read() as Buffer | null; chunk !== null; chunk = socket.read() as Buffer | null) seen = seen.length === 0 ? chunk : Buffer.concat([seen, chunk]);
      const first = seen.length === 0 ? undefined : recognise(seen);
      if (first !== undefined) settle(first);
    };
    const timer = setTimeout(giveUp, patience);
    socket.on('readable', hear).on('end', giveUp).on('close', giveUp);
    if (socket.destroyed || socket.readableEnded) giveUp();
  });
}
