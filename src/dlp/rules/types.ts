/** Position in a text, in UTF-16 code units. `end` is exclusive. */
export interface MatchSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * Characters that every match contains: for each position, all possible characters, in ASCII. `['A', 'K', 'I', 'A']`.
 * At least three positions.
 */
export type RuleLead = readonly string[];

/** One search rule: data and pure functions. It keeps no state between texts. */
export interface SecretRule {
  /** Name in policies and reports: `github-token`. */
  readonly name: string;
  readonly leads: readonly RuleLead[];
  /**
   * Returns the match for a lead at `at`, which may be in the middle of the match. Reads at most a few thousand
   * characters around the lead. Hardly any character is read for two leads, so a text full of leads still takes time
   * linear in its length.
   */
  readonly match: (text: string, at: number) => MatchSpan | undefined;
  /** Published descriptions of the format, or collections that contain it. */
  readonly sources: readonly string[];
}

/** A text in which a rule must find exactly `text`, or nothing. */
export interface Sample {
  readonly why: string;
  readonly text: string;
  /** Text that must precede the sample for the rule to apply. */
  readonly before?: string;
  readonly after?: string;
}

/**
 * Samples for every rule. They are built from pieces, so that scanners of repositories do not take them for live keys.
 */
export interface Samples {
  readonly found: readonly Sample[];
  readonly ignored: readonly Sample[];
}
