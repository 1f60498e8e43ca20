import { normaliseHost } from '../../policy/normalise/host.ts';

/** Content of a TLS client's first bytes (RFC 8446 §4.1.2). */
export interface ClientHello {
  /** Normalised by `normaliseHost`. Absent if the client named no host. */
  readonly serverName?: string;
  /** Protocols in the client's order, Latin-1. Empty if it offered none. */
  readonly alpn: readonly string[];
  /**
   * `present` if the client sent an encrypted hello (RFC 9849) or an imitation of one. `serverName` may then hide the
   * real name.
   */
  readonly encryptedHello: 'present' | 'absent';
  /** Bytes from the start of the connection to the end of the hello. */
  readonly length: number;
}

export type ClientHelloParse =
  /** The beginning of a hello. More bytes are needed. */
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'hello'; readonly hello: ClientHello }
  /** Not TLS but another protocol. */
  | { readonly kind: 'not-tls' }
  /** TLS by its first bytes, but invalid after them. `reason` is for the journal. */
  | { readonly kind: 'malformed'; readonly reason: string };

/** Numbers of the IANA registry "TLS ExtensionType Values". */
const extensionNumbers = { serverName: 0, alpn: 16, encryptedClientHello: 0xfe_0d } as const;

type Extensions = ReadonlyMap<number, Uint8Array>;

/**
 * Parses the ClientHello at the start of a connection. Pure: call it with all bytes so far whenever more have arrived.
 * The hello may be split over several records. A hello of more than 16 KiB or 512 records is malformed.
 */
export function parseClientHello(bytes: Uint8Array): ClientHelloParse {
  const message = firstHandshakeMessage(bytes);
  if (message.kind !== 'message') return message;
  const extensions = extensionsOf(message.body);
  if (typeof extensions === 'string') return { kind: 'malformed', reason: extensions };
  const serverName = serverNameOf(extensions.get(extensionNumbers.serverName));
  if (serverName === 'invalid') return { kind: 'malformed', reason: 'the server name is not a host name' };
  const alpn = alpnOf(extensions.get(extensionNumbers.alpn));
  if (alpn === undefined) return { kind: 'malformed', reason: 'the list of protocols does not parse' };
  const encryptedHello = extensions.has(extensionNumbers.encryptedClientHello) ? 'present' : 'absent';
  return {
    kind: 'hello',
    hello: {
      ...(serverName !== undefined && { serverName: serverName.name }),
      alpn,
      encryptedHello,
      length: message.length,
    },
  };
}

/** Returns the extensions by number, or the problem of the hello. */
function extensionsOf(body: Uint8Array): Extensions | string {
  const reader = byteReader(body);
  const version = reader.number(2);
  reader.take(32);
  const session = reader.vector(1);
  const ciphers = reader.vector(2);
  const compression = reader.vector(1);
  if (version === undefined || version >> 8 !== 3) return 'the version is not of TLS';
  if (session === undefined || session.length > 32) return 'the session id is too long';
  if (ciphers === undefined || ciphers.length < 2 || ciphers.length % 2 !== 0)
    return 'the list of cipher suites does not parse';
  if (compression === undefined || compression.length === 0) return 'the list of compression methods does not parse';
  if (reader.left() === 0) return new Map();
  const block = reader.vector(2);
  return block === undefined || reader.left() !== 0 ? 'the extensions do not fill the hello' : extensionMap(block);
}

/** If two extensions had one number, one parser would see one name and another parser the other (RFC 8446 §4.2). */
function extensionMap(block: Uint8Array): Extensions | string {
  const reader = byteReader(block);
  const found = new Map<number, Uint8Array>();
  while (reader.left() > 0) {
    const number = reader.number(2);
    const data = reader.vector(2);
    if (number === undefined || data === undefined) return 'an extension does not fit';
    if (found.has(number)) return 'an extension appears twice';
    found.set(number, data);
  }
  return found;
}

/** Accepts exactly one name, of type 0. With two names, the host would be ambiguous (RFC 6066 §3). */
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

/** Reads the length-prefixed fields of TLS. If a field does not fit, it and all later ones are undefined. */
interface ByteReader {
  /** Returns the next `count` bytes, as a view. */
  take(count: number): Uint8Array | undefined;
  /** Returns an unsigned number of `count` bytes, most significant first. */
  number(count: 1 | 2 | 3): number | undefined;
  /** Returns a field after its length of `lengthBytes` bytes. */
  vector(lengthBytes: 1 | 2): Uint8Array | undefined;
  left(): number;
}

function byteReader(bytes: Uint8Array): ByteReader {
  let at = 0;
  const take = (count: number): Uint8Array | undefined => {
    if (bytes.length - at < count) {
      at = bytes.length + 1;
      return undefined;
    }
    at += count;
    return bytes.subarray(at - count, at);
  };
  const number = (count: 1 | 2 | 3): number | undefined => take(count)?.reduce((value, byte) => value * 256 + byte, 0);
  const vector = (lengthBytes: 1 | 2): Uint8Array | undefined => {
    const length = number(lengthBytes);
    return length === undefined ? undefined : take(length);
  };
  return { take, number, vector, left: () => bytes.length - at };
}

/** The first message of a TLS connection, joined from its records. */
type FirstMessage =
  | { readonly kind: 'incomplete' }
  /** `length`: bytes from the start of the connection to the end of the message. */
  | { readonly kind: 'message'; readonly body: Uint8Array; readonly length: number }
  | { readonly kind: 'not-tls' }
  | { readonly kind: 'malformed'; readonly reason: string };

/** Real hellos have 200 to 2,000 bytes. A hello with a session ticket and post-quantum shares stays under 4 KiB. */
export const longestHello = 16 * 1024;
/**
 * Clients that split their hello send a few records. The limit bounds the cost of parsing the hello again for each
 * byte.
 */
export const mostRecords = 512;

const recordHeader = 5;
/** Length of a record header, and of the message type that follows it. */
const headerAndType = 6;
const messageHeader = 4;
const handshakeRecord = 22;
const clientHello = 1;

/**
 * Joins the records that carry the ClientHello (RFC 8446 §5.1). Reports invalid bytes as soon as the first one arrives.
 */
function firstHandshakeMessage(bytes: Uint8Array): FirstMessage {
  if (headerProblem(bytes, 0) === 'foreign') return { kind: 'not-tls' };
  const header: number[] = [];
  let announced = 0;
  let at = 0;
  for (let records = 1; at < bytes.length; records += 1) {
    const problem = headerProblem(bytes, at);
    if (problem !== undefined) return malformed(problem === 'foreign' ? 'another record is inside the hello' : problem);
    if (bytes.length - at < recordHeader) break;
    if (records > mostRecords) return malformed('the hello is in too many records');
    const start = at + recordHeader;
    at = start + lengthOf(bytes, at);
    announced += at - start;
    for (let next = start; header.length < messageHeader && next < at && next < bytes.length; next += 1)
      header.push(bytes[next] ?? 0);
    const state = judge(header, announced);
    if (state === 'whole')
      return at > bytes.length
        ? { kind: 'incomplete' }
        : { kind: 'message', body: payload(bytes.subarray(0, at)).subarray(messageHeader), length: at };
    if (state !== 'partial') return malformed(state);
  }
  return { kind: 'incomplete' };
}

/** Returns the problem of a record header, of which perhaps only a part has arrived. */
function headerProblem(bytes: Uint8Array, at: number): string | undefined {
  if (isForeign(bytes, at)) return 'foreign';
  if (bytes.length - at < (isUnusual(bytes, at) ? headerAndType : recordHeader)) return undefined;
  const length = lengthOf(bytes, at);
  if (length === 0) return 'a record is empty';
  return length > longestHello ? 'a record is too long' : undefined;
}

/** After an unusual version only a hello may follow, because other protocols also begin with byte 22. */
function isForeign(bytes: Uint8Array, at: number): boolean {
  const [type = handshakeRecord, major = 3] = bytes.subarray(at, at + 2);
  if (type !== handshakeRecord || major > 15) return true;
  if (!isUnusual(bytes, at) || bytes.length < headerAndType) return false;
  return lengthOf(bytes, at) === 0 || bytes[recordHeader] !== clientHello;
}

/**
 * Servers ignore the version of a record (RFC 8446 §5.1): OpenSSL takes any of 3.x, Go any below 16.0. Attack:
 * `net-hello-in-pieces`.
 */
function isUnusual(bytes: Uint8Array, at: number): boolean {
  return at === 0 && bytes.length > 1 && bytes[1] !== 3;
}

function lengthOf(bytes: Uint8Array, at: number): number {
  return (bytes[at + 3] ?? 0) * 256 + (bytes[at + 4] ?? 0);
}

/**
 * `header`: up to four bytes. `announced`: payload of the records so far. A hello has to end together with its record,
 * because one parser would read the rest of the record and another would not.
 */
function judge(header: readonly number[], announced: number): string {
  const [type, high, middle, low] = header;
  if (type !== undefined && type !== clientHello) return 'the first message is not a ClientHello';
  if (high === undefined || middle === undefined || low === undefined) return 'partial';
  const total = messageHeader + high * 65_536 + middle * 256 + low;
  if (total > longestHello) return 'the hello is too long';
  if (announced > total) return 'another message follows in the record of the hello';
  return announced === total ? 'whole' : 'partial';
}

/** Returns the payload of whole records. Copies nothing if there is only one record. */
function payload(records: Uint8Array): Uint8Array {
  const first = recordHeader + lengthOf(records, 0);
  if (first === records.length) return records.subarray(recordHeader);
  const parts: Uint8Array[] = [];
  for (let at = 0; at < records.length; at += recordHeader + lengthOf(records, at))
    parts.push(records.subarray(at + recordHeader, at + recordHeader + lengthOf(records, at)));
  return Buffer.concat(parts);
}

function malformed(reason: string): FirstMessage {
  return { kind: 'malformed', reason };
}
