import type { Place } from '../../place/place.ts';
import { policyOfPlace } from '../../place/planner.ts';
import type { TrustGate } from '../../place/shown-files.ts';
import { decide } from '../../policy/decide.ts';
import { trustAnswer } from '../decide/trust-status.ts';
import { discover } from '../discover/discover.ts';
import { readTrust } from '../store/read-trust.ts';
import type { FoundFile, TrustEntry } from '../types.ts';
import { shownFiles, type WithheldIn } from './shown-files.ts';

/**
 * Opens the gate of a policy with rules about trust. Files that they allow are approved with their content at the
 * session's start. Files that they deny stay withheld despite any approval. Has its own bundle, because it searches the
 * whole workspace.
 */
export async function openRuledGate(place: Place, withheld: WithheldIn): Promise<TrustGate> {
  const policy = policyOfPlace(place);
  const { root } = withheld;
  const { files } = await discover(root);
  const byRule = files
    .filter((found) => trustAnswer(policy, root, { path: found.path, state: 'new', found }).kind === 'approved')
    .map(entryOf);
  const isDenied = ({ path, sha256 }: TrustEntry): boolean =>
    decide(policy, { kind: 'trust', path: `${root}/${path}`, sha256 }).decision === 'deny';
  return {
    shown: () =>
      shownFiles([...readTrust(place.paths, root).entries.filter((entry) => !isDenied(entry)), ...byRule], withheld),
  };
}

function entryOf({ path, sha256, surface, fields, scripts }: FoundFile): TrustEntry {
  return {
    path,
    sha256,
    surface: surface.name,
    level: 'session',
    approvedAt: new Date().toISOString(),
    fields,
    scripts,
  };
}
