import { jsonKeys } from '../../dlp/json/reader.ts';
import { type HeldContent, HeldContents } from '../../egress/http/held-content.ts';
import type { InterceptedConnection, Interceptor, Send } from '../../egress/http/interceptor.ts';
import type { IncomingResponse, OutgoingRequest } from '../../egress/http/message.ts';
import { meanings } from '../../egress/http/overrides.ts';
import type { Destination, Refused } from '../../egress/types.ts';
import type { DlpRule, LlmSettings } from '../../policy/llm/types.ts';
import { matchesHostPattern } from '../../policy/patterns/host-index.ts';
import { dialects, knownServers, type ModelServer, recogniseCall } from '../index.ts';
import { carryCall, readCallContent, withContent } from './carry-call.ts';
import { usualRules } from './content-rules.ts';
import { editContent } from './edit-content.ts';
import { lookAtKeys, lookAtText, tellFound } from './look-at-text.ts';
import { carrySocket } from './socket/carry-socket.ts';
import type { RuleCounts } from './tally.ts';
import type { Gateway, LookedCall, CallLook } from './types.ts';

/**
 * Inspects traffic to and from language models, and to other hosts that a rule names. It runs before the credentials
 * interceptor, so it sees phantoms and never a real key.
 */
export function modelGateway(gateway: Gateway): Interceptor {
  const look = lookingInto(gateway);
  const contents = new HeldContents();
  return (send, connection) => async (request) => {
    const held = contents.open();
    try {
      return await look(request, send, { ...connection, held, contents });
    } finally {
      held.release();
    }
  };
}

interface Holding extends InterceptedConnection {
  /** Content that is buffered until the answer begins. */
  readonly held: HeldContent;
  /** Content that the session buffers. A WebSocket buffers content after its answer began. */
  readonly contents: HeldContents;
}

function lookingInto(gateway: Gateway) {
  return async (
    request: OutgoingRequest,
    send: Send,
    { destination, redirected, held, contents }: Holding,
  ): Promise<IncomingResponse | Refused> => {
    const settings = gateway.settings();
    // Attack: an approval may take time between the decision and this point, and the policy may have been damaged
    // meanwhile.
    if (settings === undefined)
      return refusedContent('the policy cannot be read, so the request cannot be inspected', 'correct the policy');
    const asked: Asked = { request, destination, at: redirected ?? destination };
    const first = lookedCall(gateway, settings, asked);
    if (first !== undefined && request.upgrade === undefined) return carryCall(request, send, { ...first, held });
    if (first !== undefined)
      return carrySocket(request, send, { first, now: () => lookedCall(gateway, gateway.settings(), asked), contents });
    const rules = dlpRulesFor(settings, asked, 'other');
    return rules.length === 0
      ? send(request)
      : carryOther(request, send, { gateway, settings, destination: asked.at, path: pathOf(request), rules, held });
  };
}

interface Asked {
  readonly request: OutgoingRequest;
  readonly destination: Destination;
  /** The destination that is dialled. */
  readonly at: Destination;
}

/** Returns the call that a request makes. Undefined if the request is not inspected. */
function lookedCall(
  gateway: Gateway,
  settings: LlmSettings | undefined,
  { request, destination, at }: Asked,
): LookedCall | undefined {
  if (settings === undefined || settings.gateway === 'off') return undefined;
  // Attacks: a redirect leads to a server of models under the name of another host, or a header overrides the method in
  // the request line.
  const calls = meanings(request).flatMap(({ method, target: path }) =>
    [destination, at].flatMap((to) => recogniseCall({ ...to, method, path }, serversOf(settings, to)) ?? []),
  );
  const call = calls.find(({ operation, cost }) => operation !== 'other' || cost !== undefined) ?? calls[0];
  return call === undefined
    ? undefined
    : {
        gateway,
        settings,
        destination: at,
        path: pathOf(request),
        rules: dlpRulesFor(settings, { destination, at }, 'model'),
        call,
        dialect: dialects[call.dialect],
      };
}

function pathOf({ target }: OutgoingRequest): string {
  return target.split('?', 1)[0] ?? '';
}

/** Servers that the policy names come first. Only the policy's patterns know that `localhost` also means 127.0.0.1. */
function serversOf({ servers }: LlmSettings, destination: Destination): readonly ModelServer[] {
  const own = servers
    .filter(({ hosts }) => matchesHostPattern(hosts, destination))
    .map(
      ({ name, style, basePath }): ModelServer => ({
        hosts: [destination.host],
        provider: name,
        style,
        ...(basePath === '' ? {} : { basePath }),
      }),
    );
  return [...own, ...knownServers];
}

export function dlpRulesFor(
  { dlp, builtinDlp }: LlmSettings,
  { destination, at }: Pick<Asked, 'destination' | 'at'>,
  kind: 'model' | 'other',
): readonly DlpRule[] {
  return [...(builtinDlp === 'in-force' ? usualRules : []), ...dlp].filter(({ hosts }) =>
    hosts === 'models' ? kind === 'model' : matchesHostPattern(hosts, destination) || matchesHostPattern(hosts, at),
  );
}

/**
 * Carries a request to a host that is not a server of models but is named by a rule. Its answer is not restored,
 * because the host is not local.
 */
async function carryOther(
  request: OutgoingRequest,
  send: Send,
  looked: CallLook & { readonly rules: readonly DlpRule[] } & Pick<Holding, 'held'>,
): Promise<IncomingResponse | Refused> {
  const { gateway } = looked;
  const isOnlyTold = looked.rules.every(({ decision }) => decision === 'audit');
  // Attack: a WebSocket carries messages, which are not searched here.
  if (request.upgrade !== undefined)
    return isOnlyTold ? send(request) : refusedContent('WebSockets cannot be inspected', 'use HTTP');
  const rules = gateway.rulesFor(looked.rules);
  // Attack: secret data in the address of a request that has no content.
  const address =
    rules === undefined ? { found: [] } : lookAtText(Buffer.from(request.target), { rules, fakes: gateway.fakes });
  tellFound(looked, address.found);
  if (address.by !== undefined) return kept(address.by);
  const content = await readCallContent(request, looked.held);
  if (content.kind === 'unreadable') return refusedContent('its content cannot be inspected', content.why);
  if (content.kind === 'none' || rules === undefined) return send(request);
  if (content.bytes.length === 0) return send(withContent(request, content, content.bytes));
  const edited = editContent(content.bytes, { rules, fakes: gateway.fakes });
  if (edited.kind !== 'unreadable') {
    const keys = lookAtKeys(jsonKeys(content.bytes), { rules, fakes: gateway.fakes });
    tellFound(looked, [...edited.found, ...keys.found]);
    if (edited.kind === 'blocked') return kept(edited.by);
    return keys.by === undefined ? send(withContent(request, content, edited.bytes)) : kept(keys.by);
  }
  const { found, by } = lookAtText(content.bytes, { rules, fakes: gateway.fakes });
  tellFound(looked, found);
  return by === undefined ? send(withContent(request, content, content.bytes)) : kept(by);
}

function kept({ rule, counts }: RuleCounts): Refused {
  return refusedContent(
    `the rule ${rule.name} keeps it (${Object.keys(counts).join(', ')})`,
    rule.reason ?? 'it contains data that may not leave',
  );
}

function refusedContent(message: string, why: string): Refused {
  return {
    kind: 'refused',
    refusal: {
      code: 'data-loss',
      message: `The request does not leave: ${message}.`,
      remedy: `${why}; remove it from the request, or change the rule.`,
    },
  };
}
