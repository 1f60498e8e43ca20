/** Why a text is not a pattern, and what to write instead. */
export interface PatternProblem {
  readonly kind: 'problem';
  readonly message: string;
  readonly remedy: string;
}

export function patternProblem(message: string, remedy: string): PatternProblem {
  return { kind: 'problem', message, remedy };
}
