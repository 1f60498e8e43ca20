import type { Result } from './perform.ts';

/** One line for each result, and one more for each reason. */
export function resultLines({ name, backend, user, outcome }: Result): string {
  const subject = `${name}  (${backend}, ${user})`;
  switch (outcome.kind) {
    case 'passed':
      return `blocked  ${subject}`;
    case 'skipped':
      return `SKIPPED  ${subject}: ${outcome.reason}`;
    case 'refused':
      return `REFUSED  ${subject}: without ${outcome.missing.join(', ')}: ${outcome.message}`;
    case 'open':
      return `OPEN     ${subject}: it succeeds in the box, which is known: ${outcome.gap}`;
    case 'failed':
      return [`FAILED   ${subject}`, ...outcome.reasons.map((reason) => `         ${reason}`)].join('\n');
  }
}

export interface Totals {
  readonly passed: number;
  readonly failed: number;
  /** Neither blocked nor failed: untestable here, or known to succeed. */
  readonly skipped: number;
  /** Never tried, because the backend reports that it cannot enforce the box. */
  readonly refused: number;
}

export function totalsOf(results: readonly Result[]): Totals {
  const count = (kind: Result['outcome']['kind']): number =>
    results.filter(({ outcome }) => outcome.kind === kind).length;
  return {
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped') + count('open'),
    refused: count('refused'),
  };
}

export function totalsLine({ passed, failed, skipped, refused }: Totals): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped, ${refused} refused`;
}
