import type { Origin } from '../origin.ts';

/** One thing that is wrong with a policy. All of them are reported at once. */
export interface Problem {
  readonly code: 'HF_POLICY_INVALID' | 'HF_POLICY_TOO_LARGE';
  readonly file: string;
  /** 1-based; 0 when it concerns the whole file. */
  readonly line: number;
  readonly message: string;
  readonly remedy: string;
}

/** A problem with something that a policy says. */
export function problemAt({ file, line }: Pick<Origin, 'file' | 'line'>, message: string, remedy: string): Problem {
  return { code: 'HF_POLICY_INVALID', file, line, message, remedy };
}

/** A problem before the file and line are known: where in the document it is, by path. */
export interface DocumentFinding {
  readonly at: string;
  readonly message: string;
  readonly remedy: string;
}
