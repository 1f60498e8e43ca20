import type { Policy } from '../policy/index.ts';
import { policyOfPlace } from './planner.ts';
import type { PolicyOfPlace } from './why.ts';

/**
 * Makes policies, and keeps the last few in this process for places that are the same in every byte: the texts of all policy files, as they
 * were just read, the grants, the workspace and the host. A policy is a function of those, so a changed file is another place.
 */
export function policyMemory(most = 16): PolicyOfPlace {
  const known = new Map<string, Policy>();
  return (place) => {
    const key = JSON.stringify(place);
    const policy = known.get(key) ?? policyOfPlace(place);
    known.delete(key);
    known.set(key, policy);
    for (const oldest of known.keys()) if (known.size > most) known.delete(oldest);
    return policy;
  };
}
