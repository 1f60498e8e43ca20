import { tryExamples } from './examples.ts';
import type { Finding } from './problem.ts';
import type { PolicyValue } from './types.ts';

/** Examples that do not come out as written: each rule carries its own tests. */
export function exampleFindings(value: PolicyValue): readonly Finding[] {
  return tryExamples(value).flatMap(({ at, outcome }) => (outcome.kind === 'failed' ? [{ at, message: outcome.message, remedy: outcome.remedy }] : []));
}
