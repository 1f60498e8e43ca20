import { closeSync, constants, fstatSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';
import { HoldfastError } from '../../errors/index.ts';
import { fromBase32, toBase32 } from './base32.ts';
import type { TotpAlgorithm } from './one-time-code.ts';

export interface TotpKey {
  readonly secret: Uint8Array;
  readonly algorithm: TotpAlgorithm;
}

const longestFile = 4096;

/**
 * The key that codes are made of; undefined where none is enrolled. Throws `HF_TOTP_FAILED` for a file that others can read, that
 * is no regular one of this user's, or that holds anything else: a key that somebody put there would make their codes good.
 */
export function readKey(path: string): TotpKey | undefined {
  const fd = open(path);
  if (fd === undefined) return undefined;
  try {
    const { mode, uid, size } = fstatSync(fd);
    if ((mode & constants.S_IFMT) !== constants.S_IFREG) throw failed(path, 'is no regular file');
    if (uid !== process.geteuid?.()) throw failed(path, 'belongs to another user');
    if ((mode & 0o077) !== 0) throw failed(path, 'is open to others');
    if (size > longestFile) throw failed(path, 'is longer than any key');
    return keyOf(readFileSync(fd, 'utf8')) ?? fail(path, 'holds no key that this version knows');
  } finally {
    closeSync(fd);
  }
}

/** Puts a key in place, whole or not at all. Mode 0600. */
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
  if (version !== 1 || (algorithm !== 'SHA-1' && algorithm !== 'SHA-256') || typeof secret !== 'string') return undefined;
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
  return new HoldfastError('HF_TOTP_FAILED', `${path} ${what}`, { remedy: 'see to it that it is yours alone (mode 0600); or remove it and run `holdfast approvals totp enrol` again', cause });
}
