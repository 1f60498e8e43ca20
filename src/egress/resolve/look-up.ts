import { types } from '../dns/constants.ts';
import type { Refused, Resolution } from '../types.ts';
import { askServers, type Asking, type Outcome } from './ask-servers.ts';
import { mergeOutcomes } from './merge-outcomes.ts';
import type { ResolverConfiguration } from './resolv-conf.ts';

export interface LookUp {
  readonly result: Resolution | Refused;
  /** Milliseconds for which it holds. */
  readonly lifetime: number;
}

export interface LookUpOptions {
  readonly configuration: ResolverConfiguration;
  /** Milliseconds for all of it. */
  readonly budget: number;
}

/**
 * Milliseconds for which addresses of one family wait for the other. Many servers never answer about AAAA, and nobody
 * should wait for the whole time-out because of them.
 */
export const grace = 500;

/** Asks for A and AAAA at the same time. Never rejects. */
export async function lookUp(name: string, { configuration, budget }: LookUpOptions): Promise<LookUp> {
  const controller = new AbortController();
  const asking: Asking = { configuration, deadline: performance.now() + budget, signal: controller.signal };
  let timer: NodeJS.Timeout | undefined;
  const ask = async (type: number): Promise<Outcome> => {
    const outcome = await askServers(name, type, asking);
    if (outcome.kind === 'found' && outcome.addresses.length > 0) timer ??= setTimeout(() => controller.abort(), grace);
    return outcome;
  };
  const [v4, v6] = await Promise.all([ask(types.A), ask(types.AAAA)]);
  clearTimeout(timer);
  return mergeOutcomes(name, v4, v6);
}
