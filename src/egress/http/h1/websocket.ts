import { createHash } from 'node:crypto';
import { tokensOf, valueOf } from '../fields.ts';
import type { Fields } from '../message.ts';
import { problem, type Problem } from './field-lines.ts';
import type { RequestHead } from './request-head.ts';

/** Source: RFC 6455 §1.3. */
const webSocketGuid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

export interface Upgrade {
  readonly kind: 'none' | 'websocket';
}

/**
 * Whether a request asks to go on as a WebSocket. Every other protocol is one the rules cannot look into (`h2c` would
 * carry requests past them), so its `Upgrade` is dropped as if it were not understood, which RFC 9110 §7.8 allows.
 */
export function upgradeOf({ method, minor, fields }: RequestHead): Upgrade | Problem {
  const isAsked =
    minor === 1 &&
    tokensOf(fields, 'connection').includes('upgrade') &&
    tokensOf(fields, 'upgrade').includes('websocket');
  if (!isAsked || method !== 'GET') return { kind: 'none' };
  const key = valueOf(fields, 'sec-websocket-key') ?? '';
  return /^[+/\dA-Za-z]{22}==$/u.test(key)
    ? { kind: 'websocket' }
    : problem(400, 'The Sec-WebSocket-Key is malformed.');
}

/**
 * Whether the destination really speaks WebSocket from here on. A status of 101 alone may be made by a page whose
 * status the client chooses, and would leave it a raw connection behind the rules.
 */
export function isWebSocketAnswer(request: Fields, response: Fields): boolean {
  const key = valueOf(request, 'sec-websocket-key') ?? '';
  const expected = createHash('sha1').update(`${key}${webSocketGuid}`).digest('base64');
  return tokensOf(response, 'upgrade').includes('websocket') && valueOf(response, 'sec-websocket-accept') === expected;
}
