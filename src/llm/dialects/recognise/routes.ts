import type { DialectName, ModelCall } from '../../types.ts';

export type Route = Pick<ModelCall, 'dialect' | 'operation' | 'model'>;

/**
 * What a path's last segments say, whatever stands before them: `/v1`, `/openai/v1`, `/api/v1`, `/openai/deployments/x` and nothing at all
 * are all in use. `*` is any one segment. Segments are in lower case.
 */
const endings: readonly (readonly [ending: string, dialect: DialectName, operation: ModelCall['operation']])[] = [
  ['v1/messages', 'anthropic-messages', 'generate'],
  ['anthropic/messages', 'anthropic-messages', 'generate'],
  ['messages/count_tokens', 'anthropic-messages', 'count'],
  ['messages/batches', 'anthropic-messages', 'generate'],
  ['v1/complete', 'anthropic-messages', 'generate'],
  ['chat/completions', 'openai-chat', 'generate'],
  ['completions', 'openai-chat', 'generate'],
  ['embeddings', 'openai-chat', 'embed'],
  ['moderations', 'openai-chat', 'count'],
  ['images/generations', 'openai-chat', 'generate'],
  ['audio/speech', 'openai-chat', 'generate'],
  ['responses', 'openai-responses', 'generate'],
  ['responses/compact', 'openai-responses', 'generate'],
  ['responses/input_tokens', 'openai-responses', 'count'],
  ['v1/conversations', 'openai-responses', 'count'],
  ['conversations/*/items', 'openai-responses', 'count'],
  ['api/chat', 'ollama-chat', 'generate'],
  ['api/generate', 'ollama-generate', 'generate'],
  ['api/embed', 'ollama-generate', 'embed'],
  ['api/embeddings', 'ollama-generate', 'embed'],
  ['v1beta/cachedcontents', 'gemini', 'count'],
];

const split = endings.map(([ending, dialect, operation]) => ({ segments: ending.split('/'), dialect, operation })).toSorted((one, other) => other.segments.length - one.segments.length);

export function routeByEnding(segments: readonly string[]): Route | undefined {
  const lower = segments.map((segment) => segment.toLowerCase());
  const found = split.find((route) => route.segments.length <= lower.length && route.segments.every((segment, index) => segment === '*' || segment === lower[lower.length - route.segments.length + index]));
  return found === undefined ? undefined : { dialect: found.dialect, operation: found.operation, ...named(deploymentIn(segments)) };
}

/** Azure: `/openai/deployments/{deployment}/chat/completions`. */
function deploymentIn(segments: readonly string[]): string | undefined {
  const index = segments.findIndex((segment) => segment.toLowerCase() === 'deployments');
  return index < 0 || index + 2 >= segments.length ? undefined : segments[index + 1];
}

const geminiMethods: Readonly<Record<string, ModelCall['operation']>> = {
  generatecontent: 'generate', streamgeneratecontent: 'generate', batchgeneratecontent: 'generate', predict: 'generate', predictlongrunning: 'generate',
  counttokens: 'count', computetokens: 'count', embedcontent: 'embed', batchembedcontents: 'embed', asyncbatchembedcontent: 'embed',
};

/** `…/models/{model}:{method}`. Other companies' models on Vertex are called by `rawPredict` with their own bodies. */
export function routeByMethod(segments: readonly string[]): Route | undefined {
  const last = segments.at(-1) ?? '';
  const colon = last.lastIndexOf(':');
  if (colon < 0) return undefined;
  const [model, method] = [last.slice(0, colon), last.slice(colon + 1).toLowerCase()];
  if (/^(?:stream)?rawpredict$/u.test(method)) return rawPredict(segments, model);
  const operation = Object.hasOwn(geminiMethods, method) ? geminiMethods[method] : undefined;
  return operation === undefined ? undefined : { dialect: 'gemini', operation, ...named(model) };
}

function rawPredict(segments: readonly string[], model: string): Route {
  const lower = segments.map((segment) => segment.toLowerCase());
  const publisher = lower[lower.indexOf('publishers') + 1];
  if (publisher !== 'anthropic') return { dialect: 'openai-chat', operation: 'generate', ...named(model) };
  return model.startsWith('count-tokens') ? { dialect: 'anthropic-messages', operation: 'count' } : { dialect: 'anthropic-messages', operation: 'generate', ...named(model) };
}

const bedrockActions: Readonly<Record<string, Pick<Route, 'dialect' | 'operation'>>> = {
  invoke: { dialect: 'bedrock-invoke', operation: 'generate' },
  'invoke-with-response-stream': { dialect: 'bedrock-invoke', operation: 'generate' },
  converse: { dialect: 'bedrock-converse', operation: 'generate' },
  'converse-stream': { dialect: 'bedrock-converse', operation: 'generate' },
  'count-tokens': { dialect: 'bedrock-converse', operation: 'count' },
};

/** `/model/{id}/converse`. An id may be an ARN, with a slash that the SDKs escape. */
export function routeByModelPath(segments: readonly string[]): Route | undefined {
  const action = (segments.at(-1) ?? '').toLowerCase();
  const start = segments.findIndex((segment) => segment.toLowerCase() === 'model');
  const model = segments.slice(start + 1, -1).join('/');
  if (start < 0 || model === '' || !Object.hasOwn(bedrockActions, action)) return undefined;
  const route = bedrockActions[action];
  return route === undefined ? undefined : { ...route, model };
}

function named(model: string | undefined): { readonly model?: string } {
  return model === undefined || model === '' ? {} : { model: model.slice(0, 512) };
}
