import process from 'node:process';

/** FIPS 180-4, section 4.2.2: the fractional parts of the cube roots of the first 64 primes. */
const roundConstants = fractions((prime) => Math.cbrt(prime), 64);
/** Section 5.3.3: the fractional parts of the square roots of the first 8 primes. */
const initialState = fractions((prime) => Math.sqrt(prime), 8);
const blockSize = 64;

/**
 * SHA-256 of a short text, as lower-case hexadecimal. For the two events of a run this spares loading `node:crypto`, which
 * takes 4 ms; whoever hashes more than a few kilobytes uses that.
 */
export function sha256(text: string): string {
  const message = padded(Buffer.from(text));
  const state = Uint32Array.from(initialState);
  const schedule = new Uint32Array(blockSize);
  for (let at = 0; at < message.length; at += blockSize) {
    for (let word = 0; word < 16; word++) schedule[word] = message.readUInt32BE(at + 4 * word);
    compress(state, extend(schedule));
  }
  return [...state].map((word) => word.toString(16).padStart(8, '0')).join('');
}

/** More texts than this are hashed by OpenSSL. */
const few = 16;

/** The quickest way to hash so many texts: `node:crypto` takes a tenth of the time of `sha256` for each, once it has been loaded. */
export function hasherFor(count: number): (text: string) => string {
  if (count <= few) return sha256;
  const { hash } = process.getBuiltinModule('node:crypto');
  return (text) => hash('sha256', text);
}

/** A one bit, zeros, and the length in bits, to a whole number of blocks. */
function padded(bytes: Buffer): Buffer {
  const message = Buffer.alloc(Math.ceil((bytes.length + 9) / blockSize) * blockSize);
  bytes.copy(message);
  message[bytes.length] = 0x80;
  message.writeBigUInt64BE(BigInt(bytes.length) * 8n, message.length - 8);
  return message;
}

function extend(schedule: Uint32Array): Uint32Array {
  for (let t = 16; t < blockSize; t++) {
    const [w15, w2] = [at(schedule, t - 15), at(schedule, t - 2)];
    const s0 = rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 >>> 3);
    const s1 = rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 >>> 10);
    schedule[t] = at(schedule, t - 16) + s0 + at(schedule, t - 7) + s1;
  }
  return schedule;
}

function compress(state: Uint32Array, schedule: Uint32Array): void {
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let t = 0; t < blockSize; t++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const first = (h + s1 + ((e & f) ^ (~e & g)) + at(roundConstants, t) + at(schedule, t)) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [index, value] of [a, b, c, d, e, f, g, h].entries()) state[index] = at(state, index) + value;
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function at(words: Uint32Array, index: number): number {
  return words[index] ?? 0;
}

function fractions(root: (prime: number) => number, count: number): Uint32Array {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate++) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  return Uint32Array.from(primes, (prime) => (root(prime) % 1) * 2 ** 32);
}
