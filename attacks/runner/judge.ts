import { guarantees } from '../../src/plan/types.ts';

/** The observations of one staged performance of an attack. */
export interface Performance {
  /** Whether each box's script started. A box that Holdfast refused to build did not run it. */
  readonly runs: readonly RunEnding[];
  readonly verified: 'attack succeeded' | 'attack failed';
  /**
   * For an attack with rows: the successful rows, and the untried rows. For scenarios, also the rows with an effect
   * outside the box.
   */
  readonly rows: {
    readonly succeeded: readonly string[];
    readonly untried: readonly string[];
    readonly grant: 'used' | 'broken' | 'none';
    readonly reached?: readonly string[];
  };
  /** Forbidden remains: processes, mounts, control groups, files. */
  readonly residue: readonly string[];
  /** Last lines of the scripts' output. */
  readonly log: string;
}

/** The row that is no attack. It has to work in the box as well, or the failure of an attack proves nothing. */
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
  /** The backend cannot enforce this box, and named the missing guarantee. It started nothing. */
  | { readonly kind: 'refused'; readonly missing: readonly string[]; readonly message: string }
  /** It succeeds in the box, and that is known. */
  | { readonly kind: 'open'; readonly gap: string };

/**
 * An attack counts as blocked only if it was tried in the box, did not succeed, and left nothing. The second box of a
 * two-run attack may also be refused, because Holdfast noticed the first run's changes.
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
 * The runner reports an attack that is known to succeed, and fails as soon as it no longer succeeds. Any other failure
 * of it, such as a box that did not start, stays a failure.
 */
export function judgeOpen(outcome: Outcome, gap: string): Outcome {
  if (outcome.kind === 'passed')
    return { kind: 'failed', reasons: ['it is blocked now: say so with expect = blocked'] };
  return outcome.kind === 'failed' && outcome.reasons[0] === succeeded ? { kind: 'open', gap } : outcome;
}

/**
 * An untried attack, because the backend names a missing guarantee. A refusal without a name stays a failure, and so
 * does a refusal after which the attack succeeded or left something.
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

/** Holdfast's own last lines: the message and its remedy. A caller's script and `verify.sh` write to the same log. */
function refusalLine(log: string): string {
  const own = log.split('\n').filter((line) => line.startsWith('holdfast: '));
  return own.length === 0 ? lastLine(log) : own.slice(-2).join(' ');
}

function describeEnding(run: RunEnding, index: number, log: string): readonly string[] {
  switch (run.kind) {
    case 'ran':
      return [];
    case 'refused':
      return index > 0 ? [] : [`Holdfast refused to start the box: ${refusalLine(log)}`];
    case 'never began':
      return [`the attack never began in the box (exit ${run.exitCode}): ${lastLine(log)}`];
    case 'timed out':
      return ['the box did not end in time'];
  }
}

/** The reason why a control proves nothing, or undefined if the attack works here without Holdfast. */
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
