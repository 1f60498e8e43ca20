/** One thing that is wrong with a policy. All of them are reported at once. */
export interface Problem {
  readonly code: 'HF_POLICY_INVALID' | 'HF_POLICY_TOO_LARGE';
  readonly file: string;
  /** 1-based; 0 when it concerns the whole file. */
  readonly line: number;
  readonly message: string;
  readonly remedy: string;
}

/** A problem before the file and line are known: where in the document it is, by path. */
export interface Finding {
  readonly at: string;
  readonly message: string;
  readonly remedy: string;
}
