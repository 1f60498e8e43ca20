import { demandsOf, everyBox, networkPlan, type Policy } from '../policy/index.ts';
import type { Guarantee, Plan } from './types.ts';

/**
 * What boxes of a policy demand of their backend. `partial`: a person has named it, so what every box holds may have gaps. What somebody
 * has written that they require is held in the kernel whoever builds the box, and so is the network.
 */
export function planDemands(policy: Policy, always: 'kernel' | 'partial' = 'kernel'): Pick<Plan, 'requires' | 'expects'> {
  const network: Guarantee = networkPlan(policy).kind === 'closed' ? 'net.closed' : 'net.names';
  const demanded = [network, ...demandsOf(policy).map(({ value }) => value)];
  if (always === 'kernel') return { requires: [...new Set([...everyBox, ...demanded])] };
  const requires = [...new Set(demanded)];
  return { requires, expects: everyBox.filter((guarantee) => !requires.includes(guarantee)) };
}
