import type { Capabilities } from '../../mcp/ceilings.ts';
import type { Pinning } from '../../mcp/pinning.ts';
import { instructionsSaid, listedKeys, type ListedKind, plainVersionOf, serverSaid } from '../../mcp/said.ts';
import type { ServerBox } from '../../mcp/server-box.ts';
import { decide } from '../../policy/decide.ts';
import type { Policy } from '../../policy/policy.ts';
import { defuseOutbound } from '../../text/outbound/defuse.ts';
import { filteredParams, shownAnswer } from './filter-result.ts';
import { listings } from './listings.ts';
import { type RpcOutcome, codes, rpcError, type Params } from './rpc.ts';
import type { Withholding } from './withholding.ts';

/** Capabilities that a server may offer an agent. Unknown ones are not passed on. */
const known: ReadonlySet<string> = new Set(['tools', 'prompts', 'resources', 'logging', 'completions']);

/** Returns the client as the server sees it: with the capabilities that the policy allows, and with roots of ours. */
export function offeredTo(params: Params, { sampling, elicitation }: Capabilities): Params {
  const { protocolVersion, clientInfo, capabilities } = params;
  const has = (name: string): boolean =>
    typeof capabilities === 'object' && capabilities !== null && name in capabilities;
  const offered = {
    roots: {},
    ...(sampling === 'allow' && has('sampling') ? { sampling: {} } : {}),
    ...(elicitation === 'allow' && has('elicitation') ? { elicitation: {} } : {}),
  };
  return { protocolVersion, clientInfo, capabilities: offered };
}

export interface GreetingParts {
  readonly box: ServerBox;
  readonly pinning: Pinning;
  readonly withholding: Withholding;
}

/**
 * Returns the server as the agent sees it, with its approved name and instructions. Someone is asked about a change,
 * which counts from the next session on.
 */
export function initialised(answer: RpcOutcome, { box, pinning, withholding }: GreetingParts): RpcOutcome {
  if (!('result' in answer)) return shownAnswer(answer);
  const { protocolVersion, serverInfo, capabilities, instructions } = answer.result;
  if (typeof capabilities !== 'object' || capabilities === null)
    return rpcError(codes.refused, 'the server answered initialize with an invalid result');
  const offered = Object.fromEntries(Object.entries(capabilities).filter(([name]) => known.has(name)));
  const text = typeof instructions === 'string' ? instructions.slice(0, longestInstructions) : '';
  const [info, told] = [serverSaid(serverInfo), instructionsSaid(text)];
  const without = Object.entries(listings).flatMap(([kind, { capability }]) =>
    capability in offered ? [] : [kind as ListedKind],
  );
  // An empty text needs no approval.
  const withheld = pinning
    .settleGreeting({ said: [info, told], without })
    .filter(({ said, state }) => state !== 'admitted' && (said !== told || text !== ''));
  withholding.tell(withheld);
  for (const settled of withheld) withholding.ask(settled);
  const isWithheld = (said: object): boolean => withheld.some((settled) => settled.said === said);
  const version = plainVersionOf(serverInfo);
  const shownInfo = {
    ...(isWithheld(info) ? { name: box.name, version: '0' } : listedKeys(info)),
    ...(version === undefined ? {} : { version }),
  };
  const shownText = text === '' || isWithheld(told) ? {} : { instructions: text };
  return {
    result: filteredParams('tool-description', {
      protocolVersion,
      capabilities: offered,
      ...defused(box.policy, { serverInfo: shownInfo, ...shownText }),
    }),
  };
}

const longestInstructions = 16_384;

/** Members that clients show as Markdown. */
const shownAsMarkdown: ReadonlySet<string> = new Set(['description', 'instructions']);

/**
 * Returns a server's description of itself, defused so that showing it reaches only hosts that this server may reach
 * anyway.
 */
export function defused(policy: Policy, value: Params): Params {
  return walked(
    value,
    (text) => defuseOutbound(text, { media: 'markdown', allows: (url) => isReachable(policy, url) }).text,
  ) as Params;
}

function walked(value: unknown, defuse: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => walked(item, defuse));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]: readonly [string, unknown]) => [
      key,
      typeof item === 'string' && shownAsMarkdown.has(key) ? defuse(item) : walked(item, defuse),
    ]),
  );
}

function isReachable(policy: Policy, url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname, port, protocol } = new URL(url);
  const { decision } = decide(policy, {
    kind: 'connect',
    host: hostname,
    port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
    protocol: 'tcp',
  });
  return decision === 'allow' || decision === 'audit';
}
