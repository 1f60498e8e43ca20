import type { Capabilities } from '../../sandbox/mcp/ceilings.ts';
import { filterResult } from './filter-result.ts';
import { type Answer, codes, failed, type Params } from './rpc.ts';
import { shownAnswer } from './calls.ts';

/** What a server may offer an agent. What Holdfast does not know it does not pass on. */
const known: ReadonlySet<string> = new Set(['tools', 'prompts', 'resources', 'logging', 'completions']);

/** The client as the server sees it: it offers what the policy allows, and its roots are ours to tell. */
export function offeredTo(params: Params, { sampling, elicitation }: Capabilities): Params {
  const { protocolVersion, clientInfo, capabilities } = params;
  const has = (name: string): boolean => typeof capabilities === 'object' && capabilities !== null && name in capabilities;
  const offered = { roots: {}, ...(sampling === 'allow' && has('sampling') ? { sampling: {} } : {}), ...(elicitation === 'allow' && has('elicitation') ? { elicitation: {} } : {}) };
  return { protocolVersion, clientInfo, capabilities: offered };
}

/** The server as the agent sees it. `approved` gives what it may tell the model. */
export function initialised(answer: Answer, approved: (instructions: string) => string): Answer {
  if (!('result' in answer)) return shownAnswer(answer);
  const { protocolVersion, serverInfo, capabilities, instructions } = answer.result;
  if (typeof capabilities !== 'object' || capabilities === null) return failed(codes.refused, 'the server answered initialize with something else');
  const offered = Object.fromEntries(Object.entries(capabilities).filter(([name]) => known.has(name)));
  const told = approved(typeof instructions === 'string' ? instructions.slice(0, longestInstructions) : '');
  return { result: filterResult('tool-description', { protocolVersion, serverInfo, capabilities: offered, ...(told === '' ? {} : { instructions: told }) }) };
}

const longestInstructions = 16_384;
