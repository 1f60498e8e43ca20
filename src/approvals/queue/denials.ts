import type { Outcome } from '../types.ts';
import { denialsUntilLockOut, denialsUntilPause, type Standing } from './back-off.ts';

export type Denied = Extract<Outcome, { readonly kind: 'denied' }>;

/** A denial; its message completes `…; ` behind a verdict's. */
export function denied(because: Denied['because'], message: string): Denied {
  return { kind: 'denied', because, message };
}

/** Why it is not asked again yet. */
export function repeated(standing: Exclude<Standing, { readonly kind: 'free' }>): Denied {
  switch (standing.kind) {
    case 'request-paused':
      return denied('repeated', `the same was denied before, so it is not asked again for ${seconds(standing.left)}`);
    case 'rule-paused':
      return denied(
        'repeated',
        `${denialsUntilPause} or more requests under this rule were denied in a row, so it asks nothing for ${seconds(standing.left)}`,
      );
    case 'unanswered':
      return denied(
        'repeated',
        `nobody answered what it asked ${denialsUntilPause} times in a row or more, so this rule asks nothing for ${seconds(standing.left)}`,
      );
    case 'locked':
      return denied(
        'repeated',
        `${denialsUntilLockOut} requests under this rule were denied in a row, so it asks nothing more in this session; start another session to be asked again`,
      );
  }
}

/** Rounded up: what is said to be over must be over. */
export function seconds(milliseconds: number): string {
  return `${Math.max(1, Math.ceil(milliseconds / 1000))} s`;
}

/** One line, for a denial and an answer's refusal. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
