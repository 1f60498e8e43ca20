import type { Artifact, CollectedArtifacts, LeftOutArtifact } from './artifacts.ts';
import type { Quarantined } from '../aftermath/quarantine/quarantine.ts';
import type { Refusal } from '../place/refusals/refusal.ts';
import type { TextFinding } from '../text/index.ts';

/** A value in one form. */
export interface CodeFormat {
  /** Type of a picture by its bytes. */
  readonly mimeType: string;
  readonly data: Buffer;
}

/**
 * A value that the code returned or displayed, in all of its forms: as in Jupyter's `_repr_html_`, `_repr_mimebundle_`
 * and the like, or `Symbol.for('Jupyter.display')`.
 */
export interface CodeResult {
  /** `value`: of the last expression. `display`: by `display(…)`, or a plot left open. */
  readonly kind: 'value' | 'display';
  readonly formats: readonly CodeFormat[];
  /** Its `text/plain`, if it has that. */
  readonly text?: string;
  /** Its `application/json`, parsed. */
  readonly json?: unknown;
}

/** An exception of the code. */
export interface CodeError {
  readonly name: string;
  readonly message: string;
  /** The language's own traceback, without frames of Holdfast. */
  readonly traceback: string;
}

/**
 * `completed`: the code ran to its end, or threw. `exited`: the interpreter ended meanwhile, by the code, by a memory
 * limit, or by a signal.
 */
export type CodeEnding = 'completed' | 'exited' | 'timed-out' | 'aborted';

export interface CodeExecution {
  /** Displayed values in order, with the final value last. */
  readonly results: readonly CodeResult[];
  /** Number of forms of results that were too large. */
  readonly resultsLeftOut: number;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** Bytes beyond `maxOutputBytes`, which were read and dropped. 0 if the output is complete. */
  readonly truncated: { readonly stdout: number; readonly stderr: number };
  /** Undefined if the code threw nothing. */
  readonly error?: CodeError;
  readonly ending: CodeEnding;
  /** Exit code of a shell's last command, or of an ended interpreter: 0 to 255. */
  readonly exitCode?: number;
  /** Number of the signal that ended the interpreter. */
  readonly signal?: number;
  /** Files made or changed during the run that match `artifacts`. */
  readonly artifacts: readonly Artifact[];
  readonly artifactsLeftOut: readonly LeftOutArtifact[];
  /**
   * Not `whole` if more files may have changed: `limit` after 2,000 files of one pattern, `entries` in a tree that is
   * too large.
   */
  readonly artifactsSearched: CollectedArtifacts['searched'];
  /** Refusals by the policy, as far as output and error tell. Complete once the interpreter has ended. */
  readonly refusals: readonly Refusal[];
  /** Protected files that were made and moved away. Known once the interpreter has ended. */
  readonly quarantined: readonly Quarantined[];
  /** Characters made visible or left out, if `show` was given. */
  readonly findings: readonly TextFinding[];
}
