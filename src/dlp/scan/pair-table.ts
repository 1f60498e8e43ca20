/**
 * Looks for two neighbouring characters and the ones directly before and after them. Each position allows several ASCII
 * characters. The owner is returned for a match.
 */
export interface PairEntry<Of> {
  readonly pair: readonly [string, string];
  readonly before?: string;
  readonly after?: string;
  readonly of: Of;
}

export interface PairTable<Of> {
  /** 1 for each pair of bytes that some entry has. The index is the pair as a number in this machine's byte order. */
  readonly begins: Uint8Array;
  /** Returns the possible entries at a pair of bytes, also by the bytes before and after. Never misses one. */
  at(bytes: Uint8Array, place: number): readonly Of[];
}

const pairs = 1 << 16;

export function createPairTable<Of>(entries: readonly PairEntry<Of>[]): PairTable<Of> {
  const begins = new Uint8Array(pairs);
  const bucketOf = new Uint16Array(pairs);
  const buckets: Of[][] = [[]];
  const masks = [0];
  for (const {
    pair: [first, second],
    before = '',
    after = '',
    of,
  } of entries) {
    for (const pair of pairsOf(first, second)) {
      if (begins[pair] !== 1) {
        begins[pair] = 1;
        bucketOf[pair] = buckets.length;
        buckets.push([]);
        masks.push(0);
      }
      const bucket = bucketOf[pair] ?? 0;
      buckets[bucket]?.push(of);
      masks[bucket] = (masks[bucket] ?? 0) | maskOf(after) | (maskOf(before) << behind);
    }
  }
  const maskOfBucket = Int32Array.from(masks);
  return {
    begins,
    at(bytes, place) {
      const bucket = bucketOf[pairOf(bytes[place] ?? 0, bytes[place + 1] ?? 0)] ?? 0;
      const mask = maskOfBucket[bucket] ?? 0;
      const isNear = ((mask >>> lowBits(bytes[place + 2])) | (mask >>> (behind + lowBits(bytes[place - 1])))) & 1;
      return isNear === 1 ? (buckets[bucket] ?? none) : none;
    },
  };
}

const none: readonly never[] = [];

export interface Marking {
  /** An even number. Marks only pairs that begin at even offsets and end before `end`. */
  readonly start: number;
  readonly end: number;
  readonly table: Pick<PairTable<unknown>, 'begins'>;
  /** Receives the offsets, divided by two. */
  readonly marked: Uint16Array;
}

/** Returns the number of marked pairs. Has no branches, because a processor cannot predict the next bytes of a text. */
export function markPairs(bytes: Buffer, { start, end, table: { begins }, marked }: Marking): number {
  const twos = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1);
  const last = end >> 1;
  let count = 0;
  for (let at = start >> 1; at < last; at += 1) {
    marked[count] = at;
    count += begins[twos[at] ?? 0] ?? 0;
  }
  return count;
}

const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

function pairOf(first: number, second: number): number {
  return isLittleEndian ? first | (second << 8) : (first << 8) | second;
}

function pairsOf(first: string, second: string): ReadonlySet<number> {
  return new Set(
    [...first].flatMap((one) => [...second].map((other) => pairOf(one.charCodeAt(0), other.charCodeAt(0)))),
  );
}

/**
 * A mask has one bit for each value of the low four bits of the byte after a pair. Above these bits it has the same
 * number for the byte before the pair.
 */
const behind = 16;

function lowBits(byte = 0): number {
  return byte & 15;
}

function maskOf(characters: string): number {
  return [...characters].reduce((mask, character) => mask | (1 << lowBits(character.charCodeAt(0))), 0);
}
