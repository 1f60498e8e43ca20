import type { SessionGateway } from '../../llm/session/session-gateway.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Interceptor } from '../http/interceptor.ts';
import { isLookedIntoAnywhere } from './live-policy.ts';

export interface LazyGatewayParts {
  /** As it is now; undefined while it is invalid. */
  policy(): Policy | undefined;
}

/**
 * Has tables of prices and rules loaded when a request first goes where it is looked into: most sessions talk to other
 * hosts first, or only.
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
      // Attack: while a policy is damaged nobody knows what is looked into, so all of it goes to the gateway, which
      // refuses.
      if (current !== undefined && !isLookedIntoAnywhere(current, intercepted)) return send(request);
      return (await (loading ??= begin()))(send, intercepted)(request);
    },
    flush: () => loaded?.flush(),
  };
}
