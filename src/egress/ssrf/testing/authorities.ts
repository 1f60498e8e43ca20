import type { Verdict } from '../../../policy/verdict.ts';
import type { Authority } from '../../types.ts';

export function verdictOf(decision: Verdict['decision'], more: Partial<Verdict> = {}): Verdict {
  return {
    decision,
    code: decision === 'deny' ? 'not-granted' : 'granted',
    rule: 'test',
    layer: 'user',
    file: 'test',
    line: 1,
    message: `the test says ${decision}`,
    remedy: 'change the test',
    ...more,
  };
}

/** Allows every request, and only the listed special addresses, as `address port`. */
export function authorityOf(addresses: readonly string[] = [], more: Partial<Authority> = {}): Authority {
  return {
    decide: () => verdictOf('allow'),
    decideAddress: (address, port) => verdictOf(addresses.includes(`${address} ${port}`) ? 'allow' : 'deny'),
    tlsTreatment: () => 'splice',
    ...more,
  };
}
