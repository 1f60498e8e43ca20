import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { EgressRefusal, EgressRefusalCode } from '../types.ts';
import { field, type Fields, tokensOf, fieldValue } from './message.ts';
import { originPlace } from '../../policy/origin.ts';
import { printable } from '../../policy/words/describe-request.ts';

/** A refusal as an HTTP answer. `fields` already hold `content-type` and `content-length` of `body`. */
export interface RefusalAnswer {
  readonly status: number;
  readonly reason: string;
  readonly fields: Fields;
  /** UTF-8. */
  readonly body: string;
}

export interface RefusalOptions {
  /** Fields of the request. They select the form of the answer that the client reads. */
  readonly fields?: Fields;
  /** HTTP status for a malformed request: 405, 408, 414, 417, 431, 501, 505. */
  readonly status?: number;
}

interface Rendering {
  readonly status: number;
  /** gRPC clients show only `grpc-message`. Source: grpc/doc/statuscodes.md. */
  readonly grpc: number;
}

const grpc = {
  invalidArgument: 3,
  permissionDenied: 7,
  resourceExhausted: 8,
  unavailable: 14,
  unauthenticated: 16,
} as const;

const renderings: Readonly<Record<EgressRefusalCode, Rendering>> = {
  policy: { status: 403, grpc: grpc.permissionDenied },
  'special-address': { status: 403, grpc: grpc.permissionDenied },
  'special-name': { status: 403, grpc: grpc.permissionDenied },
  'malformed-host': { status: 400, grpc: grpc.invalidArgument },
  'malformed-request': { status: 400, grpc: grpc.invalidArgument },
  'unauthorised-proxy': { status: 407, grpc: grpc.unauthenticated },
  'phantom-misused': { status: 403, grpc: grpc.permissionDenied },
  'secret-exposed': { status: 403, grpc: grpc.permissionDenied },
  'foreign-credential': { status: 403, grpc: grpc.permissionDenied },
  'data-loss': { status: 403, grpc: grpc.permissionDenied },
  'credential-unavailable': { status: 502, grpc: grpc.unavailable },
  'authority-mismatch': { status: 421, grpc: grpc.permissionDenied },
  // After a failure of TLS no answer can be sent, except over a proxy's CONNECT.
  'client-tls': { status: 400, grpc: grpc.invalidArgument },
  'name-not-found': { status: 502, grpc: grpc.unavailable },
  'resolver-failed': { status: 502, grpc: grpc.unavailable },
  unreachable: { status: 502, grpc: grpc.unavailable },
  'upstream-certificate': { status: 502, grpc: grpc.unavailable },
  'upstream-protocol': { status: 502, grpc: grpc.unavailable },
  'upstream-timeout': { status: 504, grpc: grpc.unavailable },
  overloaded: { status: 503, grpc: grpc.resourceExhausted },
};

/** Fields that RFC 9110 requires with a status. */
const companions: Readonly<Record<number, Fields>> = {
  405: [field('allow', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS')],
  407: [field('proxy-authenticate', 'Basic realm="holdfast"')],
};

/** Renders a refusal: JSON on request, a gRPC status for gRPC, plain text otherwise. */
export function refusalAnswer(refusal: EgressRefusal, options: RefusalOptions = {}): RefusalAnswer {
  const rendering = renderings[refusal.code];
  const asked = options.fields ?? [];
  const marks = [
    field('holdfast-refusal', headerText(refusal.verdict?.rule ?? refusal.code)),
    field('cache-control', 'no-store'),
  ];
  if (isGrpc(asked)) return grpcAnswer(refusal, marks);
  const status = options.status ?? rendering.status;
  const json = wantsJson(asked);
  const body = json ? jsonBody(refusal) : textBody(refusal);
  const content = [
    field('content-type', json ? 'application/json' : 'text/plain; charset=utf-8'),
    field('content-length', String(Buffer.byteLength(body))),
  ];
  return {
    status,
    reason: STATUS_CODES[status] ?? '',
    fields: [...marks, ...(companions[status] ?? []), ...content],
    body,
  };
}

/**
 * Writes a refusal as the last HTTP/1.1 answer of a plain connection, and closes it. The socket may be in any state,
 * and cannot be used afterwards.
 */
export function refusePlain(socket: Duplex, refusal: EgressRefusal, options: RefusalOptions = {}): void {
  const { status, reason, fields, body } = refusalAnswer(refusal, options);
  const lines = [...fields, field('connection', 'close')].map(({ name, value }) => `${name}: ${value}\r\n`);
  socket.on('error', () => socket.destroy());
  if (!socket.writable) return void socket.destroy();
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}\r\n${body}`);
}

function grpcAnswer(refusal: EgressRefusal, marks: Fields): RefusalAnswer {
  const message = encodeURIComponent(`${refusal.message} ${refusal.remedy}`).replaceAll('%20', ' ');
  const status = [
    field('content-type', 'application/grpc'),
    field('grpc-status', String(renderings[refusal.code].grpc)),
    field('grpc-message', message),
  ];
  return { status: 200, reason: 'OK', fields: [...marks, ...status], body: '' };
}

function isGrpc(fields: Fields): boolean {
  return /^application\/grpc(?:[+;]|$)/iu.test(fieldValue(fields, 'content-type') ?? '');
}

function wantsJson(fields: Fields): boolean {
  const types = tokensOf(fields, 'accept').map((range) => range.split(';', 1)[0]?.trim() ?? '');
  const json = types.findIndex((type) => /^application\/(?:[\w.-]+\+)?json$/u.test(type));
  const text = types.findIndex((type) => type.startsWith('text/'));
  return json !== -1 && (text === -1 || json < text);
}

function jsonBody({ code, message, remedy, verdict }: EgressRefusal): string {
  const rule =
    verdict === undefined
      ? {}
      : {
          decision: verdict.decision,
          rule: verdict.rule,
          layer: verdict.layer,
          origin: printable(originPlace(verdict)),
        };
  return `${JSON.stringify({ error: { type: 'holdfast_refusal', code, message, remedy, ...rule } })}\n`;
}

function textBody({ message, remedy, verdict }: EgressRefusal): string {
  const rule =
    verdict === undefined ? '' : `Rule: ${verdict.rule} (${verdict.layer} layer, ${printable(originPlace(verdict))})\n`;
  return `Holdfast refused this request: ${message}\n${rule}Remedy: ${remedy}\n`;
}

/** Field values have to be visible ASCII. The name of a rule may hold any character, and must not end the line. */
function headerText(text: string): string {
  return text
    .replaceAll(/[^\u0020-\u007e]/gu, '?')
    .trim()
    .slice(0, 200);
}
