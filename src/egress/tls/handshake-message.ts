/** The first message of a TLS connection, put together from its records. */
export type FirstMessage =
  | { readonly kind: 'incomplete' }
  /** `length`: bytes from the start of the connection to the end of the message. */
  | { readonly kind: 'message'; readonly body: Uint8Array; readonly length: number }
  | { readonly kind: 'not-tls' }
  | { readonly kind: 'malformed'; readonly reason: string };

/** Real hellos have 200 to 2,000 bytes; one with a session ticket and post-quantum shares stays under 4 KiB. */
export const longestHello = 16 * 1024;
/** A hello in records of one byte is legal; this bounds what looking at it again for each byte costs. */
export const mostRecords = 1024;

const recordHeader = 5;
const handshakeHeader = 4;
const handshakeRecord = 22;
const clientHello = 1;

/** Bytes of payload between `start` and `end` of the connection. */
interface Fragment {
  readonly start: number;
  readonly end: number;
}

/** Joins the records that carry the ClientHello (RFC 8446 §5.1). Whatever cannot become one is said at the first byte that shows it. */
export function firstHandshakeMessage(bytes: Uint8Array): FirstMessage {
  const opening = checkHeader(bytes, 0);
  if (opening === 'foreign') return { kind: 'not-tls' };
  const fragments: Fragment[] = [];
  let collected = 0;
  let at = 0;
  while (bytes.length - at >= recordHeader) {
    const problem = checkHeader(bytes, at);
    if (problem !== undefined) return { kind: 'malformed', reason: problem === 'foreign' ? 'another record stands inside the hello' : problem };
    if (fragments.length === mostRecords) return { kind: 'malformed', reason: 'the hello is in too many records' };
    const fragment = { start: at + recordHeader, end: Math.min(bytes.length, at + recordHeader + recordLength(bytes, at)) };
    fragments.push(fragment);
    collected += fragment.end - fragment.start;
    at += recordHeader + recordLength(bytes, at);
    const done = judge({ bytes, fragments, collected, recordEnd: at });
    if (done !== undefined) return done;
  }
  return checkHeader(bytes, at) === undefined ? { kind: 'incomplete' } : { kind: 'malformed', reason: 'another record stands inside the hello' };
}

/** Looks at as much of a record header as is there. */
function checkHeader(bytes: Uint8Array, at: number): string | undefined {
  const [type, major, minor, high, low] = bytes.subarray(at, at + recordHeader);
  if (type !== undefined && type !== handshakeRecord) return 'foreign';
  if (major !== undefined && major !== 3) return 'foreign';
  if (minor !== undefined && minor > 4) return 'foreign';
  if (high === undefined || low === undefined) return undefined;
  const length = high * 256 + low;
  if (length === 0) return 'a record is empty';
  return length > longestHello ? 'a record is too long' : undefined;
}

function recordLength(bytes: Uint8Array, at: number): number {
  return (bytes[at + 3] ?? 0) * 256 + (bytes[at + 4] ?? 0);
}

interface Progress {
  readonly bytes: Uint8Array;
  readonly fragments: readonly Fragment[];
  /** Bytes in `fragments`. */
  readonly collected: number;
  /** Where the last record ends, or will. */
  readonly recordEnd: number;
}

/** The answer, once there is one. */
function judge(progress: Progress): FirstMessage | undefined {
  const header = join(progress, handshakeHeader);
  if (header[0] !== undefined && header[0] !== clientHello) return { kind: 'malformed', reason: 'the first message is no ClientHello' };
  const [, high, middle, low] = header;
  if (high === undefined || middle === undefined || low === undefined) return undefined;
  const total = handshakeHeader + high * 65_536 + middle * 256 + low;
  if (total > longestHello) return { kind: 'malformed', reason: 'the hello is too long' };
  if (progress.collected < total) return undefined;
  const excess = progress.collected - total + Math.max(0, progress.recordEnd - progress.bytes.length);
  if (excess > 0) return { kind: 'malformed', reason: 'another message follows in the record of the hello' };
  return { kind: 'message', body: join(progress, total).subarray(handshakeHeader), length: progress.recordEnd };
}

/** The first `count` bytes of the message, or fewer; no copy when they lie in one record. */
function join({ bytes, fragments }: Progress, count: number): Uint8Array {
  const [only] = fragments;
  if (only !== undefined && only.end - only.start >= count) return bytes.subarray(only.start, only.start + count);
  const parts: Uint8Array[] = [];
  let length = 0;
  for (const { start, end } of fragments) {
    if (length >= count) break;
    parts.push(bytes.subarray(start, Math.min(end, start + count - length)));
    length += end - start;
  }
  return Buffer.concat(parts);
}
