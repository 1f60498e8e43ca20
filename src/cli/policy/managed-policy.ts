import { hash } from 'node:crypto';
import { refusedBundle } from '../../central/types.ts';
import { isHoldfastError } from '../../errors/index.ts';
import { type Place, readPlace } from '../../place/place.ts';
import { policyOfPlace } from '../../place/planner.ts';
import type { PolicyText } from '../../place/policy-texts.ts';
import { networkPlan } from '../../policy/settings/network-plan.ts';
import { withEmptyWorkspace } from '../../sandbox/doctor/empty-workspace.ts';
import type { CommandIo } from '../command.ts';

/** Gives a place without a project: an administrator's timer runs anywhere, even in `/`. */
export function withManagedPlace<T>({ environment }: CommandIo, work: (place: Place) => Promise<T>): Promise<T> {
  return withEmptyWorkspace((workspace) => work(readPlace({ cwd: workspace, workspace, environment })));
}

/** Throws `HF_BUNDLE_REFUSED` with every problem of a text that would be the managed policy. */
export function checkManaged(place: Place, { file, text }: Pick<PolicyText, 'file' | 'text'>): void {
  try {
    policyOfPlace({ ...place, sources: [{ kind: 'managed', file, text }] });
  } catch (cause) {
    if (!isHoldfastError(cause) || !cause.code.startsWith('HF_POLICY')) throw cause;
    throw refusedBundle(
      `no box could start under the policy:\n${cause.message}`,
      'correct it, and sign it again; the policy in force is unchanged',
      cause,
    );
  }
}

/** Files of authorities in the policy in force. Empty if a newer bundle must replace a broken policy. */
export function authoritiesInForce(place: Place): readonly string[] {
  try {
    const network = networkPlan(policyOfPlace(place));
    return network.kind === 'open' ? network.authorities : [];
  } catch (error) {
    if (isHoldfastError(error) && error.code.startsWith('HF_POLICY')) return [];
    throw error;
  }
}

/** The digest that `sha256sum` prints for the file. */
export function digestOfPolicy(text: string): string {
  return hash('sha256', text);
}
