import type { DocumentFinding } from '../document/problem.ts';
import type { LayerKind } from '../verdict.ts';

interface Saying {
  /** Path in the document. */
  readonly at: string;
  /** The action that other layers may not take, in words. */
  readonly cannot: string;
  readonly remedy?: string;
}

/**
 * Refuses a statement outside of the user's and the machine's policy. `said` is undefined if the document says nothing.
 */
export function usersOnly(
  said: unknown,
  layer: LayerKind,
  { at, cannot, remedy = `move ${at} to the user policy` }: Saying,
): readonly DocumentFinding[] {
  if (said === undefined || layer === 'user' || layer === 'managed') return [];
  return [{ at, message: `a ${layer} policy cannot ${cannot}`, remedy }];
}

/** Refuses a statement in a project's policy, which comes with the repository. */
export function notOfProjects(
  said: unknown,
  layer: LayerKind,
  { at, cannot, remedy = `move ${at} to the user policy` }: Saying,
): readonly DocumentFinding[] {
  return said === undefined || layer !== 'project'
    ? []
    : [{ at, message: `a project policy cannot ${cannot}`, remedy }];
}
