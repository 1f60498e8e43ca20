/** A set of patterns that stands for one value, as a list or a rule of a policy gives it. Earlier clauses are tried first. */
export interface Clause<Matcher, Value> {
  readonly matcher: Matcher;
  readonly value: Value;
  /** What the value does with a match: only what refuses may stretch its patterns. */
  readonly effect: Effect;
}

export type Effect = 'allows' | 'restricts';

/** Finds what the first matching clause stands for. */
export type Finder<View, Value> = (view: View) => Value | undefined;
