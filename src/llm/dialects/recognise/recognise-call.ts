import { matchesHost, type ModelServer } from '../../../policy/llm/match-host.ts';
import type { ServerStyle } from '../../../policy/llm/types.ts';
import type { DialectName, ModelCall } from '../../types.ts';
import { normalPath } from './normal-path.ts';

export interface SeenRequest {
  readonly host: string;
  readonly port: number;
  readonly method: string;
  /** As in the request line, including the query. */
  readonly path: string;
}

/**
 * Returns the call behind a request to a server of models. Undefined if no server of the list matches. The first match
 * applies. Only the host and the path decide. An unknown path is `other`. A path that any server might read as a call
 * counts as that call.
 */
export function recogniseCall(request: SeenRequest, servers: readonly ModelServer[]): ModelCall | undefined {
  const segments = normalPath(request.path);
  const server = servers.find((one) => isAt(one, request, segments));
  if (server === undefined) return undefined;
  const found = routeByModelPath(segments) ?? routeByMethod(segments) ?? routeByEnding(segments);
  const route =
    found === undefined || !isCall(request.method, found)
      ? { dialect: mainDialects[server.style], operation: 'other' as const }
      : found;
  const cost = isUncounted(segments, { provider: server.provider, method: request.method, route: found })
    ? ({ cost: 'untold' } as const)
    : {};
  return {
    provider: server.provider,
    ...route,
    ...cost,
    ...(server.streamUsage === undefined ? {} : { streamUsage: server.streamUsage }),
  };
}

const mainDialects: Readonly<Record<ServerStyle, DialectName>> = {
  anthropic: 'anthropic-messages',
  openai: 'openai-responses',
  azure: 'openai-chat',
  gemini: 'gemini',
  vertex: 'gemini',
  bedrock: 'bedrock-converse',
  openrouter: 'openai-chat',
  ollama: 'ollama-chat',
};

function isAt(server: ModelServer, { host, port }: SeenRequest, segments: readonly string[]): boolean {
  if (server.ports !== undefined && !server.ports.includes(port)) return false;
  const base = normalPath(server.basePath ?? '');
  return (
    server.hosts.some((pattern) => matchesHost(host, pattern)) &&
    base.every((segment, index) => segment.toLowerCase() === segments[index]?.toLowerCase())
  );
}

/**
 * Methods that read or delete do not reach a model, with two exceptions. A WebSocket for Responses begins with GET, and
 * Google's servers take the method from a header.
 */
function isCall(method: string, { dialect }: Route): boolean {
  if (!/^(?:get|head|options|delete)$/iu.test(method.trim())) return true;
  return /^get$/iu.test(method.trim()) && (dialect === 'openai-responses' || dialect === 'gemini');
}

/**
 * Paths of work whose cost no answer reports: batches, training jobs, deferred answers, calls with files in a form, and
 * the provider's agents. Includes calls that Holdfast has no dialect for. In lower case. `*` matches any single
 * segment. Lists and files of such work cost nothing. Sources: openai 7.57.0, @anthropic-ai/sdk 1.12.0, @google/genai
 * 3.1.0,
 * @aws-sdk/client-bedrock-runtime 3.1164.0.
 */
const endings: readonly string[] = [
  'batches',
  'batch/jobs',
  'fine_tuning/jobs',
  'fine-tunes',
  'fine-tuning/jobs',
  'threads/runs',
  'threads/*/runs',
  'evals/*/runs',
  'images/edits',
  'images/variations',
  'audio/transcriptions',
  'audio/translations',
  'videos',
  'videos/*/remix',
  'ocr',
  'rerank',
  'tunedmodels',
  'tuningjobs',
  'batchpredictionjobs',
  'async-invoke',
  'model-invocation-job',
  'invoke-with-bidirectional-stream',
  'interactions',
  'decisions',
  'graders/run',
  'videos/edits',
  'videos/extensions',
  'threads/*/runs/*/submit_tool_outputs',
  'realtime/calls',
  'realtime/sessions',
  'realtime/client_secrets',
  'realtime/transcription_sessions',
  'realtime/translations/client_secrets',
  'live/sessions',
  'live/sessions/*/fork',
  'chatkit/sessions',
  'v1/sessions',
  'sessions/*/events',
  'v1/dreams',
  'v1/deployments',
  'deployments/*/run',
  'agents/sessions',
  'agents/automations',
  'agents/automations/*/invocations',
];

/**
 * Attack: pure model servers have their own calls besides OpenAI's, such as Cohere's `/v2/chat` and Mistral's
 * `/v1/conversations`, and keep adding more. Any unknown request to such a server may be a call.
 */
const ownCalls: ReadonlySet<string> = new Set([
  'mistral',
  'cohere',
  'huggingface_together',
  'together',
  'fireworks',
  'perplexity',
  'groq',
  'x-ai',
  'deepseek',
  'cerebras',
  'moonshotai',
]);
const free: readonly string[] = [
  'files',
  'files/*',
  'uploads',
  'uploads/*/parts',
  'uploads/*/complete',
  'uploads/*/cancel',
  'batches/*/cancel',
  'batch/jobs/*/cancel',
  'jobs/*/cancel',
  'tokenize',
  'detokenize',
  'tokenize-text',
  'check-api-key',
];

const methods =
  /:(?:batchgeneratecontent|asyncbatchembedcontent|predictlongrunning|generateanswer|generatetext|generatemessage|serverstreamingpredict|directpredict|directrawpredict)$/u;

interface UncountedRequest {
  readonly provider: string;
  readonly method: string;
  /** The route, if the path is a call. */
  readonly route?: Route | undefined;
}

/** Returns true if a request changes something at a path whose cost is not counted. */
function isUncounted(segments: readonly string[], { provider, method, route }: UncountedRequest): boolean {
  if (/^(?:get|head|options|delete)$/iu.test(method.trim())) return false;
  const lower = segments.map((segment) => segment.toLowerCase());
  if (methods.test(lower.at(-1) ?? '') || endsAs(untold, lower)) return true;
  return ownCalls.has(provider) && (route === undefined || lower.includes('conversations')) && !endsAs(costless, lower);
}

type Endings = readonly (readonly string[])[];

const untold: Endings = endings.map((ending) => ending.split('/'));
const costless: Endings = free.map((ending) => ending.split('/'));

function endsAs(known: Endings, lower: readonly string[]): boolean {
  return known.some(
    (ending) =>
      ending.length <= lower.length &&
      ending.every((segment, index) => segment === '*' || segment === lower[lower.length - ending.length + index]),
  );
}

type Route = Pick<ModelCall, 'dialect' | 'operation' | 'model'>;

/**
 * Meaning of a path's last segments, after any others. Servers use the prefixes `/v1`, `/openai/v1`, `/api/v1`,
 * `/openai/deployments/x`, and none. `*` matches any single segment. Segments are in lower case.
 */
const routesEndings: readonly (readonly [ending: string, dialect: DialectName, operation: ModelCall['operation']])[] = [
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

const split = routesEndings
  .map(([ending, dialect, operation]) => ({ segments: ending.split('/'), dialect, operation }))
  .toSorted((one, other) => other.segments.length - one.segments.length);

function routeByEnding(segments: readonly string[]): Route | undefined {
  const lower = segments.map((segment) => segment.toLowerCase());
  const found = split.find(
    (route) =>
      route.segments.length <= lower.length &&
      route.segments.every(
        (segment, index) => segment === '*' || segment === lower[lower.length - route.segments.length + index],
      ),
  );
  return found === undefined
    ? undefined
    : { dialect: found.dialect, operation: found.operation, ...named(deploymentIn(segments)) };
}

/** Azure: `/openai/deployments/{deployment}/chat/completions`. */
function deploymentIn(segments: readonly string[]): string | undefined {
  const index = segments.findIndex((segment) => segment.toLowerCase() === 'deployments');
  return index < 0 || index + 2 >= segments.length ? undefined : segments[index + 1];
}

const geminiMethods: Readonly<Record<string, ModelCall['operation']>> = {
  generatecontent: 'generate',
  streamgeneratecontent: 'generate',
  batchgeneratecontent: 'generate',
  predict: 'generate',
  predictlongrunning: 'generate',
  counttokens: 'count',
  computetokens: 'count',
  embedcontent: 'embed',
  batchembedcontents: 'embed',
  asyncbatchembedcontent: 'embed',
};

/** `…/models/{model}:{method}`. On Vertex, `rawPredict` calls models of other companies, with their own bodies. */
function routeByMethod(segments: readonly string[]): Route | undefined {
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
  return model.startsWith('count-tokens')
    ? { dialect: 'anthropic-messages', operation: 'count' }
    : { dialect: 'anthropic-messages', operation: 'generate', ...named(model) };
}

const bedrockActions: Readonly<Record<string, Pick<Route, 'dialect' | 'operation'>>> = {
  invoke: { dialect: 'bedrock-invoke', operation: 'generate' },
  'invoke-with-response-stream': { dialect: 'bedrock-invoke', operation: 'generate' },
  converse: { dialect: 'bedrock-converse', operation: 'generate' },
  'converse-stream': { dialect: 'bedrock-converse', operation: 'generate' },
  'count-tokens': { dialect: 'bedrock-converse', operation: 'count' },
};

/** `/model/{id}/converse`. An ID may be an ARN, whose slash the SDKs escape. */
function routeByModelPath(segments: readonly string[]): Route | undefined {
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
