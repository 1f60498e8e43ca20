import { anthropic } from './anthropic.ts';
import { bedrock } from './bedrock.ts';
import { gemini } from './gemini.ts';
import { ollama } from './ollama.ts';
import { chatEndpoint, openaiError } from './openai-chat.ts';
import { responsesEndpoint } from './openai-responses.ts';
import type { Call, Dialect, ServerDialect } from './types.ts';

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  500: 'server_error',
};

const refusal: Dialect['refusal'] = (status, message) => ({
  headers: { 'x-request-id': 'req_example' },
  body: openaiError(errorTypes[status] ?? 'server_error', message),
});

const openai: Dialect = {
  endpoint: (call) => endpointBelow(call, /^.*\/(chat\/completions|responses)(?:\?|$)/u),
  refusal,
};

/**
 * Source: learn.microsoft.com/azure/ai-foundry/openai/reference: deployments in the path with an api-version, or
 * `/openai/v1`.
 */
const azure: Dialect = {
  endpoint: (call) =>
    endpointBelow(call, /^\/openai\/(?:deployments\/[^/]+\/|v1\/|)(chat\/completions|responses)(?:\?|$)/u),
  refusal,
};

export const dialects: Readonly<Record<ServerDialect, Dialect>> = { anthropic, openai, azure, gemini, bedrock, ollama };

function endpointBelow(call: Call, paths: RegExp): ReturnType<Dialect['endpoint']> {
  const operation = paths.exec(call.path)?.[1];
  if (operation === undefined) return undefined;
  return operation === 'responses' ? responsesEndpoint(call) : chatEndpoint(call);
}
