import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readTrust } from '../store/read-trust.ts';
import { recordDirectory, recordName, type TrustPaths } from '../store/layout.ts';
import { shownFiles, type WithheldIn } from './shown-files.ts';
import { nothingShown, type TrustGate } from '../../place/shown-files.ts';

/** Opens the gate. Its `shown` throws `HF_TRUST_INVALID` for a record that cannot be trusted. */
export function openTrustGate(paths: TrustPaths, withheld: WithheldIn): TrustGate {
  return {
    shown: () =>
      trustRecords(paths, withheld.root).every((file) => statSync(file, { throwIfNoEntry: false }) === undefined)
        ? nothingShown
        : shownFiles(readTrust(paths, withheld.root).entries, withheld),
  };
}

/**
 * Returns the current records of a workspace, if it has any. Computes no hash of the name if no workspace has a record,
 * because that would load OpenSSL for 4 ms.
 */
export function trustRecords(paths: TrustPaths, workspace: string): readonly string[] {
  return (['session', 'always'] as const)
    .map((level) => recordDirectory(paths, level))
    .filter((directory) => existsSync(directory))
    .map((directory) => join(directory, recordName(workspace)));
}
