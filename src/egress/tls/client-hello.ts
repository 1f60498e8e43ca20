import { normaliseHost } from '../../policy/index.ts';
import { byteReader } from './byte-reader.ts';
import { firstHandshakeMessage } from './handshake-message.ts';

/** What a client asks for in the first bytes of a TLS connection (RFC 8446 §4.1.2). */
export interface ClientHello {
  /** In the one spelling of `normaliseHost`; absent when the client named no host. */
  readonly serverName?: string;
  /** Protocols in the client's order, Latin-1; empty when it offered none. */
  readonly alpn: readonly string[];
  /** Present when the client sent an encrypted hello (RFC 9849) or the look-alike of one: `serverName` may then be a cover. */
  readonly encryptedHello: 'present' | 'absent';
  /** Bytes from the start of the connection to the end of the hello. */
  readonly length: number;
}

export type ClientHelloParse =
  /** So far it is the start of one. */
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'hello'; readonly hello: ClientHello }
  /** Some other protocol. */
  | { readonly kind: 'not-tls' }
  /** TLS by its first bytes, and then not; `reason` is for the journal. */
  | { readonly kind: 'malformed'; readonly reason: string };

/** Numbers of the IANA registry "TLS ExtensionType Values". */
const extensionNumbers = { serverName: 0, alpn: 16, encryptedClientHello: 0xfe_0d } as const;

type Extensions = ReadonlyMap<number, Uint8Array>;

/**
 * Reads the ClientHello at the start of a connection. Pure: call it with all bytes so far whenever more have come. The
 * hello may be split over records; more than 16 KiB of it, or more than 512 records, are malformed.
 */
export function parseClientHello(bytes: Uint8Array): ClientHelloParse {
  const message = firstHandshakeMessage(bytes);
  if (message.kind !== 'message') return message;
  const extensions = extensionsOf(message.body);
  if (typeof extensions === 'string') return { kind: 'malformed', reason: extensions };
  const serverName = serverNameOf(extensions.get(extensionNumbers.serverName));
  if (serverName === 'invalid') return { kind: 'malformed', reason: 'the server name is no host name' };
  const alpn = alpnOf(extensions.get(extensionNumbers.alpn));
  if (alpn === undefined) return { kind: 'malformed', reason: 'the list of protocols does not parse' };
  const encryptedHello = extensions.has(extensionNumbers.encryptedClientHello) ? 'present' : 'absent';
  return { kind: 'hello', hello: { ...(serverName !== undefined && { serverName: serverName.name }), alpn, encryptedHello, length: message.length } };
}

/** The extensions by number, or what is wrong with the hello. */
function extensionsOf(body: Uint8Array): Extensions | string {
  const reader = byteReader(body);
  const version = reader.number(2);
  reader.take(32);
  const session = reader.vector(1);
  const ciphers = reader.vector(2);
  const compression = reader.vector(1);
  if (version === undefined || version >> 8 !== 3) return 'the version is not of TLS';
  if (session === undefined || session.length > 32) return 'the session id is too long';
  if (ciphers === undefined || ciphers.length < 2 || ciphers.length % 2 !== 0) return 'the list of cipher suites does not parse';
  if (compression === undefined || compression.length === 0) return 'the list of compression methods does not parse';
  if (reader.left() === 0) return new Map();
  const block = reader.vector(2);
  return block === undefined || reader.left() !== 0 ? 'the extensions do not fill the hello' : extensionMap(block);
}

/** Two extensions of one number are how one parser is shown one name and another parser another (RFC 8446 §4.2). */
function extensionMap(block: Uint8Array): Extensions | string {
  const reader = byteReader(block);
  const found = new Map<number, Uint8Array>();
  while (reader.left() > 0) {
    const number = reader.number(2);
    const data = reader.vector(2);
    if (number === undefined || data === undefined) return 'an extension does not fit';
    if (found.has(number)) return 'an extension stands twice';
    found.set(number, data);
  }
  return found;
}

/** One name of type 0 and nothing else: with two names, whose is it? (RFC 6066 §3) */
function serverNameOf(data: Uint8Array | undefined): { readonly name: string } | 'invalid' | undefined {
  if (data === undefined) return undefined;
  const outer = byteReader(data);
  const list = outer.vector(2);
  if (list === undefined || outer.left() !== 0) return 'invalid';
  const inner = byteReader(list);
  const type = inner.number(1);
  const name = inner.vector(2);
  if (type !== 0 || name === undefined || inner.left() !== 0) return 'invalid';
  const host = name.every((byte) => byte < 0x80) ? normaliseHost(latin1(name)) : undefined;
  return host === undefined ? 'invalid' : { name: host.text };
}

/** RFC 7301 §3.1: neither the list nor a name in it may be empty. */
function alpnOf(data: Uint8Array | undefined): readonly string[] | undefined {
  if (data === undefined) return [];
  const outer = byteReader(data);
  const list = outer.vector(2);
  if (list === undefined || list.length === 0 || outer.left() !== 0) return undefined;
  const inner = byteReader(list);
  const protocols: string[] = [];
  while (inner.left() > 0) {
    const name = inner.vector(1);
    if (name === undefined || name.length === 0) return undefined;
    protocols.push(latin1(name));
  }
  return protocols;
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}
