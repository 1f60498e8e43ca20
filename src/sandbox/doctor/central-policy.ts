import { homedir } from 'node:os';
import { centralStanding, standingFaults } from '../../central/standing.ts';
import { centralPaths } from '../../central/store.ts';
import type { KnownBundle } from '../../central/types.ts';
import { isHoldfastError } from '../../errors/index.ts';
import { statePaths } from '../../place/host/state-paths.ts';

/** The central policy of this machine. An expired one stays in force, so doctor says that it expired. */
export type CentralCheck =
  | { readonly kind: 'none' }
  | ({ readonly kind: 'bundle'; readonly name: string; readonly faults: readonly string[] } & KnownBundle)
  | { readonly kind: 'unknown'; readonly reason: string; readonly remedy: string };

export async function lookAtCentral(environment: Readonly<Record<string, string | undefined>>): Promise<CentralCheck> {
  const paths = centralPaths(statePaths(homedir(), environment).managedPolicy);
  try {
    const standing = centralStanding(paths, Date.now());
    if (standing.kind === 'none') return standing;
    const { record, current } = standing;
    return { kind: 'bundle', name: record.pin.name, ...current, faults: standingFaults(standing, paths) };
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    return { kind: 'unknown', reason: error.message, remedy: error.remedy };
  }
}

export function describeCentral(check: CentralCheck): readonly string[] {
  switch (check.kind) {
    case 'none':
      return [];
    case 'bundle':
      return [
        `central policy ${check.name} ${check.serial} of ${check.source}, until ${check.expires}`,
        ...check.faults,
      ];
    case 'unknown':
      return [`central policy: UNKNOWN: ${check.reason}; ${check.remedy}`];
  }
}
