import type { SessionGateway } from '../../llm/session/session-gateway.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Interceptor } from '../http/interceptor.ts';
import { isLookedIntoAnywhere } from './live-policy.ts';

export interface LazyGatewayParts {
  /** Returns the current policy. Undefined while it is invalid. */
  policy(): Policy | undefined;
}

/**
 * Loads tables of prices and rules at the first request that is inspected, because most sessions talk to other hosts
 * first, or only.
 */
export function lazyGateway(load: () => Promise<SessionGateway>, { policy }: LazyGatewayParts): SessionGateway {
  let loading: Promise<Interceptor> | undefined;
  let loaded: SessionGateway | undefined;
  const begin = async (): Promise<Interceptor> => {
    loaded = await load();
    return loaded.interceptor;
  };
  return {
    interceptor: (send, intercepted) => async (request) => {
      const current = policy();
      // Attack: while a policy is damaged, nobody knows which requests are inspected. All of them go to the gateway,
      // which refuses.
      if (current !== undefined && !isLookedIntoAnywhere(current, intercepted)) return send(request);
      return (await (loading ??= begin()))(send, intercepted)(request);
    },
    flush: () => loaded?.flush(),
  };
}
