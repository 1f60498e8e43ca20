import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { HoldfastError } from '../../errors/index.ts';

/** As RFC 6750 writes tokens, and too long to guess. */
const tokenPattern = /^[\w.~+/-]{32,1024}=*$/u;

/** Reads the token that a scraper has to show. Throws `HF_USAGE` for a file without one. */
export function readToken(file: string): string {
  const text = readText(file).trim();
  if (tokenPattern.test(text)) return text;
  throw new HoldfastError('HF_USAGE', `${file} holds no token of 32 or more letters and digits`, {
    remedy: `write one, as with \`openssl rand -hex 32 > ${file}\``,
  });
}

/** Makes a token of 256 bits, unless the file is there. Mode 0600. */
export function ownToken(file: string): string {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unreadable(file, error);
  }
  return readToken(file);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(file: string, cause: unknown): HoldfastError {
  return new HoldfastError(
    'HF_USAGE',
    `the token of the metrics, ${file}, cannot be used: ${(cause as NodeJS.ErrnoException).code ?? String(cause)}`,
    { remedy: 'name a file that you can read with --metrics-token', cause },
  );
}
