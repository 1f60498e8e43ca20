import { closeSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { HoldfastError } from '../../errors/index.ts';

/** Steps kept. More than a code is valid for, so that none comes back before it has expired. */
const kept = 10;

/**
 * Records spent codes for all sessions of the user: an exclusively created file for each. The kernel does that in one
 * step, so only one of two sessions takes the same code.
 */
export function spentCodes(directory: string): (counter: number) => 'first' | 'again' {
  return (counter) => {
    try {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      closeSync(openSync(join(directory, String(counter)), 'wx', 0o600));
      forget(directory, counter);
      return 'first';
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      if (code === 'EEXIST') return 'again';
      throw new HoldfastError(
        'HF_TOTP_FAILED',
        `${directory} cannot be written (${code ?? 'unknown error'}), so no code can be used up`,
        { remedy: 'make it writable for you, and answer again', cause },
      );
    }
  };
}

function forget(directory: string, counter: number): void {
  for (const name of readdirSync(directory))
    if (/^\d+$/u.test(name) && Number(name) < counter - kept) rmSync(join(directory, name), { force: true });
}
