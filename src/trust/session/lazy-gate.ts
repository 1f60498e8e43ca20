import { existsSync } from 'node:fs';
import type { Place } from '../../place/place.ts';
import type { PlacePlan } from '../../place/place-plan.ts';
import { trustRecords } from './trust-gate.ts';
import { nothingShown, type TrustGate } from '../../place/shown-files.ts';

/** Loads what reads records when there is one: most workspaces have none. */
export interface LazyGate extends TrustGate {
  /** To be called when something may have been approved that was not when the session began. */
  load(): Promise<void>;
}

/** `commands`: whether something may be approved between them. */
export async function lazyGate(
  place: Place,
  { withheld, trust }: Pick<PlacePlan, 'withheld' | 'trust'>,
  commands: 'one' | 'many',
): Promise<LazyGate> {
  const { root } = place.workspace;
  let gate: TrustGate = { shown: () => nothingShown };
  const load = async (): Promise<void> => {
    const names = { root, names: withheld };
    gate =
      trust === 'ruled'
        ? await (await import('./ruled-gate.ts')).openRuledGate(place, names)
        : (await import('./trust-gate.ts')).openTrustGate(place.paths, names);
  };
  if (commands === 'many' || trust === 'ruled' || trustRecords(place.paths, root).some((file) => existsSync(file)))
    await load();
  return { load, shown: () => gate.shown() };
}
