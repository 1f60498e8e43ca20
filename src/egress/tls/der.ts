/**
 * Writes the DER that certificates and PKCS #12 files need (X.690, ITU-T, 02/2021). All lengths are definite and
 * minimal.
 */

/** One encoded value: tag, length, content. */
export type Der = Uint8Array;

/** The string types that Holdfast writes. `ia5` is ASCII, `bmp` is UTF-16, big-endian. */
export type DerStringType = 'utf8' | 'ia5' | 'bmp';

const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  ia5: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  bmp: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const;

export const der = {
  sequence: (...parts: readonly Der[]): Der => tagged(tags.sequence, Buffer.concat(parts)),
  /** Sorted, as DER requires (§11.6). */
  set: (...parts: readonly Der[]): Der =>
    tagged(tags.set, Buffer.concat([...parts].sort((one, other) => Buffer.compare(one, other)))),
  octets: (content: Uint8Array): Der => tagged(tags.octetString, content),
  true: (): Der => tagged(tags.boolean, Uint8Array.of(0xff)),
  integer,
  bits,
  oid,
  string,
  time,
  /** `[number] EXPLICIT`. */
  explicit: (number: number, content: Der): Der => tagged(0xa0 | number, content),
  /** `[number] IMPLICIT` of a primitive type. `content` is without its own tag. */
  implicit: (number: number, content: Uint8Array): Der => tagged(0x80 | number, content),
} as const;

function tagged(tag: number, content: Uint8Array): Der {
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Uint8Array.of(tag, length), content]);
  const size = unsigned(length);
  return Buffer.concat([Uint8Array.of(tag, 0x80 | size.length), size, content]);
}

/** A number of at least 0, or its bytes, most significant first. */
function integer(value: number | Uint8Array): Der {
  const bytes = typeof value === 'number' ? unsigned(value) : value;
  const first = bytes.findIndex((byte) => byte !== 0);
  const minimal = first === -1 ? Uint8Array.of(0) : bytes.subarray(first);
  const sign = (minimal[0] ?? 0) >= 0x80 ? Uint8Array.of(0) : new Uint8Array();
  return tagged(tags.integer, Buffer.concat([sign, minimal]));
}

/** `unused`: unused bits at the end of the last byte. */
function bits(content: Uint8Array, unused = 0): Der {
  return tagged(tags.bitString, Buffer.concat([Uint8Array.of(unused), content]));
}

/** `1.2.840.10045.2.1`. */
function oid(dotted: string): Der {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return tagged(tags.oid, Uint8Array.from([first * 40 + second, ...rest].flatMap(base128)));
}

function string(type: DerStringType, text: string): Der {
  if (type === 'bmp') return tagged(tags.bmp, Buffer.from(text, 'utf16le').swap16());
  return tagged(tags[type], Buffer.from(text, type === 'utf8' ? 'utf8' : 'latin1'));
}

/** Encodes whole seconds: as UTCTime until 2049 and as GeneralizedTime after, as RFC 5280 §4.1.2.5 requires. */
function time(date: Date): Der {
  const digits = date.toISOString().replace(/[-:T]|\.\d{3}/gu, '');
  const short = date.getUTCFullYear() < 2050;
  return tagged(short ? tags.utcTime : tags.generalizedTime, Buffer.from(short ? digits.slice(2) : digits, 'latin1'));
}

function unsigned(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Uint8Array.from(bytes);
}

function base128(value: number): readonly number[] {
  const groups = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) groups.unshift((rest % 128) | 0x80);
  return groups;
}
