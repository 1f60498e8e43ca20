import type { Origin } from '../origin.ts';

/** One problem of a policy. All problems are reported at once. */
export interface Problem {
  readonly code: 'HF_POLICY_INVALID' | 'HF_POLICY_TOO_LARGE';
  readonly file: string;
  /** Line number from 1; 0 if it concerns the whole file. */
  readonly line: number;
  readonly message: string;
  readonly remedy: string;
}

/** Returns a problem at a statement of a policy. */
export function problemAt({ file, line }: Pick<Origin, 'file' | 'line'>, message: string, remedy: string): Problem {
  return { code: 'HF_POLICY_INVALID', file, line, message, remedy };
}

/** A problem whose file and line are not known yet. Its position in the document is a path. */
export interface DocumentFinding {
  readonly at: string;
  readonly message: string;
  readonly remedy: string;
}
