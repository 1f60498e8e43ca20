import { authentication, backend, frontend, requests, type ServerError, type TransactionStatus } from './types.ts';

/** A message with its letter and its length. */
export function message(type: number, ...parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 4);
  const head = Buffer.allocUnsafe(5);
  head[0] = type;
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, ...parts]);
}

/** A text with the NUL that ends it. Throws on one that holds a NUL: it would end early. */
export function text(value: string): Buffer {
  if (value.includes('\0')) throw new RangeError('A text of the protocol holds no NUL.');
  return Buffer.from(`${value}\0`);
}

export function int32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeInt32BE(value | 0);
  return bytes;
}

/** Control characters and NULs of names that a client chose end here. */
export function errorResponse({ severity, code, message: words, remedy }: ServerError): Buffer {
  const fields: readonly (readonly [string, string])[] = [
    ['S', severity],
    ['V', severity],
    ['C', code],
    ['M', `holdfast: ${words}`],
    ...(remedy === undefined ? [] : [['H', remedy] as const]),
  ];
  // oxlint-disable-next-line no-control-regex -- what must not reach a terminal
  const parts = fields.map(([key, value]) => text(key + value.replaceAll(/[\u0000-\u001f\u007f-\u009f]/gu, ' ')));
  return message(backend.error, ...parts, Buffer.from([0]));
}

export function readyForQuery(status: TransactionStatus): Buffer {
  return message(backend.readyForQuery, Buffer.from(status));
}

export function authenticationRequest(kind: keyof typeof authentication, body: Buffer = Buffer.alloc(0)): Buffer {
  return message(backend.authentication, int32(authentication[kind]), body);
}

/** What a client may be told of the server's key: the process is no secret, the key is one of ours. */
export function backendKeyData(processId: number, key: Buffer): Buffer {
  return message(backend.backendKeyData, int32(processId), key);
}

/**
 * Tells a client that asked for more that version 3.0 is spoken here, and which of its `_pq_.` options are not known.
 */
export function negotiateVersion(unknownOptions: readonly string[]): Buffer {
  return message(backend.negotiateVersion, int32(0), int32(unknownOptions.length), ...unknownOptions.map(text));
}

export function startupMessage(parameters: ReadonlyMap<string, string>): Buffer {
  const body = Buffer.concat([
    int32(3 << 16),
    ...[...parameters].flatMap(([key, value]) => [text(key), text(value)]),
    Buffer.from([0]),
  ]);
  return Buffer.concat([int32(body.length + 4), body]);
}

export function cancelRequest(processId: number, key: Buffer): Buffer {
  return Buffer.concat([int32(12 + key.length), int32(requests.cancel), int32(processId), key]);
}

export const tlsRequest: Buffer = Buffer.concat([int32(8), int32(requests.tls)]);

export function passwordMessage(body: Buffer): Buffer {
  return message(frontend.password, body);
}

export function queryMessage(sql: string): Buffer {
  return message(frontend.query, text(sql));
}
