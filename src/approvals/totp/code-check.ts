import { timingSafeEqual } from 'node:crypto';
import type { Clock, CodeVerdict } from '../queue/options.ts';
import { counterAt, oneTimeCode, type TotpKey } from './key-file.ts';

/** Steps before and after: a clock that is a little off, and the time it takes to type. RFC 6238 §5.2. */
const tolerance = 1;
/** Wrong codes in a row, after which none is taken for a while. */
export const mostWrong = 5;
/** Milliseconds: with three codes of a million good at a time, guessing takes years. */
export const lockOut = 900_000;

export interface CodeCheckOptions {
  /** The key as it is now; undefined where none is enrolled. May throw. */
  readonly key: () => TotpKey | undefined;
  /**
   * Notes that the code of this step is used up, for every session of the user. `again` where it was already. May
   * throw.
   */
  readonly spend: (counter: number) => 'first' | 'again';
  readonly clock: Pick<Clock, 'now' | 'elapsed'>;
}

/**
 * Checks the codes of one session. Each is good once; five wrong ones in a row lock out for a quarter of an hour. Never
 * throws.
 */
export function codeCheck({ key, spend, clock }: CodeCheckOptions): (code: string) => CodeVerdict {
  let wrong = 0;
  let lockedUntil = -Infinity;
  return (code) => {
    if (clock.elapsed() < lockedUntil)
      return {
        kind: 'refused',
        message: `${mostWrong} wrong codes in a row: no code is taken for another ${Math.ceil((lockedUntil - clock.elapsed()) / 60_000)} min`,
      };
    try {
      const known = key();
      if (known === undefined)
        return {
          kind: 'refused',
          message: 'no authenticator is enrolled: run `holdfast approvals totp enrol`, then answer again',
        };
      const counter = counterOf(code, known, clock.now());
      // A code that someone looked over a shoulder for, or read in a journal, is used up.
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

/** The step whose code this is. All of them are compared, so that the time tells nothing. */
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
