/** The first message of a TLS connection, put together from its records. */
export type FirstMessage =
  | { readonly kind: 'incomplete' }
  /** `length`: bytes from the start of the connection to the end of the message. */
  | { readonly kind: 'message'; readonly body: Uint8Array; readonly length: number }
  | { readonly kind: 'not-tls' }
  | { readonly kind: 'malformed'; readonly reason: string };

/** Real hellos have 200 to 2,000 bytes; one with a session ticket and post-quantum shares stays under 4 KiB. */
export const longestHello = 16 * 1024;
/** Clients that split their hello make a handful of records; this bounds what looking at it again for each byte costs. */
export const mostRecords = 512;

const recordHeader = 5;
const messageHeader = 4;
const handshakeRecord = 22;
const clientHello = 1;

/** Joins the records that carry the ClientHello (RFC 8446 §5.1). Whatever cannot become one is said at the first byte that shows it. */
export function firstHandshakeMessage(bytes: Uint8Array): FirstMessage {
  if (headerProblem(bytes, 0) === 'foreign') return { kind: 'not-tls' };
  const header: number[] = [];
  let announced = 0;
  let at = 0;
  for (let records = 1; at < bytes.length; records += 1) {
    const problem = headerProblem(bytes, at);
    if (problem !== undefined) return malformed(problem === 'foreign' ? 'another record stands inside the hello' : problem);
    if (bytes.length - at < recordHeader) break;
    if (records > mostRecords) return malformed('the hello is in too many records');
    const start = at + recordHeader;
    at = start + lengthOf(bytes, at);
    announced += at - start;
    for (let next = start; header.length < messageHeader && next < at && next < bytes.length; next += 1) header.push(bytes[next] ?? 0);
    const state = judge(header, announced);
    if (state === 'whole') return at > bytes.length ? { kind: 'incomplete' } : { kind: 'message', body: payload(bytes.subarray(0, at)).subarray(messageHeader), length: at };
    if (state !== 'partial') return malformed(state);
  }
  return { kind: 'incomplete' };
}

/** What is wrong with as much of a record header as is there. */
function headerProblem(bytes: Uint8Array, at: number): string | undefined {
  const there = bytes.length - at;
  if (there > 0 && bytes[at] !== handshakeRecord) return 'foreign';
  if (there > 1 && bytes[at + 1] !== 3) return 'foreign';
  if (there > 2 && (bytes[at + 2] ?? 0) > 4) return 'foreign';
  if (there < recordHeader) return undefined;
  const length = lengthOf(bytes, at);
  if (length === 0) return 'a record is empty';
  return length > longestHello ? 'a record is too long' : undefined;
}

function lengthOf(bytes: Uint8Array, at: number): number {
  return (bytes[at + 3] ?? 0) * 256 + (bytes[at + 4] ?? 0);
}

/**
 * `header`: up to four bytes; `announced`: payload of the records so far. A hello ends where its record ends: what follows
 * in the record would be read by one parser and not by another.
 */
function judge(header: readonly number[], announced: number): string {
  const [type, high, middle, low] = header;
  if (type !== undefined && type !== clientHello) return 'the first message is no ClientHello';
  if (high === undefined || middle === undefined || low === undefined) return 'partial';
  const total = messageHeader + high * 65_536 + middle * 256 + low;
  if (total > longestHello) return 'the hello is too long';
  if (announced > total) return 'another message follows in the record of the hello';
  return announced === total ? 'whole' : 'partial';
}

/** What whole records carry; no copy when there is one. */
function payload(records: Uint8Array): Uint8Array {
  const first = recordHeader + lengthOf(records, 0);
  if (first === records.length) return records.subarray(recordHeader);
  const parts: Uint8Array[] = [];
  for (let at = 0; at < records.length; at += recordHeader + lengthOf(records, at)) parts.push(records.subarray(at + recordHeader, at + recordHeader + lengthOf(records, at)));
  return Buffer.concat(parts);
}

function malformed(reason: string): FirstMessage {
  return { kind: 'malformed', reason };
}
