import { createHmac, randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { HoldfastError } from '../../errors/index.ts';

export interface TotpKey {
  readonly secret: Uint8Array;
  readonly algorithm: TotpAlgorithm;
}

const longestFile = 4096;

/**
 * Reads the key of the codes. Undefined if none is enrolled. Throws `HF_TOTP_FAILED` for a file that others can read,
 * is not a regular file of this user, or has other content. With a planted key, the attacker's codes would be valid.
 */
export function readTotpKey(path: string): TotpKey | undefined {
  const fd = open(path);
  if (fd === undefined) return undefined;
  try {
    const { mode, uid, size } = fstatSync(fd);
    if ((mode & constants.S_IFMT) !== constants.S_IFREG) throw failed(path, 'is not a regular file');
    if (uid !== process.geteuid?.()) throw failed(path, 'belongs to another user');
    if ((mode & 0o077) !== 0) throw failed(path, 'is open to others');
    if (size > longestFile) throw failed(path, 'is longer than any key');
    return keyOf(readFileSync(fd, 'utf8')) ?? fail(path, 'holds no key that this version knows');
  } finally {
    closeSync(fd);
  }
}

/** Writes a key completely or not at all. Mode 0600. */
export function writeKey(path: string, { secret, algorithm }: TotpKey): void {
  const fresh = `${path}.new`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    rmSync(fresh, { force: true });
    const fd = openSync(fresh, 'wx', 0o600);
    try {
      writeSync(fd, `${JSON.stringify({ version: 1, algorithm, secret: toBase32(secret) })}\n`);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(fresh, path);
  } catch (cause) {
    throw failed(path, `cannot be written (${(cause as NodeJS.ErrnoException).code ?? 'unknown error'})`, cause);
  }
}

function open(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw failed(path, code === 'ELOOP' ? 'is a symlink' : `cannot be read (${code ?? 'unknown error'})`, cause);
  }
}

function keyOf(text: string): TotpKey | undefined {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null) return undefined;
  const { version, algorithm, secret } = value as Readonly<Record<string, unknown>>;
  if (version !== 1 || (algorithm !== 'SHA-1' && algorithm !== 'SHA-256') || typeof secret !== 'string')
    return undefined;
  const bytes = fromBase32(secret);
  // RFC 4226 §4 R6: at least 128 bits.
  return bytes === undefined || bytes.length < 16 ? undefined : { secret: bytes, algorithm };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fail(path: string, what: string): never {
  throw failed(path, what);
}

function failed(path: string, what: string, cause?: unknown): HoldfastError {
  return new HoldfastError('HF_TOTP_FAILED', `${path} ${what}`, {
    remedy: 'make it yours alone (mode 0600); or remove it and run `holdfast approvals totp enrol` again',
    cause,
  });
}

/** Returns the paths of the key and the used codes, below the user's state. */
export function totpPlaces(state: string): { readonly key: string; readonly spent: string } {
  return { key: join(state, 'totp.key'), spent: join(state, 'totp-spent') };
}

/** Returns a key of 160 bits, as RFC 4226 §4 recommends, or 256 bits for SHA-256. */
export function newKey(algorithm: TotpAlgorithm): TotpKey {
  return { secret: randomBytes(algorithm === 'SHA-1' ? 20 : 32), algorithm };
}

/**
 * Returns the URI that an authenticator app reads. The app shows `account`. Source:
 * https://github.com/google/google-authenticator/wiki/Key-Uri-Format
 */
export function otpauthUri({ secret, algorithm }: TotpKey, account: string): string {
  const parameters = [
    `secret=${toBase32(secret)}`,
    'issuer=Holdfast',
    `algorithm=${algorithm.replace('-', '')}`,
    'digits=6',
    `period=${period}`,
  ];
  return `otpauth://totp/Holdfast:${encodeURIComponent(account)}?${parameters.join('&')}`;
}

type TotpAlgorithm = 'SHA-1' | 'SHA-256';

interface OneTimeCode {
  readonly secret: Uint8Array;
  readonly algorithm: TotpAlgorithm;
  /** Default: 6. The vectors of RFC 6238 have 8. */
  readonly digits?: 6 | 8;
}

/** Seconds of one code. RFC 6238 §5.2 recommends 30. */
const period = 30;

/** Returns the step of a time. Source: RFC 6238 §4.2, with T0 = 0. */
export function counterAt(now: number): number {
  return Math.floor(now / 1000 / period);
}

/** HOTP of RFC 4226 §5.3, with the hash that RFC 6238 §1.2 allows. */
export function oneTimeCode({ secret, algorithm, digits = 6 }: OneTimeCode, counter: number): string {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(counter));
  const mac = createHmac(algorithm === 'SHA-1' ? 'sha1' : 'sha256', secret)
    .update(message)
    .digest();
  const offset = (mac.at(-1) ?? 0) & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648 §6 without padding, as authenticator apps read it. */
export function toBase32(bytes: Uint8Array): string {
  let bits = 0;
  let value = 0;
  let text = '';
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += alphabet[(value >>> (bits - 5)) & 31] ?? '';
    value &= 0xff;
  }
  return bits === 0 ? text : text + (alphabet[(value << (5 - bits)) & 31] ?? '');
}

/** Undefined for other characters, or for trailing bits that no encoder produces. */
export function fromBase32(text: string): Uint8Array | undefined {
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const character of text) {
    const digit = alphabet.indexOf(character);
    if (digit === -1) return undefined;
    value = ((value << 5) | digit) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((value >>> bits) & 0xff);
  }
  const rest = value & ((1 << bits) - 1);
  return bits < 5 && rest === 0 ? Uint8Array.from(bytes) : undefined;
}
