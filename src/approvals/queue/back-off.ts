import type { ApprovalOutcome } from '../types.ts';

/** Milliseconds before a denied request may be asked again. Each further denial doubles them. */
export const firstPause = 10_000;
/** Milliseconds: the longest pause. */
export const longestPause = 600_000;
/**
 * Consecutive denials after which a rule pauses as a whole, because variants of a question are the same question again.
 */
const denialsUntilPause = 3;
/** Consecutive denials after which a rule asks nothing more in the session. */
const denialsUntilLockOut = 10;

export type BackOffState =
  | { readonly kind: 'free' }
  /** Milliseconds left. */
  | { readonly kind: 'request-paused' | 'rule-paused' | 'unanswered'; readonly left: number }
  | { readonly kind: 'locked' };

interface Pause {
  denials: number;
  until: number;
}

/**
 * Delays questions that a person has denied, because anyone who is asked often enough finally says yes. Unanswered
 * questions pause too, or a telephone would ring all night, but an absent person locks nothing out. Pure except for its
 * memory, which grows by one entry for each denial and each rule.
 */
export class BackOff {
  readonly #elapsed: () => number;
  readonly #requests = new Map<string, Pause>();
  readonly #rules = new Map<string, Pause>();
  /** Rules with unanswered questions, and the time of the last note. */
  readonly #silences = new Map<string, Pause & { noted: number }>();

  /** `elapsed`: milliseconds of a clock that never jumps. */
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
   * Notes a question asked at `since` that nobody answered. Questions asked before the last one ended belong to one
   * flood, and count once.
   */
  unanswered(rule: string, since: number): void {
    const silence = this.#silences.get(rule) ?? { denials: 0, until: -Infinity, noted: -Infinity };
    this.#silences.set(rule, silence);
    if (since < silence.noted) return;
    silence.noted = this.#elapsed();
    this.#prolong(silence, denialsUntilPause);
  }

  /** Notes that a person is there. */
  answered(rule: string): void {
    this.#silences.delete(rule);
  }

  /** Notes a person's no. */
  denied(hash: string, rule: string): void {
    this.#note(this.#requests, hash, 1);
    this.#note(this.#rules, rule, denialsUntilPause);
  }

  /** Notes a person's yes, which clears the history of the request and its rule. */
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

/** Returns a denial. Its message follows a verdict's, after `…; `. */
export function denied(because: DeniedOutcome['because'], message: string): DeniedOutcome {
  return { kind: 'denied', because, message };
}

/** Returns a denial that says why the request is not asked again yet. */
export function repeated(standing: Exclude<BackOffState, { readonly kind: 'free' }>): DeniedOutcome {
  switch (standing.kind) {
    case 'request-paused':
      return denied(
        'repeated',
        `the same request was denied before, so it is not asked again for ${seconds(standing.left)}`,
      );
    case 'rule-paused':
      return denied(
        'repeated',
        `${denialsUntilPause} or more requests under this rule were denied in a row, so it asks nothing for ${seconds(standing.left)}`,
      );
    case 'unanswered':
      return denied(
        'repeated',
        `nobody answered ${denialsUntilPause} or more requests under this rule in a row, so it asks nothing for ${seconds(standing.left)}`,
      );
    case 'locked':
      return denied(
        'repeated',
        `${denialsUntilLockOut} requests under this rule were denied in a row, so it asks nothing more in this session; start another session to be asked again`,
      );
  }
}

/** Rounds up, so that a pause has ended when the message says so. */
export function seconds(milliseconds: number): string {
  return `${Math.max(1, Math.ceil(milliseconds / 1000))} s`;
}

/** Returns one line, for a denial and for a refused answer. */
export function errorReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
