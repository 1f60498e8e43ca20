/** Where something stands in a text: UTF-16 code units, `end` is the first one behind it. */
export interface MatchSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * Characters that a find has for certain: for each place all that may stand there, in ASCII. `['A', 'K', 'I', 'A']`. At
 * least three places.
 */
export type RuleLead = readonly string[];

/** One thing that is looked for. Data and pure functions; a rule keeps nothing between texts. */
export interface SecretRule {
  /** As policies and reports name it: `github-token`. */
  readonly name: string;
  readonly leads: readonly RuleLead[];
  /**
   * What is found where a lead stands at `at`; the lead may be its middle. Reads no more than some thousand characters
   * around it, and what it reads of them for one lead it hardly reads for another one, so that a text full of leads
   * costs no more than its length.
   */
  readonly match: (text: string, at: number) => MatchSpan | undefined;
  /** Published descriptions of the form, or collections that have it. */
  readonly sources: readonly string[];
}

/** A text of which a rule finds exactly `text`, or nothing. */
export interface Sample {
  readonly why: string;
  readonly text: string;
  /** What must stand before it for the rule to look at it. */
  readonly before?: string;
  readonly after?: string;
}

/** Beside every rule. Made of pieces, so that scanners of repositories do not take them for live keys. */
export interface Samples {
  readonly found: readonly Sample[];
  readonly ignored: readonly Sample[];
}
