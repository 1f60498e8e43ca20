import type { ApprovalOutcome } from '../types.ts';

/** Milliseconds that a denied request is not asked again, at first; each further denial doubles it. */
export const firstPause = 10_000;
/** Milliseconds: the longest pause. */
export const longestPause = 600_000;
/**
 * From so many denials in a row a rule pauses as a whole, whatever the request: variants of a question are that
 * question again.
 */
const denialsUntilPause = 3;
/** After so many in a row it asks nothing more in the session. */
const denialsUntilLockOut = 10;

export type BackOffState =
  | { readonly kind: 'free' }
  /** Milliseconds that are left. */
  | { readonly kind: 'request-paused' | 'rule-paused' | 'unanswered'; readonly left: number }
  | { readonly kind: 'locked' };

interface Pause {
  denials: number;
  until: number;
}

/**
 * What a person has denied is not asked again at once: anyone who is asked often enough says yes at last. The same
 * where nobody answers, or a telephone would ring all night; but an empty desk locks nothing out. Pure but for what it
 * remembers, which grows by one entry for each denial and each rule.
 */
export class BackOff {
  readonly #elapsed: () => number;
  readonly #requests = new Map<string, Pause>();
  readonly #rules = new Map<string, Pause>();
  /** Rules whose questions nobody answers, and when that was last noted. */
  readonly #silences = new Map<string, Pause & { noted: number }>();

  /** `elapsed`: milliseconds that never jump. */
  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
  }

  standing(hash: string, rule: string): BackOffState {
    const ruled = this.#rules.get(rule);
    if (ruled !== undefined && ruled.denials >= denialsUntilLockOut) return { kind: 'locked' };
    const now = this.#elapsed();
    const asked = this.#requests.get(hash);
    if (asked !== undefined && now < asked.until) return { kind: 'request-paused', left: asked.until - now };
    if (ruled !== undefined && now < ruled.until) return { kind: 'rule-paused', left: ruled.until - now };
    const silent = this.#silences.get(rule);
    if (silent !== undefined && now < silent.until) return { kind: 'unanswered', left: silent.until - now };
    return { kind: 'free' };
  }

  /**
   * Nobody answered what was asked at `since`. Those that were asked before the last one ended are one flood, and count
   * once.
   */
  unanswered(rule: string, since: number): void {
    const silence = this.#silences.get(rule) ?? { denials: 0, until: -Infinity, noted: -Infinity };
    this.#silences.set(rule, silence);
    if (since < silence.noted) return;
    silence.noted = this.#elapsed();
    this.#prolong(silence, denialsUntilPause);
  }

  /** Someone is there. */
  answered(rule: string): void {
    this.#silences.delete(rule);
  }

  /** A person said no. */
  denied(hash: string, rule: string): void {
    this.#note(this.#requests, hash, 1);
    this.#note(this.#rules, rule, denialsUntilPause);
  }

  /** A person said yes: neither the request nor its rule has a history any more. */
  allowed(hash: string, rule: string): void {
    this.#requests.delete(hash);
    this.#rules.delete(rule);
  }

  #note(pauses: Map<string, Pause>, key: string, from: number): void {
    const pause = pauses.get(key) ?? { denials: 0, until: -Infinity };
    pauses.set(key, pause);
    this.#prolong(pause, from);
  }

  #prolong(pause: Pause, from: number): void {
    pause.denials += 1;
    if (pause.denials >= from)
      pause.until = this.#elapsed() + Math.min(longestPause, firstPause * 2 ** (pause.denials - from));
  }
}

export type DeniedOutcome = Extract<ApprovalOutcome, { readonly kind: 'denied' }>;

/** A denial; its message completes `…; ` behind a verdict's. */
export function denied(because: DeniedOutcome['because'], message: string): DeniedOutcome {
  return { kind: 'denied', because, message };
}

/** Why it is not asked again yet. */
export function repeated(standing: Exclude<BackOffState, { readonly kind: 'free' }>): DeniedOutcome {
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
export function errorReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
