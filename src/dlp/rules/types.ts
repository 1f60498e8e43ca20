/** Position in a text: UTF-16 code units. `end` is the first one after it. */
export interface MatchSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * Certain characters of a find: for each place all possible ones, in ASCII. `['A', 'K', 'I', 'A']`. At least three
 * places.
 */
export type RuleLead = readonly string[];

/** One search rule: data and pure functions. A rule keeps no state between texts. */
export interface SecretRule {
  /** Name in policies and reports: `github-token`. */
  readonly name: string;
  readonly leads: readonly RuleLead[];
  /**
   * Returns the find for a lead at `at`, which may be its middle. Reads at most some thousand characters around it. It
   * hardly reads the same ones for another lead, so a text full of leads costs no more than its length.
   */
  readonly match: (text: string, at: number) => MatchSpan | undefined;
  /** Published descriptions of the form, or collections that contain it. */
  readonly sources: readonly string[];
}

/** A text in which a rule finds exactly `text`, or nothing. */
export interface Sample {
  readonly why: string;
  readonly text: string;
  /** Text that must precede it for the rule to apply. */
  readonly before?: string;
  readonly after?: string;
}

/** Samples of every rule. Made of pieces, so that scanners of repositories do not take them for live keys. */
export interface Samples {
  readonly found: readonly Sample[];
  readonly ignored: readonly Sample[];
}
