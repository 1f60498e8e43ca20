/**
 * Letters of the messages that a client sends after it has logged in. Source: PostgreSQL 15 documentation, 55.7 Message
 * Formats.
 */
export const frontend = {
  bind: 0x42,
  close: 0x43,
  copyData: 0x64,
  copyDone: 0x63,
  copyFail: 0x66,
  describe: 0x44,
  execute: 0x45,
  flush: 0x48,
  functionCall: 0x46,
  parse: 0x50,
  password: 0x70,
  query: 0x51,
  sync: 0x53,
  terminate: 0x58,
} as const;

/** Letters of the messages that a server sends. Source: as above. */
export const backend = {
  authentication: 0x52,
  backendKeyData: 0x4b,
  bindComplete: 0x32,
  closeComplete: 0x33,
  commandComplete: 0x43,
  copyBoth: 0x57,
  copyData: 0x64,
  copyDone: 0x63,
  copyIn: 0x47,
  copyOut: 0x48,
  dataRow: 0x44,
  emptyQuery: 0x49,
  error: 0x45,
  functionResult: 0x56,
  negotiateVersion: 0x76,
  noData: 0x6e,
  notice: 0x4e,
  notification: 0x41,
  parameterDescription: 0x74,
  parameterStatus: 0x53,
  parseComplete: 0x31,
  portalSuspended: 0x73,
  readyForQuery: 0x5a,
  rowDescription: 0x54,
} as const;

/** The number after the length of an `Authentication` message. Source: as above. */
export const authentication = { ok: 0, cleartext: 3, md5: 5, sasl: 10, saslContinue: 11, saslFinal: 12 } as const;

/** Codes that a first packet may have instead of a protocol version. Source: src/include/libpq/pqcomm.h. */
export const requests = { cancel: 80_877_102, tls: 80_877_103, gss: 80_877_104 } as const;

/** In octets. */
export const postgresLimits = {
  /** MAX_STARTUP_PACKET_LENGTH of the server. */
  startup: 10_000,
  /** PG_MAX_SASL_MESSAGE_LENGTH of the server. */
  sasl: 1024,
  /** Messages of a server before it is ready. The longest are errors and parameter values. */
  login: 64 * 1024,
  /** A statement. Larger data has to use COPY. */
  statement: 16 * 1024 * 1024,
  /** Messages that hold a name or nothing. */
  small: 64 * 1024,
  /** Significant octets in names of statements and portals: NAMEDATALEN without its NUL. */
  name: 63,
} as const;

/** One whole message: its letter, and its body after the length. */
export interface PostgresMessage {
  readonly type: number;
  readonly body: Buffer;
}

/** `I`: outside a transaction. `T`: in a transaction. `E`: in a failed transaction. */
export type TransactionStatus = 'I' | 'T' | 'E';

/** An error from this room. `remedy` becomes the hint. Never contains any part of a secret. */
export interface ServerError {
  readonly severity: 'ERROR' | 'FATAL';
  /** SQLSTATE. Source: PostgreSQL 15 documentation, Appendix A. */
  readonly code: string;
  readonly message: string;
  readonly remedy?: string;
}

/** Returns a message with its letter and length. */
export function message(type: number, ...parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 4);
  const head = Buffer.allocUnsafe(5);
  head[0] = type;
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, ...parts]);
}

/** Returns a text with a final NUL. Throws if the text contains a NUL, which would end it early. */
export function zeroEnded(value: string): Buffer {
  if (value.includes('\0')) throw new RangeError('A text of the protocol holds no NUL.');
  return Buffer.from(`${value}\0`);
}

export function int32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeInt32BE(value | 0);
  return bytes;
}

/** Drops control characters and NULs, because a client may have chosen a name that contains them. */
export function errorResponse({ severity, code, message: words, remedy }: ServerError): Buffer {
  const fields: readonly (readonly [string, string])[] = [
    ['S', severity],
    ['V', severity],
    ['C', code],
    ['M', `holdfast: ${words}`],
    ...(remedy === undefined ? [] : [['H', remedy] as const]),
  ];
  // oxlint-disable-next-line no-control-regex -- characters that must not reach a terminal
  const parts = fields.map(([key, value]) => zeroEnded(key + value.replaceAll(/[\u0000-\u001f\u007f-\u009f]/gu, ' ')));
  return message(backend.error, ...parts, Buffer.from([0]));
}

export function readyForQuery(status: TransactionStatus): Buffer {
  return message(backend.readyForQuery, Buffer.from(status));
}

export function authenticationRequest(kind: keyof typeof authentication, body: Buffer = Buffer.alloc(0)): Buffer {
  return message(backend.authentication, int32(authentication[kind]), body);
}

/** Tells a client its cancel key. The process ID is not secret, and Holdfast issued the key. */
export function backendKeyData(processId: number, key: Buffer): Buffer {
  return message(backend.backendKeyData, int32(processId), key);
}

/** Tells a client that the version is 3.0, and which of its `_pq_.` options are unknown. */
export function negotiateVersion(unknownOptions: readonly string[]): Buffer {
  return message(backend.negotiateVersion, int32(0), int32(unknownOptions.length), ...unknownOptions.map(zeroEnded));
}

export function startupMessage(parameters: ReadonlyMap<string, string>): Buffer {
  const body = Buffer.concat([
    int32(3 << 16),
    ...[...parameters].flatMap(([key, value]) => [zeroEnded(key), zeroEnded(value)]),
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
  return message(frontend.query, zeroEnded(sql));
}
