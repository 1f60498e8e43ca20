import type { Artifact, CollectedArtifacts, LeftOutArtifact } from './artifacts.ts';
import type { Quarantined } from '../aftermath/quarantine/quarantine.ts';
import type { Refusal } from '../place/refusals/refusal.ts';
import type { TextFinding } from '../text/index.ts';

/** A value in one form. */
export interface CodeFormat {
  /** Type of the data. The type of a picture is determined by its bytes. */
  readonly mimeType: string;
  readonly data: Buffer;
}

/**
 * A value that the code returned or displayed, in all of its forms. The code provides forms through Jupyter's
 * `_repr_html_`, `_repr_mimebundle_` and the like, or `Symbol.for('Jupyter.display')`.
 */
export interface CodeResult {
  /** `value`: the value of the last expression. `display`: shown by `display(…)`, or a plot that was left open. */
  readonly kind: 'value' | 'display';
  readonly formats: readonly CodeFormat[];
  /** Its `text/plain` form, if it has one. */
  readonly text?: string;
  /** Its `application/json` form, parsed. */
  readonly json?: unknown;
}

/** An exception that the code threw. */
export interface CodeError {
  readonly name: string;
  readonly message: string;
  /** The language's own traceback, without Holdfast's frames. */
  readonly traceback: string;
}

/**
 * `completed`: the code ran to its end, or threw. `exited`: the interpreter ended during the run, because of the code,
 * a memory limit, or a signal.
 */
export type CodeEnding = 'completed' | 'exited' | 'timed-out' | 'aborted';

export interface CodeExecution {
  /** Displayed values in order. The final value is last. */
  readonly results: readonly CodeResult[];
  /** Number of forms that were too large and left out of the results. */
  readonly resultsLeftOut: number;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** Bytes beyond `maxOutputBytes`, which were read but dropped. 0 if the output is complete. */
  readonly truncated: { readonly stdout: number; readonly stderr: number };
  /** Undefined if the code did not throw. */
  readonly error?: CodeError;
  readonly ending: CodeEnding;
  /** Exit code of a shell's last command, or of an ended interpreter: 0 to 255. */
  readonly exitCode?: number;
  /** Number of the signal that ended the interpreter. */
  readonly signal?: number;
  /** Files that match `artifacts` and were created or changed during the run. */
  readonly artifacts: readonly Artifact[];
  readonly artifactsLeftOut: readonly LeftOutArtifact[];
  /**
   * Not `whole` if more files may have changed: `limit` after 2,000 files of one pattern, `entries` in a tree that is
   * too large.
   */
  readonly artifactsSearched: CollectedArtifacts['searched'];
  /**
   * Refusals by the policy, as far as the output and the error reveal them. Complete once the interpreter has ended.
   */
  readonly refusals: readonly Refusal[];
  /** Protected files that were created and moved to quarantine. Known once the interpreter has ended. */
  readonly quarantined: readonly Quarantined[];
  /** Characters that were made visible or removed, if `show` was set. */
  readonly findings: readonly TextFinding[];
}
