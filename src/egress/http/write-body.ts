import type { Writable } from 'node:stream';
import { HoldfastError } from '../../errors/index.ts';
import { type Body, type Fields, tokensOf } from './message.ts';

/** Tells the receiver where the content ends. */
export type OutgoingFraming = 'none' | 'length' | 'chunked' | 'until-close';

/** Result of sending content. `cut`: the receiver is gone. `short`: the sender did not keep to its length. */
export type WriteOutcome = 'complete' | 'cut' | 'short';

/** Writes content as it arrives, no faster than the receiver reads it. Rejects if the sender breaks off. */
export async function writeBody(sink: Writable, body: Body, framing: OutgoingFraming): Promise<WriteOutcome> {
  let written = 0;
  for await (const bytes of body) {
    written += bytes.length;
    if (body.length !== undefined && written > body.length) return 'short';
    if (sink.destroyed || sink.writableEnded) return 'cut';
    // An empty chunk would mark the end of the chunked coding.
    if (bytes.length > 0) writeChunk(sink, bytes, framing);
    if (sink.writableNeedDrain && !(await drained(sink))) return 'cut';
  }
  if (sink.destroyed || sink.writableEnded) return 'cut';
  if (framing === 'length' && written !== body.length) return 'short';
  if (framing === 'chunked') sink.write(`0\r\n${fieldLines(endToEndTrailers(body.trailers()))}\r\n`, 'latin1');
  return 'complete';
}

/** The last check before the wire: one added field, from any source, can never become two. */
export function fieldLines(fields: Fields): string {
  // oxlint-disable-next-line no-control-regex -- line ends, and the end of a string in C
  if (fields.some(({ name, value }) => /[\r\n\0]/u.test(value) || !/^[!-9;-~]+$/u.test(name))) {
    throw new HoldfastError('HF_INTERNAL', 'A header field that Holdfast added holds a line break.', {
      remedy: 'Look for the interceptor or credential that adds it.',
    });
  }
  return fields.map(({ name, value }) => `${name}: ${value}\r\n`).join('');
}

function writeChunk(sink: Writable, bytes: Buffer, framing: OutgoingFraming): void {
  gather(sink);
  if (framing === 'chunked') sink.write(`${bytes.length.toString(16)}\r\n`, 'latin1');
  sink.write(bytes);
  if (framing === 'chunked') sink.write('\r\n', 'latin1');
}

/** Waits while the receiver is slower than the sender. Returns false if the receiver is gone. */
async function drained(sink: Writable): Promise<boolean> {
  while (sink.writableNeedDrain && !sink.destroyed) await eitherEvent(sink);
  return !sink.destroyed;
}

/** Buffers writes until the running code returns, so that a head and its body leave in one segment. */
export function gather(sink: Writable): void {
  if (sink.writableCorked > 0) return;
  sink.cork();
  process.nextTick(() => sink.uncork());
}

function eitherEvent(sink: Writable): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      sink.off('drain', settle);
      sink.off('close', settle);
      resolve();
    };
    sink.on('drain', settle);
    sink.on('close', settle);
  });
}

/**
 * Fields about one connection only. `Proxy-Authorization` is for Holdfast: the secret of a session's proxy must not
 * reach the destination. Source: RFC 9110 §7.6.1 and §11.7.2.
 */
const connectionFields = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
]);

/**
 * Fields that a trailer may not carry, because a recipient might merge them into the decided head. Source: RFC 9110
 * §6.5.1.
 */
const notInTrailers = new Set([
  'content-length',
  'host',
  'authorization',
  'cookie',
  'set-cookie',
  'content-type',
  'content-encoding',
  'content-range',
  'expect',
  'trailer',
]);

/**
 * Returns the fields for the next connection. Leaves out those that concern this one, and those that `Connection`
 * names.
 */
export function endToEnd(fields: Fields): Fields {
  const named = tokensOf(fields, 'connection');

  return fields.flatMap((field) => {
    // `TE: trailers` is sent again on every connection, because Holdfast relays trailers on every connection.
    if (field.key === 'te') return takesTrailers([field]) ? [{ ...field, value: 'trailers' }] : [];
    return connectionFields.has(field.key) || named.includes(field.key) ? [] : [field];
  });
}

export function endToEndTrailers(fields: Fields): Fields {
  return fields.filter(({ key }) => !connectionFields.has(key) && !notInTrailers.has(key) && !key.startsWith(':'));
}

function takesTrailers(fields: Fields): boolean {
  return tokensOf(fields, 'te').includes('trailers');
}
