import type { Artifact, CollectedArtifacts, LeftOutArtifact } from './artifacts.ts';
import type { Quarantined } from '../aftermath/quarantine/quarantine.ts';
import type { Refusal } from '../place/refusals/refusal.ts';
import type { TextFinding } from '../text/index.ts';

/** A value in one of its forms. */
export interface CodeFormat {
  /** Of a picture, what its bytes say. */
  readonly mimeType: string;
  readonly data: Buffer;
}

/**
 * A value that the code returned or displayed, in all of its forms: as in Jupyter's `_repr_html_`, `_repr_mimebundle_`
 * and the like, or `Symbol.for('Jupyter.display')`.
 */
export interface CodeResult {
  /** `value`: of the last expression. `display`: by `display(…)`, or a plot that was left open. */
  readonly kind: 'value' | 'display';
  readonly formats: readonly CodeFormat[];
  /** Its `text/plain`, where it has that. */
  readonly text?: string;
  /** Its `application/json`, parsed. */
  readonly json?: unknown;
}

/** What the code threw. */
export interface CodeError {
  readonly name: string;
  readonly message: string;
  /** As the language writes it, without frames of Holdfast. */
  readonly traceback: string;
}

/**
 * `completed`: all of it ran, or it threw. `exited`: the interpreter ended meanwhile, by the code, by a limit on
 * memory, or by a signal.
 */
export type CodeEnding = 'completed' | 'exited' | 'timed-out' | 'aborted';

export interface CodeExecution {
  /** In the order in which they were shown; the value last. */
  readonly results: readonly CodeResult[];
  /** Forms of results that were too large. */
  readonly resultsLeftOut: number;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** Bytes beyond `maxOutputBytes` that were read and dropped; 0 when all of it is there. */
  readonly truncated: { readonly stdout: number; readonly stderr: number };
  /** Absent where nothing was thrown. */
  readonly error?: CodeError;
  readonly ending: CodeEnding;
  /** Of the last command of a shell, or of an interpreter that has ended: 0 to 255. */
  readonly exitCode?: number;
  /** Number of the signal that ended the interpreter. */
  readonly signal?: number;
  /** Files that `artifacts` means and that were made or changed meanwhile. */
  readonly artifacts: readonly Artifact[];
  readonly artifactsLeftOut: readonly LeftOutArtifact[];
  /**
   * Other than `whole` where more files may have changed: `limit` after 2,000 files of one pattern, `entries` in a tree
   * that is too large.
   */
  readonly artifactsSearched: CollectedArtifacts['searched'];
  /** What the policy refused, as far as the output and the error tell; when the interpreter has ended, all of it. */
  readonly refusals: readonly Refusal[];
  /** Protected files that were made and moved away: known when the interpreter has ended. */
  readonly quarantined: readonly Quarantined[];
  /** With `show`: what was made visible, or left out. */
  readonly findings: readonly TextFinding[];
}
