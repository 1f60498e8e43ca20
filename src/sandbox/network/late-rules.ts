import type { Interceptor } from '../../egress/index.ts';
import type { Policy } from '../../policy/index.ts';
import { isLookedIntoAnywhere } from './remembered-answers.ts';

/**
 * For a session that began when no policy spoke of models, and so has nothing that looks into requests. Attack, or accident: a budget or a
 * rule about data that is added while the session runs would hold for nobody, and nobody would know.
 */
export function lateRules(policy: () => Policy | undefined): Interceptor {
  return (send, intercepted) =>
    (request) => {
      const current = policy();
      return current === undefined || isLookedIntoAnywhere(current, intercepted) ? Promise.resolve(refused) : send(request);
    };
}

const refused = {
  kind: 'refused',
  refusal: {
    code: 'data-loss',
    message: 'The request does not leave: since this session began the policy has come to say what may be sent there, and nothing in this session can look into it.',
    remedy: 'Start another session: it looks into requests from its beginning.',
  },
} as const;
