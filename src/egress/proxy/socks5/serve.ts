import { normaliseHost } from '../../../policy/normalise/host.ts';
import type { EgressRefusalCode } from '../../types.ts';
import {
  type ProxyAdmission,
  incomplete,
  malformedPrefix,
  malformedHost,
  malformedRequest,
  type ParsedPrefix,
  proxied,
  type ProxiedConnection,
  sayLast,
  unauthorised,
} from '../refusals.ts';

/** Greets a client, admits it and reads its destination. Undefined if the client was answered already, or has left. */
export async function serveSocks5(admission: ProxyAdmission): Promise<ProxiedConnection | undefined> {
  const { client, bytes, guard } = admission;
  const greeting = await bytes.read(parseGreeting);
  if (greeting.kind !== 'parsed') return leave(admission, greeting);
  if (!greeting.value.includes(methods.password))
    return admission.refuse(unauthorised, () => sayLast(client, noMethod));
  client.write(passwordWanted);
  const credentials = await bytes.read(parseCredentials);
  if (credentials.kind !== 'parsed') return leave(admission, credentials);
  if (!guard.admits(credentials.value.user, credentials.value.password))
    return admission.refuse(unauthorised, () => sayLast(client, notAdmitted));
  client.write(admitted);
  const request = await bytes.read(parseRequest);
  return request.kind === 'parsed' ? serveRequest(admission, request.value) : leave(admission, request);
}

/** SOCKS4 has no password, so its clients cannot be admitted. */
export function refuseSocks4({ client, refuse }: ProxyAdmission): undefined {
  return refuse(
    { code: 'unauthorised-proxy', message: 'SOCKS4 has no passwords', remedy: 'use SOCKS5 (socks5h://) or HTTP' },
    () => sayLast(client, socks4Rejected),
  );
}

function serveRequest(
  { client, bytes, refuse }: ProxyAdmission,
  { command, host, port }: SocksRequest,
): ProxiedConnection | undefined {
  const answer = (code: ReplyCode) => (): void => sayLast(client, reply(code));
  if (command !== commands.connect)
    return refuse(
      malformedRequest('Of SOCKS5 only CONNECT is served, neither BIND nor UDP ASSOCIATE.'),
      answer(replyCodes.commandNotSupported),
    );
  if (host.kind === 'unsupported') return refuse(malformedHost, answer(replyCodes.addressTypeNotSupported));
  if (host.kind === 'invalid' || port === 0) return refuse(malformedHost, answer(replyCodeOf('malformed-host')));
  bytes.release();
  return proxied(
    { front: 'socks5', destination: { host: host.text, port }, client },
    {
      reached: () => client.write(reply(replyCodes.succeeded)),
      refuse: ({ code }) => sayLast(client, reply(replyCodeOf(code))),
    },
  );
}

/** Ends the connection. Bytes outside the protocol get no answer. */
function leave(
  { client, refuse }: ProxyAdmission,
  read: { readonly kind: 'malformed'; readonly reason: string } | { readonly kind: 'ended' },
): undefined {
  if (read.kind === 'malformed') return refuse(malformedRequest(read.reason), () => client.resetAndDestroy());
  client.destroy();
}

/** RFC 1928 §6. */
export const replyCodes = {
  succeeded: 0,
  generalFailure: 1,
  notAllowed: 2,
  hostUnreachable: 4,
  connectionRefused: 5,
  timeToLiveExpired: 6,
  commandNotSupported: 7,
  addressTypeNotSupported: 8,
} as const;

type ReplyCode = (typeof replyCodes)[keyof typeof replyCodes];

/** SOCKS cannot transmit a reason, only these codes. */
const codes: Readonly<Record<EgressRefusalCode, ReplyCode>> = {
  policy: replyCodes.notAllowed,
  'special-address': replyCodes.notAllowed,
  'special-name': replyCodes.notAllowed,
  'unauthorised-proxy': replyCodes.notAllowed,
  'malformed-host': replyCodes.generalFailure,
  'malformed-request': replyCodes.generalFailure,
  'phantom-misused': 2,
  'secret-exposed': 2,
  'foreign-credential': 2,
  'data-loss': 2,
  'credential-unavailable': 1,
  'authority-mismatch': replyCodes.notAllowed,
  'name-not-found': replyCodes.hostUnreachable,
  'resolver-failed': replyCodes.hostUnreachable,
  unreachable: replyCodes.connectionRefused,
  'upstream-timeout': replyCodes.timeToLiveExpired,
  'upstream-certificate': replyCodes.generalFailure,
  'upstream-protocol': replyCodes.generalFailure,
  'client-tls': replyCodes.generalFailure,
  overloaded: replyCodes.generalFailure,
};

export function replyCodeOf(code: EgressRefusalCode): ReplyCode {
  return codes[code];
}

/** Hides the supervisor's own address: 0.0.0.0:0. */
export function reply(code: ReplyCode): Buffer {
  return Buffer.from([socksVersion, code, 0, 1, 0, 0, 0, 0, 0, 0]);
}

const socksVersion = 5;

/** Sources: RFC 1928 §3 and §4, RFC 1929 §2. */
const methods = { password: 2, noneAcceptable: 0xff } as const;

const passwordWanted = Buffer.from([socksVersion, methods.password]);
const noMethod = Buffer.from([socksVersion, methods.noneAcceptable]);
/** RFC 1929 §2. */
const admitted = Buffer.from([1, 0]);
const notAdmitted = Buffer.from([1, 1]);
/** SOCKS4's "request rejected or failed". Source: the SOCKS4 memo of Ying-Da Lee, NEC. */
const socks4Rejected = Buffer.from([0, 91, 0, 0, 0, 0, 0, 0]);

const commands = { connect: 1, bind: 2, udpAssociate: 3 } as const;
const addressTypes = { v4: 1, name: 3, v6: 4 } as const;
const passwordVersion = 1;

/** RFC 1035 §2.3.4, without the trailing dot. */
const longestName = 253;

/** Returns the authentication methods of the client. */
export function parseGreeting(bytes: Buffer): ParsedPrefix<readonly number[]> {
  if (bytes[0] !== socksVersion) return malformedPrefix('The greeting is not one of SOCKS5.');
  const count = bytes[1];
  if (count === undefined) return incomplete;
  if (count === 0) return malformedPrefix('The greeting offers no method.');
  const length = 2 + count;
  return bytes.length < length ? incomplete : { kind: 'parsed', value: [...bytes.subarray(2, length)], length };
}

interface Credentials {
  readonly user: string;
  readonly password: string;
}

export function parseCredentials(bytes: Buffer): ParsedPrefix<Credentials> {
  if (bytes[0] !== passwordVersion) return malformedPrefix('The credentials have an unknown version.');
  const user = fieldAt(bytes, 1);
  if (user.kind !== 'parsed') return user;
  const password = fieldAt(bytes, user.length);
  if (password.kind !== 'parsed') return password;
  return {
    kind: 'parsed',
    value: { user: user.value.toString('utf8'), password: password.value.toString('utf8') },
    length: password.length,
  };
}

interface SocksRequest {
  readonly command: number;
  /** `unsupported`: an unknown address type. Its length is unknown too, so the bytes after it cannot be read. */
  readonly host:
    | { readonly kind: 'host'; readonly text: string }
    | { readonly kind: 'invalid' }
    | { readonly kind: 'unsupported' };
  /** 0 to 65535. */
  readonly port: number;
}

export function parseRequest(bytes: Buffer): ParsedPrefix<SocksRequest> {
  const [version, command, reserved, type] = bytes;
  if (version !== socksVersion) return malformedPrefix('The request is not one of SOCKS5.');
  if (reserved !== undefined && reserved !== 0)
    return malformedPrefix('The reserved octet of the request is not zero.');
  if (command === undefined || reserved === undefined || type === undefined) return incomplete;
  const address = addressOf(bytes, type);
  if (address.kind === 'malformed')
    return { kind: 'parsed', value: { command, host: { kind: 'unsupported' }, port: 0 }, length: bytes.length };
  if (address.kind === 'incomplete' || bytes.length < address.length + 2) return incomplete;
  return {
    kind: 'parsed',
    value: { command, host: address.value, port: bytes.readUInt16BE(address.length) },
    length: address.length + 2,
  };
}

function addressOf(bytes: Buffer, type: number): ParsedPrefix<SocksRequest['host']> {
  switch (type) {
    case addressTypes.v4:
      return plainAddress(bytes, 4, (octets) => octets.join('.'));
    case addressTypes.v6:
      return plainAddress(bytes, 16, v6Text);
    case addressTypes.name: {
      const name = fieldAt(bytes, 4);
      return name.kind === 'parsed' ? { ...name, value: hostOf(nameText(name.value)) } : name;
    }
    default:
      return malformedPrefix('The address type is not known.');
  }
}

function plainAddress(
  bytes: Buffer,
  size: number,
  textOf: (octets: Buffer) => string,
): ParsedPrefix<SocksRequest['host']> {
  const length = 4 + size;
  return bytes.length < length
    ? incomplete
    : { kind: 'parsed', value: hostOf(textOf(bytes.subarray(4, length))), length };
}

/** Reads a length and that many octets. SOCKS never uses an empty field. */
function fieldAt(bytes: Buffer, at: number): ParsedPrefix<Buffer> {
  const size = bytes[at];
  if (size === undefined) return incomplete;
  const length = at + 1 + size;
  return bytes.length < length ? incomplete : { kind: 'parsed', value: bytes.subarray(at + 1, length), length };
}

/**
 * Returns a host in its one spelling. Undefined for NUL, blanks and all characters at which another parser might end
 * the name.
 */
function hostOf(text: string | undefined): SocksRequest['host'] {
  const host = text === undefined ? undefined : normaliseHost(text);
  return host === undefined ? { kind: 'invalid' } : { kind: 'host', text: host.text };
}

function nameText(octets: Buffer): string | undefined {
  if (octets.length > longestName) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(octets);
  } catch {
    return undefined;
  }
}

function v6Text(octets: Buffer): string {
  return Array.from({ length: 8 }, (_, group) => octets.readUInt16BE(2 * group).toString(16)).join(':');
}
