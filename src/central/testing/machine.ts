import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readEvents } from '../../audit/index.ts';
import { scratchDirectory } from '../../place/testing/scratch.ts';
import { type CentralPaths, centralPaths } from '../store.ts';
import type { Offer } from '../check-offer.ts';
import { type CentralMachine, type InForce, takeBundle } from '../take-bundle.ts';
import { day, issuedAt } from './bundles.ts';

export interface Fleet {
  readonly machine: CentralMachine;
  readonly paths: CentralPaths;
  take(bytes: Uint8Array, more?: Partial<Offer>): InForce;
  /** The central events of the journal, in short. */
  events(): readonly string[];
}

/** A machine in a separate directory, a day after the issue of the tests' bundles. */
export function fleetMachine(more: Partial<CentralMachine> = {}): Fleet {
  const root = scratchDirectory();
  mkdirSync(join(root, 'etc'));
  const paths = centralPaths(join(root, 'etc/holdfast/policy.toml'));
  const journal = join(root, 'state/journal.jsonl');
  const machine = { paths, journal, now: () => issuedAt + day, check: () => undefined, ...more };
  return {
    machine,
    paths,
    take: (bytes, offer = {}) =>
      takeBundle(machine, { bytes, source: 'https://policy.example.com/team.bundle', foreign: 'keep', ...offer }),
    events: () =>
      readEvents(journal).flatMap((event) => {
        if (event.type === 'bundle.enforced') return [`${event.action} ${event.serial}`];
        return event.type === 'bundle.refused' ? [`refused: ${event.reason}`] : [];
      }),
  };
}
