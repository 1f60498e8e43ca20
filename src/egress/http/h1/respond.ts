import type { Duplex } from 'node:stream';
import { field } from '../fields.ts';
import { textBody } from '../interceptor.ts';
import type { Body, Fields, IncomingResponse } from '../message.ts';
import type { Persistence } from './understand.ts';
import { type OutgoingFraming, writeBody } from '../write-body.ts';
import { writeHead } from './write-message.ts';

/** What an answer has to keep to. */
export interface ResponseOptions {
  readonly method: string;
  /** Of the client's HTTP/1.x. */
  readonly minor: 0 | 1;
  readonly persistence: Persistence;
}

/** Writes an answer as it arrives. `close` when the client's connection cannot be used any more. */
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
    writeHead(client, {
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
    // The answer broke off. Ending the connection properly would make the client take it for a whole one.
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

/** A reset where there can be one: HTTP/1.0 takes a closed connection for the end of the content. */
function breakOff(client: Duplex): void {
  if ('resetAndDestroy' in client && typeof client.resetAndDestroy === 'function' && !('encrypted' in client))
    client.resetAndDestroy();
  else client.destroy();
}
