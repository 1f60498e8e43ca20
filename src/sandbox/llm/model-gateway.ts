import type { Interceptor } from '../../egress/index.ts';
import { dialects, knownServers, type ModelServer, recogniseCall } from '../../llm/index.ts';
import type { Destination } from '../../egress/index.ts';
import { type DlpRule, type LlmSettings, matchesHostPattern } from '../../policy/index.ts';
import { carryCall } from './carry-call.ts';
import { carryOther } from './carry-other.ts';
import { usualRules } from './content-rules.ts';
import { refusedContent } from './refused-content.ts';
import type { Gateway } from './types.ts';

/**
 * Looks into what goes to language models and comes back, and into what goes to other hosts that a rule names. It stands before the
 * credentials: what it sees holds phantoms, and never a key.
 */
export function modelGateway(gateway: Gateway): Interceptor {
  return (send, { destination, redirected }) =>
    async (request) => {
      const settings = gateway.settings();
      // Attack: a question to a person lies between the decision and here, and the policy may have been damaged meanwhile.
      if (settings === undefined) return refusedContent('the policy cannot be read, so nobody can look into it', 'mend the policy');
      const path = request.target.split('?', 1)[0] ?? '';
      const looking = { gateway, settings, destination: redirected ?? destination, path };
      const call = settings.gateway === 'off' ? undefined : recogniseCall({ ...destination, method: request.method, path: request.target }, serversOf(settings, destination));
      const rules = rulesFor(settings, destination, call === undefined ? 'other' : 'model');
      if (call === undefined) return rules.length === 0 ? send(request) : carryOther(request, send, { ...looking, rules });
      return carryCall(request, send, { ...looking, rules, call, dialect: dialects[call.dialect] });
    };
}

/** Those that a policy names go first. What its patterns mean is the policy's to know: `localhost` is 127.0.0.1 as well. */
function serversOf({ servers }: LlmSettings, destination: Destination): readonly ModelServer[] {
  const own = servers.filter(({ hosts }) => matchesHostPattern(hosts, destination)).map(({ name, style, basePath }): ModelServer => ({ hosts: [destination.host], provider: name, style, ...(basePath === '' ? {} : { basePath }) }));
  return [...own, ...knownServers];
}

function rulesFor({ dlp, builtinDlp }: LlmSettings, destination: Destination, kind: 'model' | 'other'): readonly DlpRule[] {
  return [...(builtinDlp === 'in-force' ? usualRules : []), ...dlp].filter(({ hosts }) => (hosts === 'models' ? kind === 'model' : matchesHostPattern(hosts, destination)));
}
