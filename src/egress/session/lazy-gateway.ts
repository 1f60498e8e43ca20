import type { SessionGateway } from '../../llm/session/session-gateway.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Interceptor } from '../http/interceptor.ts';
import type { Destination } from '../types.ts';
import { isLookedIntoAnywhere } from './live-policy.ts';

export interface LazyGatewayParts {
  /** Returns the current policy. Undefined while it is invalid. */
  policy(): Policy | undefined;
}

export interface LazyGateway extends Omit<SessionGateway, 'prepare'> {
  /** Loads the gateway ahead of the first request, if requests to this server are inspected. */
  prepare(server: Destination): Promise<void>;
}

/**
 * Loads the tables of prices and rules at the first inspected request, because most sessions talk only to other hosts,
 * or to other hosts first.
 */
export function lazyGateway(load: () => Promise<SessionGateway>, { policy }: LazyGatewayParts): LazyGateway {
  let loading: Promise<Interceptor> | undefined;
  let loaded: SessionGateway | undefined;
  const begin = async (): Promise<Interceptor> => {
    loaded = await load();
    return loaded.interceptor;
  };
  return {
    interceptor: (send, intercepted) => async (request) => {
      const current = policy();
      // Attack: while the policy file is damaged, the inspected requests are unknown. All requests go to the gateway,
      // which refuses them.
      if (current !== undefined && !isLookedIntoAnywhere(current, intercepted)) return send(request);
      return (await (loading ??= begin()))(send, intercepted)(request);
    },
    async prepare(server) {
      const current = policy();
      if (current === undefined || !isLookedIntoAnywhere(current, { destination: server })) return;
      try {
        await (loading ??= begin());
      } catch (error) {
        // The first request tries again. If that fails too, the failure is final.
        loading = undefined;
        throw error;
      }
      loaded?.prepare(server);
    },
    flush: () => loaded?.flush(),
  };
}
