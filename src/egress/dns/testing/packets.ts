import { Buffer } from 'node:buffer';

/** Messages from raw parts, which may be invalid. */

export interface QueryParts {
  readonly id?: number;
  /** Default: recursion desired. */
  readonly flags?: number;
  /** Wire form of the name. */
  readonly name?: Buffer;
  readonly type?: number;
  readonly class?: number;
  /** Questions, answers, authorities, additionals. */
  readonly counts?: readonly [number, number, number, number];
  readonly tail?: Buffer;
}

export function queryPacket({
  id = 0x1234,
  flags = 0x0100,
  name = wireName('example.com'),
  type = 1,
  class: klass = 1,
  counts = [1, 0, 0, 0],
  tail = Buffer.alloc(0),
}: QueryParts = {}): Buffer {
  return Buffer.concat([words(id, flags, ...counts), name, words(type, klass), tail]);
}

/** `www.example.com` as length bytes and labels, without any check. */
export function wireName(name: string): Buffer {
  return labels(...(name === '' ? [] : name.split('.')));
}

export function labels(...parts: readonly (string | Buffer)[]): Buffer {
  return Buffer.concat([
    ...parts.flatMap((part) => [Buffer.of(part.length), Buffer.from(part as string, 'latin1')]),
    Buffer.of(0),
  ]);
}

export function words(...values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => buffer.writeUInt16BE(value, index * 2));
  return buffer;
}

export interface RecordParts {
  readonly owner?: Buffer;
  readonly type: number;
  readonly class?: number;
  readonly ttl?: number;
  readonly data?: Buffer;
  /** Replaces the length of the data. */
  readonly length?: number;
}

/** The owner is by default a pointer to the question. */
export function recordBytes({
  owner = words(0xc00c),
  type,
  class: klass = 1,
  ttl = 60,
  data = Buffer.alloc(0),
  length = data.length,
}: RecordParts): Buffer {
  return Buffer.concat([owner, words(type, klass, Math.floor(ttl / 65_536), ttl % 65_536, length), data]);
}

export function optRecord({
  size = 1232,
  version = 0,
  data = Buffer.alloc(0),
  owner = Buffer.of(0),
}: {
  readonly size?: number;
  readonly version?: number;
  readonly data?: Buffer;
  readonly owner?: Buffer;
} = {}): Buffer {
  return recordBytes({ owner, type: 41, class: size, ttl: version * 65_536, data });
}

export interface ResponseParts extends QueryParts {
  readonly records?: readonly Buffer[];
  readonly rcode?: number;
}

export function responsePacket({
  records = [],
  rcode = 0,
  flags = 0x8180 | rcode,
  counts = [1, records.length, 0, 0],
  ...query
}: ResponseParts = {}): Buffer {
  return queryPacket({ ...query, flags, counts, tail: Buffer.concat(records) });
}

export function ipv4(address: string): Buffer {
  return Buffer.from(address.split('.').map(Number));
}
