import { expect, test } from 'vitest';
import { knownServers } from './known-servers.ts';
import { recogniseCall } from './recognise-call.ts';

const costOf = (host: string, path: string, method = 'POST') => recogniseCall({ host, port: 443, method, path }, knownServers)?.cost;

test.each([
  ['api.anthropic.com', '/v1/messages/batches'], ['api.openai.com', '/v1/batches'], ['api.openai.com', '/v1/BATCHES/'], ['api.openai.com', '/v1/files/../%62atches'], ['api.openai.com', '/v1/fine_tuning/jobs'], ['api.openai.com', '/v1/threads/t_1/runs'],
  ['api.openai.com', '/v1/images/edits'], ['api.openai.com', '/v1/videos'], ['api.mistral.ai', '/v1/batch/jobs'], ['generativelanguage.googleapis.com', '/v1beta/models/g:batchGenerateContent'], ['bedrock-runtime.us-east-1.amazonaws.com', '/async-invoke'],
  ['api.cohere.com', '/v2/chat'], ['api.cohere.com', '/v1/generate'], ['api.mistral.ai', '/v1/conversations'], ['api.mistral.ai', '/v1/conversations/c_1/restart'], ['router.huggingface.co', '/hf-inference/models/m'], ['api.perplexity.ai', '/search'],
  ['generativelanguage.googleapis.com', '/v1beta/interactions'], ['generativelanguage.googleapis.com', '/v1beta/models/aqa:generateAnswer'], ['europe-aiplatform.googleapis.com', '/v1/projects/p/locations/l/endpoints/e:serverStreamingPredict'],
  ['bedrock-runtime.us-east-1.amazonaws.com', '/model/m/invoke-with-bidirectional-stream'], ['api.openai.com', '/v1/realtime/client_secrets'], ['api.openai.com', '/v1/agents/sessions/s_1/events'], ['api.openai.com', '/v1/decisions'],
  ['api.anthropic.com', '/v1/sessions'], ['api.anthropic.com', '/v1/sessions/s_1/events'], ['api.anthropic.com', '/v1/deployments/d_1/run'],
])('%s%s begins work that no answer counts', (host, path) => expect(costOf(host, path)).toBe('untold'));

test.each([
  ['POST', '/v1/messages'], ['POST', '/v1/files'], ['POST', '/v1/batches/b_1/cancel'], ['GET', '/v1/batches'], ['DELETE', '/v1/messages/batches/b_1'], ['GET', '/v1/fine_tuning/jobs'], ['POST', '/v1/chat/completions'],
])('%s %s does not', (method, path) => expect(costOf('api.openai.com', path, method)).toBeUndefined());

test.each([
  ['api.mistral.ai', '/v1/chat/completions'], ['api.mistral.ai', '/v1/files'], ['api.cohere.com', '/v1/tokenize'], ['api.cohere.com', '/compatibility/v1/chat/completions'], ['api.openai.com', '/v1/conversations'], ['api.openai.com', '/v1/nothing-known'], ['api.anthropic.com', '/api/event_logging/batch'],
])('%s%s costs nothing, or says what', (host, path) => expect(costOf(host, path)).toBeUndefined());
