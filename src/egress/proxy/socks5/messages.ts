import { normaliseHost } from '../../../policy/index.ts';
import { incomplete, malformed, type Parsed } from '../parser.ts';

export const socksVersion = 5;

/** Sources: RFC 1928 §3 and §4, RFC 1929 §2. */
export const methods = { password: 2, noneAcceptable: 0xff } as const;
export const commands = { connect: 1, bind: 2, udpAssociate: 3 } as const;
const addressTypes = { v4: 1, name: 3, v6: 4 } as const;
const passwordVersion = 1;

/** RFC 1035 §2.3.4, without the trailing dot. */
const longestName = 253;

/** The methods that the client can authenticate with. */
export function parseGreeting(bytes: Buffer): Parsed<readonly number[]> {
  if (bytes[0] !== socksVersion) return malformed('The greeting is not one of SOCKS5.');
  const count = bytes[1];
  if (count === undefined) return incomplete;
  if (count === 0) return malformed('The greeting offers no method.');
  const length = 2 + count;
  return bytes.length < length ? incomplete : { kind: 'parsed', value: [...bytes.subarray(2, length)], length };
}

export interface Credentials {
  readonly user: string;
  readonly password: string;
}

export function parseCredentials(bytes: Buffer): Parsed<Credentials> {
  if (bytes[0] !== passwordVersion) return malformed('The credentials have an unknown version.');
  const user = fieldAt(bytes, 1);
  if (user.kind !== 'parsed') return user;
  const password = fieldAt(bytes, user.length);
  if (password.kind !== 'parsed') return password;
  return { kind: 'parsed', value: { user: user.value.toString('utf8'), password: password.value.toString('utf8') }, length: password.length };
}

export interface SocksRequest {
  readonly command: number;
  /** `unsupported`: an address type that is not known; its length is not known either, so nothing after it can be read. */
  readonly host: { readonly kind: 'host'; readonly text: string } | { readonly kind: 'invalid' } | { readonly kind: 'unsupported' };
  /** 0 to 65535. */
  readonly port: number;
}

export function parseRequest(bytes: Buffer): Parsed<SocksRequest> {
  const [version, command, reserved, type] = bytes;
  if (version !== socksVersion) return malformed('The request is not one of SOCKS5.');
  if (reserved !== undefined && reserved !== 0) return malformed('The reserved octet of the request is not zero.');
  if (command === undefined || reserved === undefined || type === undefined) return incomplete;
  const address = addressOf(bytes, type);
  if (address.kind === 'malformed') return { kind: 'parsed', value: { command, host: { kind: 'unsupported' }, port: 0 }, length: bytes.length };
  if (address.kind === 'incomplete' || bytes.length < address.length + 2) return incomplete;
  return { kind: 'parsed', value: { command, host: address.value, port: bytes.readUInt16BE(address.length) }, length: address.length + 2 };
}

function addressOf(bytes: Buffer, type: number): Parsed<SocksRequest['host']> {
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
      return malformed('The address type is not known.');
  }
}

function plainAddress(bytes: Buffer, size: number, textOf: (octets: Buffer) => string): Parsed<SocksRequest['host']> {
  const length = 4 + size;
  return bytes.length < length ? incomplete : { kind: 'parsed', value: hostOf(textOf(bytes.subarray(4, length))), length };
}

/** A length and as many octets. An empty one means nothing anywhere in SOCKS. */
function fieldAt(bytes: Buffer, at: number): Parsed<Buffer> {
  const size = bytes[at];
  if (size === undefined) return incomplete;
  const length = at + 1 + size;
  return bytes.length < length ? incomplete : { kind: 'parsed', value: bytes.subarray(at + 1, length), length };
}

/** One spelling, or none: NUL, blanks and everything else that another parser might end the name at is no host. */
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
