import type { Duplex, Writable } from 'node:stream';
import { textBody } from '../interceptor.ts';
import { type Body, field, type Field, type Fields, type IncomingResponse, fieldValue } from '../message.ts';
import { fieldLines, gather, type OutgoingFraming, writeBody } from '../write-body.ts';
import type { Persistence } from './understand.ts';

/** Constraints on an answer. */
export interface ResponseOptions {
  readonly method: string;
  /** Minor version of the client's HTTP/1.x. */
  readonly minor: 0 | 1;
  readonly persistence: Persistence;
}

/** Writes an answer as it arrives. Returns `close` if the client's connection can no longer be used. */
export async function respond(
  client: Duplex,
  response: IncomingResponse,
  options: ResponseOptions,
): Promise<Persistence> {
  const { status, reason, fields } = response;
  const body = isBodiless(status, options.method) ? undefined : (response.body ?? nothing());
  const framing = framingFor(body, options);
  const persistence = framing === 'until-close' ? 'close' : options.persistence;
  try {
    writeHttp1Head(client, {
      line: `HTTP/1.1 ${status} ${reason}`,
      fields,
      last: connectionFields(persistence, options),
      framing,
      body,
    });
    if (body === undefined) return persistence;
    const outcome = await writeBody(client, body, framing);
    if (outcome === 'complete') return persistence;
  } catch {
    // The answer broke off. A proper end of the connection would make it look complete.
  }
  breakOff(client);
  return 'close';
}

function isBodiless(status: number, method: string): boolean {
  return method === 'HEAD' || status === 204 || status === 304;
}

function framingFor(body: Body | undefined, { minor }: ResponseOptions): OutgoingFraming {
  if (body === undefined) return 'none';
  if (body.length !== undefined) return 'length';
  return minor === 1 ? 'chunked' : 'until-close';
}

function connectionFields(persistence: Persistence, { minor }: ResponseOptions): Fields {
  if (persistence === 'close') return [field('Connection', 'close')];
  return minor === 0 ? [field('Connection', 'keep-alive')] : [];
}

function nothing(): Body {
  return textBody('');
}

/** Resets the connection if possible, because HTTP/1.0 takes a closed connection for the end of the content. */
function breakOff(client: Duplex): void {
  if ('resetAndDestroy' in client && typeof client.resetAndDestroy === 'function' && !('encrypted' in client))
    client.resetAndDestroy();
  else client.destroy();
}

interface OutgoingHead {
  /** Request line or status line, without CRLF. */
  readonly line: string;
  readonly fields: Fields;
  /** Fields for this connection: `Host` comes first, `Connection` last. */
  readonly first?: Fields;
  readonly last?: Fields;
  readonly framing: OutgoingFraming;
  readonly body: Body | undefined;
}

/** Writes a head. Bytes written in the same turn leave in the same segment. */
export function writeHttp1Head(
  sink: Writable,
  { line, fields, first = [], last = [], framing, body }: OutgoingHead,
): void {
  gather(sink);
  const all = [...first, ...withFraming(fields, framing, body), ...last];
  sink.write(`${line}\r\n${fieldLines(all)}\r\n`, 'latin1');
}

/** Keeps the sender's own length field in its position as long as it is true. */
function withFraming(fields: Fields, framing: OutgoingFraming, body: Body | undefined): Fields {
  if (framing === 'none') return fields;
  const stated = fieldValue(fields, 'content-length');
  if (framing === 'length' && stated === String(body?.length)) return fields;
  const rest = fields.filter(({ key }) => key !== 'content-length');
  return [...rest, ...framingFields(framing, body)];
}

function framingFields(framing: OutgoingFraming, body: Body | undefined): readonly Field[] {
  if (framing === 'chunked') return [field('Transfer-Encoding', 'chunked')];
  return framing === 'length' ? [field('Content-Length', String(body?.length))] : [];
}
