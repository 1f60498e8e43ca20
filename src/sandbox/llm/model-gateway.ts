import type { Destination, Interceptor, OutgoingRequest } from '../../egress/index.ts';
import { dialects, knownServers, type ModelServer, recogniseCall } from '../../llm/index.ts';
import { type DlpRule, type LlmSettings, matchesHostPattern } from '../../policy/index.ts';
import { carryCall, type LookedCall } from './carry-call.ts';
import { carryOther } from './carry-other.ts';
import { usualRules } from './content-rules.ts';
import { refusedContent } from './refused-content.ts';
import { carrySocket } from './socket/carry-socket.ts';
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
      const asked: Asked = { request, destination, at: redirected ?? destination };
      const first = lookedCall(gateway, settings, asked);
      if (first !== undefined && request.upgrade === undefined) return carryCall(request, send, first);
      if (first !== undefined) return carrySocket(request, send, { first, now: () => lookedCall(gateway, gateway.settings(), asked) });
      const rules = rulesFor(settings, asked, 'other');
      return rules.length === 0 ? send(request) : carryOther(request, send, { gateway, settings, destination: asked.at, path: pathOf(request), rules });
    };
}

interface Asked {
  readonly request: OutgoingRequest;
  readonly destination: Destination;
  /** What is dialled. */
  readonly at: Destination;
}

/** The call that a request is; undefined where it is none that is looked into. */
function lookedCall(gateway: Gateway, settings: LlmSettings | undefined, { request, destination, at }: Asked): LookedCall | undefined {
  if (settings === undefined || settings.gateway === 'off') return undefined;
  const seen = { method: request.method, path: request.target };
  // Attack: a redirect that leads to a server of models under the name of a host that is none.
  const call = recogniseCall({ ...destination, ...seen }, serversOf(settings, destination)) ?? recogniseCall({ ...at, ...seen }, serversOf(settings, at));
  return call === undefined ? undefined : { gateway, settings, destination: at, path: pathOf(request), rules: rulesFor(settings, { destination, at }, 'model'), call, dialect: dialects[call.dialect] };
}

function pathOf({ target }: OutgoingRequest): string {
  return target.split('?', 1)[0] ?? '';
}

/** Those that a policy names go first. What its patterns mean is the policy's to know: `localhost` is 127.0.0.1 as well. */
function serversOf({ servers }: LlmSettings, destination: Destination): readonly ModelServer[] {
  const own = servers.filter(({ hosts }) => matchesHostPattern(hosts, destination)).map(({ name, style, basePath }): ModelServer => ({ hosts: [destination.host], provider: name, style, ...(basePath === '' ? {} : { basePath }) }));
  return [...own, ...knownServers];
}

function rulesFor({ dlp, builtinDlp }: LlmSettings, { destination, at }: Pick<Asked, 'destination' | 'at'>, kind: 'model' | 'other'): readonly DlpRule[] {
  return [...(builtinDlp === 'in-force' ? usualRules : []), ...dlp].filter(({ hosts }) => (hosts === 'models' ? kind === 'model' : matchesHostPattern(hosts, destination) || matchesHostPattern(hosts, at)));
}
