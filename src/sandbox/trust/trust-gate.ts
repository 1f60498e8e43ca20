import { statSync } from 'node:fs';
import { readTrust } from '../../trust/store/read-trust.ts';
import type { TrustPaths } from '../../trust/store/layout.ts';
import { shownFiles, type WithheldIn } from './shown-files.ts';
import { trustRecords } from './trust-records.ts';
import { nothingShown, type TrustGate } from './types.ts';

/** Its `shown` throws `HF_TRUST_INVALID` for a record that cannot be relied upon. */
export function openTrustGate(paths: TrustPaths, withheld: WithheldIn): TrustGate {
  return {
    shown: () => (trustRecords(paths, withheld.root).every((file) => statSync(file, { throwIfNoEntry: false }) === undefined) ? nothingShown : shownFiles(readTrust(paths, withheld.root).entries, withheld)),
  };
}
