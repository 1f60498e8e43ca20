import { timingSafeEqual } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { HoldfastError } from '../../errors/index.ts';
import type { Clock, CodeVerdict } from '../queue/options.ts';
import { counterAt, oneTimeCode, type TotpKey } from './key-file.ts';

/** Steps accepted before and after, because a clock may be slightly off and typing takes time. RFC 6238 §5.2. */
const tolerance = 1;
/** Wrong codes in a row, after which all are refused for a while. */
export const mostWrong = 5;
/** Milliseconds. With three valid codes of a million at a time, guessing takes years. */
export const lockOut = 900_000;

export interface CodeCheckOptions {
  /** Returns the current key. Undefined if none is enrolled. May throw. */
  readonly key: () => TotpKey | undefined;
  /**
   * Marks this step's code as spent, for all sessions of the user. Returns `again` if it was spent before. May throw.
   */
  readonly spend: (counter: number) => 'first' | 'again';
  readonly clock: Pick<Clock, 'now' | 'elapsed'>;
}

/**
 * Checks the codes of one session. Each is valid once. Five wrong ones in a row lock out for a quarter of an hour.
 * Never throws.
 */
export function codeCheck({ key, spend, clock }: CodeCheckOptions): (code: string) => CodeVerdict {
  let wrong = 0;
  let lockedUntil = -Infinity;
  return (code) => {
    if (clock.elapsed() < lockedUntil)
      return {
        kind: 'refused',
        message: `${mostWrong} wrong codes in a row: no code is accepted for another ${Math.ceil((lockedUntil - clock.elapsed()) / 60_000)} min`,
      };
    try {
      const known = key();
      if (known === undefined)
        return {
          kind: 'refused',
          message: 'no authenticator is enrolled: run `holdfast approvals totp enrol`, then answer again',
        };
      const counter = counterOf(code, known, clock.now());
      // A code that someone saw over a shoulder, or read in a journal, is already used.
      if (counter !== undefined && spend(counter) === 'first') {
        wrong = 0;
        return { kind: 'right' };
      }
    } catch (error) {
      return { kind: 'refused', message: error instanceof Error ? error.message : 'the code could not be checked' };
    }
    wrong += 1;
    if (wrong >= mostWrong) [wrong, lockedUntil] = [0, clock.elapsed() + lockOut];
    return { kind: 'wrong' };
  };
}

/** Returns the step of this code. Compares with all steps, so that the time reveals nothing. */
function counterOf(code: string, key: TotpKey, now: number): number | undefined {
  const typed = code.replaceAll(/[ -]/gu, '');
  if (!/^\d{6}$/u.test(typed)) return undefined;
  const current = counterAt(now);
  const counters = Array.from({ length: 2 * tolerance + 1 }, (_, index) => current - tolerance + index).filter(
    (counter) => counter >= 0,
  );
  return counters
    .filter((counter) => timingSafeEqual(Buffer.from(oneTimeCode(key, counter)), Buffer.from(typed)))
    .at(0);
}

/** Steps kept, longer than a code is valid, so that no code can be used again before it has expired. */
const kept = 10;

/**
 * Records used codes for all sessions of the user, with an exclusively created file for each. The kernel creates the
 * file in one step, so only one of two sessions accepts the same code.
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
        `${directory} cannot be written (${code ?? 'unknown error'}), so no code can be marked as used`,
        { remedy: 'make it writable for you, and answer again', cause },
      );
    }
  };
}

function forget(directory: string, counter: number): void {
  for (const name of readdirSync(directory))
    if (/^\d+$/u.test(name) && Number(name) < counter - kept) rmSync(join(directory, name), { force: true });
}
