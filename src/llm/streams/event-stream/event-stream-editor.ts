import { crc32 } from 'node:zlib';
import type { StreamEditor } from '../../types.ts';
import type { EditorOptions, EventStreamEdit, EventStreamMessage } from '../types.ts';
import { type EditedUnit, type Splitter, UnitEditor } from '../unit-editor.ts';
import { utf8Text } from '../utf8.ts';

export interface EventStreamOptions extends EditorOptions {
  /** Returns messages to send at the end of the stream, or at the point where the stream becomes unreadable. */
  readonly rest?: () => readonly EventStreamMessage[];
}

/**
 * Changes an `application/vnd.amazon.eventstream` in flight. A message is sent when its last octet has arrived.
 *
 * `limit`: 24 MiB of payload with 128 KiB of headers by default. Reports as `damaged`: invalid headers, whose message
 * still passes, and a wrong checksum or length, after which everything passes unchanged. Readers have to end the stream
 * at that point.
 */
export function createEventStreamEditor(
  edit: (message: EventStreamMessage) => EventStreamEdit,
  { limit = largestMessage, onUnread = () => {}, rest = () => [] }: EventStreamOptions = {},
): StreamEditor {
  const settle = (bytes: Buffer, start: number, end: number): EditedUnit => {
    const parts = splitMessage(bytes.subarray(start, end));
    const headers = parts === undefined ? undefined : readHeaders(parts.headers);
    if (parts === undefined || headers === undefined) {
      onUnread('damaged');
      return parts === undefined ? 'lost' : 'same';
    }
    return settleMessage(parts.headers, edit({ headers, payload: parts.payload }), bytes.subarray(start, end));
  };

  return new UnitEditor({
    splitter: createMessageSplitter(),
    settle,
    atEnd: 'unfinished',
    rest: () => Buffer.concat(rest().map(written)),
    options: { limit, onUnread },
  });
}

function settleMessage(headers: Buffer, edit: EventStreamEdit, message: Buffer): EditedUnit {
  if (edit === 'same') return 'same';
  if (edit === 'drop') return Buffer.alloc(0);
  const { before = [], payload } = edit;
  if (before.length === 0 && payload === undefined) return 'same';
  return Buffer.concat([...before.map(written), payload === undefined ? message : joinMessage(headers, payload)]);
}

function written({ headers, payload }: EventStreamMessage): Buffer {
  return joinMessage(writeHeaders(headers), payload);
}

/**
 * Finds messages by the lengths in their preludes. A wrong prelude is a separate unit, because the end of its message
 * is unknown.
 */
function createMessageSplitter(): Splitter {
  const prelude = Buffer.alloc(preludeSize);
  let chunk: Buffer = Buffer.alloc(0);
  let known = 0;
  /** Octets that are still missing, once the prelude is known. */
  let left = 0;

  /** Returns the end of the prelude, or of the chunk. */
  const fillPrelude = (at: number): number => {
    if (known === preludeSize) return at;
    const copied = chunk.copy(prelude, known, at);
    known += copied;
    if (known === preludeSize) left = (readPrelude(prelude)?.total ?? preludeSize) - preludeSize;
    return at + copied;
  };

  return {
    open(bytes) {
      chunk = bytes;
    },
    tail: (at) => at,
    skip: (at) => at,
    findEnd(at) {
      const from = fillPrelude(at);
      const isEnd = known === preludeSize && chunk.length - from >= left;
      const end = from + left;
      if (isEnd) known = 0;
      else if (known === preludeSize) left -= chunk.length - from;
      return isEnd ? end : -1;
    },
  };
}

/**
 * Octets of a message around its headers and payload. Source: https://smithy.io/2.0/aws/amazon-eventstream.html,
 * "Message Format".
 */
const preludeSize = 12;
const checksumSize = 4;
const smallestMessage = preludeSize + checksumSize;
/** The largest message that any service sends: 128 KiB of headers and 24 MiB of payload. */
export const largestMessage = smallestMessage + 128 * 1024 + 24 * 1024 * 1024;

/**
 * Returns the octets of the whole message that a prelude announces. Undefined if its checksum is wrong or its lengths
 * do not fit.
 */
export function readPrelude(prelude: Buffer): { readonly total: number; readonly headers: number } | undefined {
  const total = prelude.readUInt32BE(0);
  const headers = prelude.readUInt32BE(4);
  const isWhole =
    prelude.readUInt32BE(8) === crc32(prelude.subarray(0, 8)) &&
    total >= smallestMessage &&
    headers <= total - smallestMessage;
  return isWhole ? { total, headers } : undefined;
}

/** Returns the parts of one whole message, without copying them. Undefined if a checksum or a length is wrong. */
export function splitMessage(message: Buffer): { readonly headers: Buffer; readonly payload: Buffer } | undefined {
  const prelude = message.length < smallestMessage ? undefined : readPrelude(message);
  const end = message.length - checksumSize;
  if (prelude?.total !== message.length || message.readUInt32BE(end) !== crc32(message.subarray(0, end)))
    return undefined;
  const middle = preludeSize + prelude.headers;
  return { headers: message.subarray(preludeSize, middle), payload: message.subarray(middle, end) };
}

export function joinMessage(headers: Buffer, payload: Buffer): Buffer {
  const message = Buffer.allocUnsafe(smallestMessage + headers.length + payload.length);
  const end = message.length - checksumSize;
  message.writeUInt32BE(message.length, 0);
  message.writeUInt32BE(headers.length, 4);
  message.writeUInt32BE(crc32(message.subarray(0, 8)), 8);
  headers.copy(message, preludeSize);
  payload.copy(message, preludeSize + headers.length);
  message.writeUInt32BE(crc32(message.subarray(0, end)), end);
  return message;
}

type Headers = Readonly<Record<string, string>>;

/** Encoding of a header's value. Source: https://smithy.io/2.0/aws/amazon-eventstream.html, "Headers Format". */
interface ValueType {
  /** Octets. `counted`: two octets before the value hold its length. */
  readonly size: number | 'counted';
  /** Undefined if the octets are not a value of this type. */
  readonly read: (value: Buffer) => string | undefined;
}

const textType = 7;
const longestName = 0xff;
const longestText = 0x7fff;

/** By the number of the type. */
const valueTypes: readonly ValueType[] = [
  { size: 0, read: () => 'true' },
  { size: 0, read: () => 'false' },
  { size: 1, read: (value) => String(value.readInt8()) },
  { size: 2, read: (value) => String(value.readInt16BE()) },
  { size: 4, read: (value) => String(value.readInt32BE()) },
  { size: 8, read: (value) => String(value.readBigInt64BE()) },
  { size: 'counted', read: (value) => value.toString('base64') },
  { size: 'counted', read: utf8Text },
  { size: 8, read: (value) => String(value.readBigInt64BE()) },
  { size: 16, read: (value) => value.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/u, '$1-$2-$3-$4-') },
];

/**
 * Undefined if the octets are not headers. A repeated name is invalid, because two readers may use different values.
 */
export function readHeaders(bytes: Buffer): Headers | undefined {
  const headers: Record<string, string> = Object.create(null);
  for (let at = 0; at < bytes.length; ) {
    const header = readHeader(bytes, at);
    if (header === undefined || header.name in headers) return undefined;
    headers[header.name] = header.value;
    at = header.end;
  }
  return headers;
}

/** Writes all headers as text. Leaves out headers that are too long for the format. */
export function writeHeaders(headers: Headers): Buffer {
  return Buffer.concat(
    Object.entries(headers).map(([name, value]) => writeHeader(Buffer.from(name), Buffer.from(value))),
  );
}

function writeHeader(name: Buffer, value: Buffer): Buffer {
  if (name.length === 0 || name.length > longestName || value.length > longestText) return Buffer.alloc(0);
  return Buffer.concat([
    Buffer.of(name.length),
    name,
    Buffer.of(textType, value.length >>> 8, value.length & 0xff),
    value,
  ]);
}

function readHeader(
  bytes: Buffer,
  at: number,
): { readonly name: string; readonly value: string; readonly end: number } | undefined {
  const typeAt = at + 1 + (bytes[at] ?? 0);
  const type = valueTypes[bytes[typeAt] ?? valueTypes.length];
  if (type === undefined || typeAt === at + 1) return undefined;
  const isCounted = type.size === 'counted';
  if (isCounted && typeAt + 3 > bytes.length) return undefined;
  const valueAt = typeAt + (isCounted ? 3 : 1);
  const end = valueAt + (type.size === 'counted' ? bytes.readUInt16BE(typeAt + 1) : type.size);
  if (end > bytes.length) return undefined;
  const name = utf8Text(bytes.subarray(at + 1, typeAt));
  const value = type.read(bytes.subarray(valueAt, end));
  return name === undefined || value === undefined ? undefined : { name, value, end };
}
