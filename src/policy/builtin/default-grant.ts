/** A path that the base grants, and why a box needs it. */
export interface DefaultGrant {
  readonly pattern: string;
  readonly reason: string;
}

export function defaultGrants(reason: string, patterns: readonly string[]): readonly DefaultGrant[] {
  return patterns.map((pattern) => ({ pattern, reason }));
}
