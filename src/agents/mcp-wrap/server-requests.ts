import { type Answer, codes, failed, type Params } from './rpc.ts';

/** What an agent's model is asked. Attack: `includeContext` would put into it what the agent has of other servers, and `tools` what nobody has approved. */
const sampled = ['messages', 'modelPreferences', 'systemPrompt', 'maxTokens', 'temperature', 'stopSequences', 'metadata'] as const;
const elicited = ['message', 'requestedSchema'] as const;

/** What the agent gets of a question to its model. */
export function samplingParams(params: Params): Answer {
  return { result: pick(params, sampled) };
}

/** What the agent gets of a question to its user: a form, and no address to open. */
export function elicitationParams(params: Params): Answer {
  const { mode = 'form' } = params;
  return mode === 'form' ? { result: pick(params, elicited) } : failed(codes.invalidParams, 'Holdfast passes on no elicitation but forms');
}

function pick(params: Params, keys: readonly string[]): Params {
  return Object.fromEntries(keys.flatMap((key) => (params[key] === undefined ? [] : [[key, params[key]]])));
}
