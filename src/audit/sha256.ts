/** FIPS 180-4, section 4.2.2: the fractional parts of the cube roots of the first 64 primes. */
const roundConstants = fractions((prime) => Math.cbrt(prime), 64);
/** Section 5.3.3: the fractional parts of the square roots of the first 8 primes. */
const initialState = fractions((prime) => Math.sqrt(prime), 8);
/** Bytes. */
export const blockSize = 64;

/** What stands after whole blocks were hashed, to hash several messages that begin with the same ones. */
export interface Sha256State {
  readonly words: Int32Array;
  /** Bytes that were hashed so far. */
  readonly length: number;
}

const begun: Sha256State = { words: initialState, length: 0 };

/**
 * SHA-256 of a short message. For the few events of a run this spares loading `node:crypto`, which takes 4 ms; whoever
 * hashes more than a few kilobytes uses that.
 */
export function sha256(message: Uint8Array, after: Sha256State = begun): Buffer {
  const words = hashBlocks(padded(message, after.length + message.length), after.words);
  const digest = Buffer.alloc(4 * words.length);
  words.forEach((word, index) => digest.writeInt32BE(word, 4 * index));
  return digest;
}

/** The state after whole blocks, of 64 bytes each. */
export function stateAfter(blocks: Uint8Array): Sha256State {
  return { words: hashBlocks(Buffer.from(blocks), initialState), length: blocks.length };
}

function hashBlocks(message: Buffer, from: Int32Array): Int32Array {
  const state = Int32Array.from(from);
  const schedule = new Int32Array(blockSize);
  for (let at = 0; at < message.length; at += blockSize) {
    for (let word = 0; word < 16; word++) schedule[word] = message.readInt32BE(at + 4 * word);
    compress(state, extend(schedule));
  }
  return state;
}

/** A one bit, zeros, and the length in bits, to a whole number of blocks. */
function padded(bytes: Uint8Array, length: number): Buffer {
  const message = Buffer.alloc(Math.ceil((bytes.length + 9) / blockSize) * blockSize);
  message.set(bytes);
  message[bytes.length] = 0x80;
  message.writeBigUInt64BE(BigInt(length) * 8n, message.length - 8);
  return message;
}

function extend(schedule: Int32Array): Int32Array {
  for (let t = 16; t < blockSize; t++) {
    const w15 = schedule[t - 15] as number;
    const w2 = schedule[t - 2] as number;
    const s0 = ((w15 >>> 7) | (w15 << 25)) ^ ((w15 >>> 18) | (w15 << 14)) ^ (w15 >>> 3);
    const s1 = ((w2 >>> 17) | (w2 << 15)) ^ ((w2 >>> 19) | (w2 << 13)) ^ (w2 >>> 10);
    schedule[t] = (schedule[t - 16] as number) + s0 + (schedule[t - 7] as number) + s1;
  }
  return schedule;
}

/** Spelled out, because it runs once in a process: helpers and destructuring cost 4 ms before a compiler has seen them. */
function compress(state: Int32Array, schedule: Int32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let t = 0; t < blockSize; t++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const first = (h + s1 + ((e & f) ^ (~e & g)) + (roundConstants[t] as number) + (schedule[t] as number)) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((value, index) => (state[index] = (state[index] as number) + value));
}

function fractions(root: (prime: number) => number, count: number): Int32Array {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate++) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  return Int32Array.from(primes, (prime) => (root(prime) % 1) * 2 ** 32);
}
