import { guarantees } from '../../src/plan/types.ts';

/** What one staged performance of an attack showed. */
export interface Performance {
  /** Whether each box's script began: a box that Holdfast refused to build did not run it. */
  readonly runs: readonly RunEnding[];
  readonly verified: 'attack succeeded' | 'attack failed';
  /**
   * Of an attack with rows: those that succeeded, those that were not even tried, and in scenarios those that had an
   * effect outside of the box.
   */
  readonly rows: {
    readonly succeeded: readonly string[];
    readonly untried: readonly string[];
    readonly grant: 'used' | 'broken' | 'none';
    readonly reached?: readonly string[];
  };
  /** What was there afterwards and must not be: processes, mounts, control groups, files. */
  readonly residue: readonly string[];
  /** Last lines of what the scripts printed. */
  readonly log: string;
}

/** The row that is no attack: it has to work in the box as well, or an attack that failed shows nothing. */
export const grantedRow = 'granted';

export type RunEnding =
  | { readonly kind: 'ran' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'never began'; readonly exitCode: number }
  | { readonly kind: 'timed out' };

export type Outcome =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly reasons: readonly string[] }
  | { readonly kind: 'skipped'; readonly reason: string }
  /** The backend said that it cannot enforce this box, and which guarantee is missing: nothing was started. */
  | { readonly kind: 'refused'; readonly missing: readonly string[]; readonly message: string }
  /** It succeeds in the box, and that is known. */
  | { readonly kind: 'open'; readonly gap: string };

/**
 * An attack counts as blocked only if it has really been tried in the box, did not succeed, and left nothing. The
 * second box of a two-run attack may also be refused: what the first run prepared was noticed.
 */
export function judgeProtected({ runs, verified, rows, residue, log }: Performance): Outcome {
  const attacks = rows.succeeded.filter((row) => row !== grantedRow);
  const reasons = [
    ...runs.flatMap((run, index) => describeEnding(run, index, log)),
    ...(verified === 'attack succeeded' || attacks.length > 0 ? [succeeded] : []),
    ...attacks.map((row) => `this row of it: ${row}`),
    ...(rows.grant === 'broken' ? [`what the policy allows did not work either: ${lastLine(log)}`] : []),
    ...rows.untried.map((row) => `its row ${row} was not tried: ${lastLine(log)}`),
    ...residue.map((item) => `left behind: ${item}`),
  ];
  return reasons.length === 0 ? { kind: 'passed' } : { kind: 'failed', reasons };
}

const succeeded = 'the attack succeeded inside the box';

/**
 * An attack that is known to succeed is reported loudly, and fails the run as soon as it no longer does. Any other
 * failure of it, such as a box that did not start, stays one.
 */
export function judgeOpen(outcome: Outcome, gap: string): Outcome {
  if (outcome.kind === 'passed')
    return { kind: 'failed', reasons: ['it is blocked now: say so with expect = blocked'] };
  return outcome.kind === 'failed' && outcome.reasons[0] === succeeded ? { kind: 'open', gap } : outcome;
}

/**
 * An attack that was never tried, because the backend names a guarantee that it lacks. A refusal that names none stays
 * a failure, and so does one after which the attack succeeded or something was left.
 */
export function judgeRefusing(performance: Performance): Outcome {
  const outcome = judgeProtected(performance);
  const { runs, verified, rows, residue, log } = performance;
  const isUntouched =
    verified === 'attack failed' &&
    rows.succeeded.length === 0 &&
    residue.length === 0 &&
    runs[0]?.kind !== 'timed out';
  const message = refusalIn(log);
  if (outcome.kind !== 'failed' || !isUntouched || message === undefined) return outcome;
  const words = message.split(/[\s,;:()]+/u);
  const missing = guarantees.filter((guarantee) => words.includes(guarantee));
  return missing.length === 0 ? outcome : { kind: 'refused', missing, message };
}

function refusalIn(log: string): string | undefined {
  return /^holdfast: (.*)\nholdfast: to fix it: .* \[HF_GUARANTEE_MISSING\]$/mu.exec(log)?.[1];
}

function describeEnding(run: RunEnding, index: number, log: string): readonly string[] {
  switch (run.kind) {
    case 'ran':
      return [];
    case 'refused':
      return index > 0 ? [] : [`Holdfast refused to start the box: ${lastLine(log)}`];
    case 'never began':
      return [`the attack never began in the box (exit ${run.exitCode}): ${lastLine(log)}`];
    case 'timed out':
      return ['the box did not end in time'];
  }
}

/** Why a control says nothing, or undefined when the attack works here without Holdfast. */
export function controlProblem(
  { runs, verified, rows, log }: Performance,
  expected: readonly string[] = [],
): string | undefined {
  if (runs.some((run) => run.kind === 'timed out')) return 'the control did not end in time';
  const missing = expected.filter((row) => !rows.succeeded.includes(row));
  if (missing.length > 0)
    return `the control could not succeed here in these rows: ${missing.join(', ')}: ${lastLine(log) || 'no message'}`;
  return expected.length > 0 || verified === 'attack succeeded'
    ? undefined
    : `the control could not succeed here: ${lastLine(log) || 'no message'}`;
}

export function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.trim() ?? '';
}
