import type { Session } from '../session.ts';
import { withheldAtRoot } from './withheld-at-root.ts';

/** Files that boxes of a session would not have now, as far as a quick look tells: relative to the workspace. */
export interface WithheldNow {
  readonly path: string;
  /** `changed`: it was approved once, as something else. */
  readonly state: 'new' | 'changed';
}

export function withheldNow({ place, plan, gate }: Pick<Session, 'place' | 'plan' | 'gate'>): readonly WithheldNow[] {
  const { root } = place.workspace;
  const { approved, stale } = gate.shown();
  const fresh = withheldAtRoot(root, plan.withheld).filter((path) => !approved.includes(`${root}/${path}`) && !stale.some((each) => each === path || each.startsWith(`${path}/`)));
  return [...fresh.map((path): WithheldNow => ({ path, state: 'new' })), ...stale.map((path): WithheldNow => ({ path, state: 'changed' }))];
}
