import { createHash } from 'node:crypto';
import type { Destination } from '../../types.ts';
import {
  type RequestLine,
  authorityOf,
  clientView,
  type InterceptContext,
  namesDestination,
} from '../decide-request.ts';
import { endToEnd } from '../write-body.ts';
import { type Fields, type Scheme, tokensOf, fieldValue, valuesOf } from '../message.ts';
import { problem, type HttpProblem, type RequestHead } from './field-lines.ts';
import { type BodyFraming, requestFraming } from './framing.ts';

/** Fate of the client's connection after the answer. */
export type Persistence = 'keep' | 'close';

/** A request head that every parser reads alike. */
export interface Understood {
  readonly kind: 'understood';
  readonly asked: RequestLine;
  readonly framing: BodyFraming;
  /** End-to-end fields without `Host`. */
  readonly fields: Fields;
  readonly persistence: Persistence;
  /** Whether the client may be waiting for a 100 before it sends its content. */
  readonly expectation: 'none' | '100-continue';
}

/** Parses a head, or names the part that two parsers could read differently. */
export function understand(head: RequestHead, context: InterceptContext): Understood | HttpProblem {
  const authority = hostOf(head, context);
  if (authority.kind === 'problem') return authority;
  const framing = requestFraming(head);
  if (framing.kind === 'problem') return framing;
  const form = head.method === 'CONNECT' ? anyForm : originForm(head.target, head.method, clientView(context));
  if (form.kind === 'problem') return form;
  const upgrade = upgradeOf(head);
  if (upgrade.kind === 'problem') return upgrade;
  if (upgrade.kind === 'websocket' && framing.kind !== 'none')
    return problem(400, 'A WebSocket handshake has no content.');
  const expectation = expectationOf(head.fields);
  if (expectation.kind === 'problem') return expectation;
  const fields = endToEnd(head.fields).filter(({ key }) => key !== 'host');
  return {
    kind: 'understood',
    asked: {
      method: head.method,
      authority: authority.host,
      target: form.target,
      upgrade: upgrade.kind === 'websocket' ? 'websocket' : undefined,
      fields,
    },
    framing,
    fields,
    persistence: persistenceOf(head),
    expectation: expectation.kind,
  };
}

/** CONNECT has its own form of target. `decideRequest` refuses it with a reason. */
const anyForm = { kind: 'origin-form', target: '*' } as const;

interface HostField {
  readonly kind: 'host';
  readonly host: string;
}

/** HTTP/1.0 has no `Host`, but the destination is already known. */
function hostOf({ minor, fields }: RequestHead, context: InterceptContext): HostField | HttpProblem {
  const [host, ...more] = valuesOf(fields, 'host');
  if (more.length > 0) return problem(400, 'There are several Host fields.');
  if (host !== undefined) return { kind: 'host', host };
  if (minor === 1) return problem(400, 'There is no Host field.');
  const { destination, scheme } = clientView(context);
  return { kind: 'host', host: authorityOf(destination, scheme) };
}

interface Expectation {
  readonly kind: Understood['expectation'];
}

function expectationOf(fields: Fields): Expectation | HttpProblem {
  const expected = tokensOf(fields, 'expect');
  if (expected.length === 0) return { kind: 'none' };
  return expected.every((value) => value === '100-continue')
    ? { kind: '100-continue' }
    : problem(417, 'The only expectation that Holdfast supports is 100-continue.');
}

function persistenceOf({ minor, fields }: RequestHead): Persistence {
  const connection = [...tokensOf(fields, 'connection'), ...tokensOf(fields, 'proxy-connection')];
  if (connection.includes('close')) return 'close';
  return minor === 1 || connection.includes('keep-alive') ? 'keep' : 'close';
}

interface OriginForm {
  readonly kind: 'origin-form';
  /** Path and query, or `*`. */
  readonly target: string;
}

/**
 * Converts a request target to origin form. The absolute form must name the scheme and the destination that the policy
 * allowed. The authority form belongs to CONNECT. Source: RFC 9112 §3.2.
 */
export function originForm(
  target: string,
  method: string,
  expected: { readonly scheme: Scheme; readonly destination: Destination },
): OriginForm | HttpProblem {
  if (target.startsWith('/')) return { kind: 'origin-form', target };
  if (target === '*' && method === 'OPTIONS') return { kind: 'origin-form', target };
  const parts = /^(https?):\/\/([^/?]*)(\/[^?]*)?(\?.*)?$/iu.exec(target);
  if (parts === null) return problem(400, 'The request target is neither a path nor a URL.');
  const [, scheme = '', authority = '', path = '/', query = ''] = parts;
  if (scheme.toLowerCase() !== expected.scheme || !namesDestination(authority, expected.destination)) {
    return problem(421, 'The URL in the request line does not name the destination of this connection.');
  }
  return { kind: 'origin-form', target: `${path}${query}` };
}

/** Source: RFC 6455 §1.3. */
const webSocketGuid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

interface Upgrade {
  readonly kind: 'none' | 'websocket';
}

/**
 * Returns whether a request asks for a WebSocket. Rules cannot see into any other protocol, and `h2c` would carry
 * requests past them. An `Upgrade` to another protocol is therefore dropped as if unknown, which RFC 9110 §7.8 allows.
 */
export function upgradeOf({ method, minor, fields }: RequestHead): Upgrade | HttpProblem {
  const isAsked =
    minor === 1 &&
    tokensOf(fields, 'connection').includes('upgrade') &&
    tokensOf(fields, 'upgrade').includes('websocket');
  if (!isAsked || method !== 'GET') return { kind: 'none' };
  const key = fieldValue(fields, 'sec-websocket-key') ?? '';
  return /^[+/\dA-Za-z]{22}==$/u.test(key)
    ? { kind: 'websocket' }
    : problem(400, 'The Sec-WebSocket-Key is malformed.');
}

/**
 * Returns true if the destination has really switched to WebSocket. A client can often choose the status that a page
 * returns. A bare 101 would then give the client a raw connection that bypasses the rules.
 */
export function isWebSocketAnswer(request: Fields, response: Fields): boolean {
  const key = fieldValue(request, 'sec-websocket-key') ?? '';
  const expected = createHash('sha1').update(`${key}${webSocketGuid}`).digest('base64');
  return (
    tokensOf(response, 'upgrade').includes('websocket') && fieldValue(response, 'sec-websocket-accept') === expected
  );
}
