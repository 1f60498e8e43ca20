import { textOf } from '../utf8.ts';

type Headers = Readonly<Record<string, string>>;

/** How the value of a header is written. Source: https://smithy.io/2.0/aws/amazon-eventstream.html, "Headers Format". */
interface ValueType {
  /** Octets; `counted`: two octets before the value tell. */
  readonly size: number | 'counted';
  /** Undefined where it is no such value. */
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
  { size: 'counted', read: textOf },
  { size: 8, read: (value) => String(value.readBigInt64BE()) },
  { size: 16, read: (value) => value.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/u, '$1-$2-$3-$4-') },
];

/** Undefined where they are no headers. A name that stands there twice is none: two readers may take different values. */
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

/** All of them as text. What the format has no room for is left out. */
export function writeHeaders(headers: Headers): Buffer {
  return Buffer.concat(Object.entries(headers).map(([name, value]) => writeHeader(Buffer.from(name), Buffer.from(value))));
}

function writeHeader(name: Buffer, value: Buffer): Buffer {
  if (name.length === 0 || name.length > longestName || value.length > longestText) return Buffer.alloc(0);
  return Buffer.concat([Buffer.of(name.length), name, Buffer.of(textType, value.length >>> 8, value.length & 0xff), value]);
}

function readHeader(bytes: Buffer, at: number): { readonly name: string; readonly value: string; readonly end: number } | undefined {
  const typeAt = at + 1 + (bytes[at] ?? 0);
  const type = valueTypes[bytes[typeAt] ?? valueTypes.length];
  if (type === undefined || typeAt === at + 1) return undefined;
  const isCounted = type.size === 'counted';
  if (isCounted && typeAt + 3 > bytes.length) return undefined;
  const valueAt = typeAt + (isCounted ? 3 : 1);
  const end = valueAt + (type.size === 'counted' ? bytes.readUInt16BE(typeAt + 1) : type.size);
  if (end > bytes.length) return undefined;
  const name = textOf(bytes.subarray(at + 1, typeAt));
  const value = type.read(bytes.subarray(valueAt, end));
  return name === undefined || value === undefined ? undefined : { name, value, end };
}
