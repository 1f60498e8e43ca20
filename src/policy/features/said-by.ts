import type { DocumentFinding } from '../document/problem.ts';
import type { LayerKind } from '../verdict.ts';

interface Saying {
  /** Where it stands. */
  readonly at: string;
  /** What others than those cannot do, in words. */
  readonly cannot: string;
  readonly remedy?: string;
}

/**
 * What only those may say who answer for the machine: `said` is anything else than undefined where someone says it.
 */
export function usersOnly(
  said: unknown,
  layer: LayerKind,
  { at, cannot, remedy = `move ${at} to the user policy` }: Saying,
): readonly DocumentFinding[] {
  if (said === undefined || layer === 'user' || layer === 'managed') return [];
  return [{ at, message: `a ${layer} policy cannot ${cannot}`, remedy }];
}

/** What a project has no word in: its policy comes with the repository. */
export function notOfProjects(
  said: unknown,
  layer: LayerKind,
  { at, cannot, remedy = `move ${at} to the user policy` }: Saying,
): readonly DocumentFinding[] {
  return said === undefined || layer !== 'project'
    ? []
    : [{ at, message: `a project policy cannot ${cannot}`, remedy }];
}
