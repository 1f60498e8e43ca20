import { existsSync } from 'node:fs';
import type { Place } from '../../place/place.ts';
import type { PlacePlan } from '../../place/place-plan.ts';
import { trustRecords } from './trust-gate.ts';
import { nothingShown, type TrustGate } from '../../place/shown-files.ts';

/** Loads the reader of records only if there is one: most workspaces have none. */
export interface LazyGate extends TrustGate {
  /** Call when a file may have been approved since the session began. */
  load(): Promise<void>;
}

/** `commands`: whether files may be approved between commands. */
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
