import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { knownServers } from '../../../policy/llm/known-servers.ts';
import { recogniseCall } from './recognise-call.ts';

const recognise = (host: string, path: string, method = 'POST') =>
  recogniseCall({ host, port: 443, method, path }, knownServers);

const places = [
  ['api.anthropic.com', '/v1/messages', 'anthropic', 'anthropic-messages', 'generate'],
  ['api.anthropic.com', '/v1/messages/count_tokens', 'anthropic', 'anthropic-messages', 'count'],
  ['api.anthropic.com', '/v1/messages/batches', 'anthropic', 'anthropic-messages', 'generate'],
  ['api.anthropic.com', '/v1/complete', 'anthropic', 'anthropic-messages', 'generate'],
  ['api.anthropic.com', '/v1/files', 'anthropic', 'anthropic-messages', 'other'],
  ['api.anthropic.com', '/v1/chat/completions', 'anthropic', 'openai-chat', 'generate'],
  ['api.openai.com', '/v1/chat/completions', 'openai', 'openai-chat', 'generate'],
  ['api.openai.com', '/v1/completions', 'openai', 'openai-chat', 'generate'],
  ['api.openai.com', '/v1/responses', 'openai', 'openai-responses', 'generate'],
  ['eu.api.openai.com', '/v1/responses', 'openai', 'openai-responses', 'generate'],
  ['api.openai.com', '/v1/responses/compact', 'openai', 'openai-responses', 'generate'],
  ['api.openai.com', '/v1/responses/input_tokens', 'openai', 'openai-responses', 'count'],
  ['api.openai.com', '/v1/responses/resp_1/cancel', 'openai', 'openai-responses', 'other'],
  ['api.openai.com', '/v1/conversations/conv_1/items', 'openai', 'openai-responses', 'count'],
  ['api.openai.com', '/v1/embeddings', 'openai', 'openai-chat', 'embed'],
  ['api.openai.com', '/v1/moderations', 'openai', 'openai-chat', 'count'],
  ['api.openai.com', '/v1/realtime?model=gpt-realtime', 'openai', 'openai-responses', 'other'],
  ['x.openai.azure.com', '/openai/v1/responses?api-version=preview', 'azure', 'openai-responses', 'generate'],
  ['x.services.ai.azure.com', '/models/chat/completions', 'azure', 'openai-chat', 'generate'],
  ['x.services.ai.azure.com', '/anthropic/v1/messages', 'azure', 'anthropic-messages', 'generate'],
  ['x.cognitiveservices.azure.com', '/openai/responses', 'azure', 'openai-responses', 'generate'],
  [
    'aiplatform.googleapis.com',
    '/v1/projects/p/locations/global/endpoints/openapi/chat/completions',
    'google',
    'openai-chat',
    'generate',
  ],
  ['generativelanguage.googleapis.com', '/v1beta/openai/chat/completions', 'google', 'openai-chat', 'generate'],
  ['generativelanguage.googleapis.com', '/v1beta/cachedContents', 'google', 'gemini', 'count'],
  ['generativelanguage.googleapis.com', '/v1beta/models', 'google', 'gemini', 'other'],
  ['bedrock-runtime.us-east-1.amazonaws.com', '/openai/v1/chat/completions', 'aws', 'openai-chat', 'generate'],
  ['bedrock-mantle.us-east-1.api.aws', '/v1/responses', 'aws', 'openai-responses', 'generate'],
  ['openrouter.ai', '/api/v1/chat/completions', 'openrouter', 'openai-chat', 'generate'],
  ['openrouter.ai', '/api/v1/messages', 'openrouter', 'anthropic-messages', 'generate'],
  ['api.mistral.ai', '/v1/fim/completions', 'mistral', 'openai-chat', 'generate'],
  ['api.groq.com', '/openai/v1/chat/completions', 'groq', 'openai-chat', 'generate'],
  ['api.x.ai', '/v1/messages', 'x-ai', 'anthropic-messages', 'generate'],
  ['api.deepseek.com', '/anthropic/v1/messages', 'deepseek', 'anthropic-messages', 'generate'],
  ['api.fireworks.ai', '/inference/v1/chat/completions', 'fireworks', 'openai-chat', 'generate'],
  ['api.perplexity.ai', '/chat/completions', 'perplexity', 'openai-chat', 'generate'],
  ['api.cohere.com', '/compatibility/v1/chat/completions', 'cohere', 'openai-chat', 'generate'],
  ['api.githubcopilot.com', '/responses', 'github-copilot', 'openai-responses', 'generate'],
  ['api.githubcopilot.com', '/v1/messages', 'github-copilot', 'anthropic-messages', 'generate'],
] as const;

test.each(places.map(([host, path, ...rest]) => [host, path, rest] as const))(
  '%s%s',
  (host, path, [provider, dialect, operation]) => {
    expect(recognise(host, path)).toMatchObject({ provider, dialect, operation });
  },
);

const placesOfModels = [
  [
    'x.openai.azure.com',
    '/openai/deployments/My-Deployment/chat/completions?api-version=2024-10-21',
    'openai-chat',
    'My-Deployment',
  ],
  ['generativelanguage.googleapis.com', '/v1beta/models/gemini-3-pro:generateContent', 'gemini', 'gemini-3-pro'],
  ['generativelanguage.googleapis.com', '/v1beta/tunedModels/Mine:streamGenerateContent?alt=sse', 'gemini', 'Mine'],
  [
    'europe-west1-aiplatform.googleapis.com',
    '/v1/projects/p/locations/l/publishers/google/models/gemini-3-pro:streamGenerateContent',
    'gemini',
    'gemini-3-pro',
  ],
  [
    'aiplatform.googleapis.com',
    '/v1/projects/p/locations/l/publishers/anthropic/models/claude-sonnet-4-5@20250929:streamRawPredict',
    'anthropic-messages',
    'claude-sonnet-4-5@20250929',
  ],
  [
    'aiplatform.googleapis.com',
    '/v1/projects/p/locations/l/publishers/mistralai/models/codestral:rawPredict',
    'openai-chat',
    'codestral',
  ],
  [
    'bedrock-runtime.us-east-1.amazonaws.com',
    '/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse-stream',
    'bedrock-converse',
    'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  ],
  [
    'bedrock-runtime.us-east-1.amazonaws.com',
    '/model/arn%3Aaws%3Abedrock%3Aus-east-1%3A1%3Ainference-profile%2Fus.amazon.nova/invoke',
    'bedrock-invoke',
    'arn:aws:bedrock:us-east-1:1:inference-profile/us.amazon.nova',
  ],
] as const;

test.each(placesOfModels.map(([host, path, ...rest]) => [host, path, rest] as const))(
  '%s%s names its model',
  (host, path, [dialect, model]) => {
    expect(recognise(host, path)).toMatchObject({ dialect, operation: 'generate', model });
  },
);

test.each([
  '//v1/messages',
  '/v1//messages',
  '/v1/messages/',
  '/v1/messages//',
  '/v1/%6dessages',
  '/v1/%6Dessages',
  '/v1/%256dessages',
  '/V1/Messages',
  '/v1/messages?beta=true',
  '/v1/messages#x',
  '/v1/x/../messages',
  '/v1/x/%2e%2e/messages',
  '/v1/x/..%2fmessages',
  '/../v1/messages',
  '/./v1/./messages',
  '/v1\\messages',
  '/v1%5cmessages',
  '/v1%2fmessages',
  '/v1/messages;a=b',
  '/v1;a/messages',
  '/v1/messages%3fx',
  '/v1/messages%00.png',
  '/v1/messages%20',
  '/v1/messages%09',
  'https://api.anthropic.com/v1/messages',
  'HTTP://other.example/v1/messages?x',
  '/proxy/v1/messages',
  '/v1/messages/.',
  '/v1/messages/x/..',
])('%j may be read as a call, so it is one', (path) => {
  expect(recognise('api.anthropic.com', path)?.operation).toBe('generate');
  expect(recognise('API.Anthropic.com.', path)?.dialect).toBe('anthropic-messages');
});

test.each([
  '/',
  '',
  '/v1/messages/../models',
  '/v1/messages/batches/b1/results',
  '/v1/messagesx',
  '/v1/xmessages',
  '/v1/models?x=/v1/messages',
  '/messages',
  '%',
  '/%zz',
  '/v1/m%E2%80%8Bessages',
])('%j is not a call', (path) => {
  expect(recognise('api.anthropic.com', path)).toMatchObject({ dialect: 'anthropic-messages', operation: 'other' });
});

test.each([
  ['GET', '/v1/messages', 'other'],
  ['HEAD', '/v1/messages', 'other'],
  ['options', '/v1/messages', 'other'],
  ['DELETE', '/v1/messages', 'other'],
  ['post', '/v1/messages', 'generate'],
  ['PUT', '/v1/messages', 'generate'],
  ['PATCH', '/v1/messages', 'generate'],
  ['BREW', '/v1/messages', 'generate'],
  // A WebSocket begins with GET; Google takes a method from X-HTTP-Method-Override.
  ['GET', '/v1/responses', 'generate'],
  ['DELETE', '/v1/responses', 'other'],
  ['GET', '/v1beta/models/g:generateContent', 'generate'],
])('%s %s is %s', (method, path, operation) => {
  expect(recognise('api.anthropic.com', path, method)?.operation).toBe(operation);
});

describe('servers', () => {
  test.each([
    'example.com',
    'api.anthropic.com.evil.example',
    'xapi.anthropic.com',
    'openai.azure.com',
    '.openai.azure.com',
    'evil-openrouter.ai',
    'localhost',
    '',
  ])('%j is not one', (host) => {
    expect(recognise(host, '/v1/messages')).toBeUndefined();
  });

  test.each([
    'a.openai.azure.com',
    'a.b.openai.azure.com',
    'us-central1-aiplatform.googleapis.com',
    'bedrock-runtime.eu-west-1.amazonaws.com',
    'bedrock-runtime-fips.us-gov-west-1.amazonaws.com',
    'vpce-1.bedrock-runtime.us-east-1.vpce.amazonaws.com',
    'bedrock-runtime.cn-north-1.amazonaws.com.cn',
  ])('%s is one', (host) => {
    expect(recognise(host, '/')).toBeDefined();
  });

  test('a server outside of its base path is not one', () => {
    expect(recognise('openrouter.ai', '/v1/messages')).toBeUndefined();
    expect(recognise('openrouter.ai', '/apis/v1/messages')).toBeUndefined();
    expect(recognise('openrouter.ai', '/API/v1/messages')?.operation).toBe('generate');
    expect(recognise('openrouter.ai', '/api')?.operation).toBe('other');
  });

  test('a policy names a server of its own by host and port', () => {
    const servers = [{ hosts: ['localhost', '127.0.0.1'], ports: [11434], provider: 'gpu', style: 'ollama' as const }];
    const at = (host: string, port: number, path: string) =>
      recogniseCall({ host, port, method: 'POST', path }, servers);
    expect(at('localhost', 11434, '/api/chat')).toEqual({
      provider: 'gpu',
      dialect: 'ollama-chat',
      operation: 'generate',
    });
    expect(at('127.0.0.1', 11434, '/api/generate')).toMatchObject({
      dialect: 'ollama-generate',
      operation: 'generate',
    });
    expect(at('localhost', 11434, '/api/embed')).toMatchObject({ dialect: 'ollama-generate', operation: 'embed' });
    expect(at('localhost', 11434, '/v1/chat/completions')).toMatchObject({ dialect: 'openai-chat' });
    expect(at('localhost', 11434, '/api/tags')).toMatchObject({ dialect: 'ollama-chat', operation: 'other' });
    expect(at('localhost', 8080, '/api/chat')).toBeUndefined();
  });

  test('those that tell usage unasked are marked', () => {
    expect(recognise('api.mistral.ai', '/v1/chat/completions')?.streamUsage).toBe('unasked');
    expect(recognise('api.openai.com', '/v1/chat/completions')).not.toHaveProperty('streamUsage');
  });
});

const obscured = fc.constantFrom<readonly ((segment: string) => string)[]>(
  [(segment) => segment.toUpperCase()],
  [(segment) => `${segment};x=1`],
  [(segment) => `./${segment}`],
  [(segment) => `junk/../${segment}`],
  [(segment) => `/${segment}`],
  [(segment) => [...segment].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')],
  [(segment) => [...segment].map((letter) => `%25${letter.charCodeAt(0).toString(16)}`).join('')],
);

test('any mixture of spellings is the same call', () => {
  const calls = fc.constantFrom(
    ['v1', 'messages'],
    ['v1', 'chat', 'completions'],
    ['v1', 'responses'],
    ['model', 'm', 'converse'],
    ['v1beta', 'models', 'g:generatecontent'],
  );
  fc.assert(
    fc.property(
      calls,
      fc.array(obscured, { minLength: 6, maxLength: 6 }),
      fc.constantFrom('', '/', '?x=1', '#', '%3f'),
      (segments, spellings, end) => {
        const plain = recognise('api.openai.com', `/${segments.join('/')}`);
        const path = `/${segments.map((segment, index) => (spellings[index]?.[0] ?? String)(segment)).join('/')}${end}`;
        const { model: _model, ...seen } = recognise('api.openai.com', path) ?? { model: '' };
        const { model: _plain, ...wanted } = plain ?? { model: '' };
        expect(plain?.operation).toBe('generate');
        expect(seen).toEqual(wanted);
      },
    ),
  );
});

test('any host and path give an answer', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.string({ unit: 'binary', maxLength: 400 }),
      (host, path) => {
        expect(recognise(host, path)?.operation).toBeOneOf([undefined, 'other', 'generate', 'count', 'embed']);
        expect(recognise('api.openai.com', path)).toBeDefined();
      },
    ),
  );
});

test.each([
  '%'.repeat(200_000),
  '/../'.repeat(100_000),
  '/a'.repeat(200_000),
  '%25'.repeat(100_000),
  ';'.repeat(300_000),
  '?'.repeat(300_000),
])('a path of 200,000 characters and more is read at once', (path) => {
  expect(recognise('api.openai.com', path)?.operation).toBe('other');
});

const costOf = (host: string, path: string, method = 'POST') =>
  recogniseCall({ host, port: 443, method, path }, knownServers)?.cost;

test.each([
  ['api.anthropic.com', '/v1/messages/batches'],
  ['api.openai.com', '/v1/batches'],
  ['api.openai.com', '/v1/BATCHES/'],
  ['api.openai.com', '/v1/files/../%62atches'],
  ['api.openai.com', '/v1/fine_tuning/jobs'],
  ['api.openai.com', '/v1/threads/t_1/runs'],
  ['api.openai.com', '/v1/images/edits'],
  ['api.openai.com', '/v1/videos'],
  ['api.mistral.ai', '/v1/batch/jobs'],
  ['generativelanguage.googleapis.com', '/v1beta/models/g:batchGenerateContent'],
  ['bedrock-runtime.us-east-1.amazonaws.com', '/async-invoke'],
  ['api.cohere.com', '/v2/chat'],
  ['api.cohere.com', '/v1/generate'],
  ['api.mistral.ai', '/v1/conversations'],
  ['api.mistral.ai', '/v1/conversations/c_1/restart'],
  ['router.huggingface.co', '/hf-inference/models/m'],
  ['api.perplexity.ai', '/search'],
  ['generativelanguage.googleapis.com', '/v1beta/interactions'],
  ['generativelanguage.googleapis.com', '/v1beta/models/aqa:generateAnswer'],
  ['europe-aiplatform.googleapis.com', '/v1/projects/p/locations/l/endpoints/e:serverStreamingPredict'],
  ['bedrock-runtime.us-east-1.amazonaws.com', '/model/m/invoke-with-bidirectional-stream'],
  ['api.openai.com', '/v1/realtime/client_secrets'],
  ['api.openai.com', '/v1/agents/sessions/s_1/events'],
  ['api.openai.com', '/v1/decisions'],
  ['api.anthropic.com', '/v1/sessions'],
  ['api.anthropic.com', '/v1/sessions/s_1/events'],
  ['api.anthropic.com', '/v1/deployments/d_1/run'],
])('%s%s begins work that no answer counts', (host, path) => expect(costOf(host, path)).toBe('untold'));

test.each([
  ['POST', '/v1/messages'],
  ['POST', '/v1/files'],
  ['POST', '/v1/batches/b_1/cancel'],
  ['GET', '/v1/batches'],
  ['DELETE', '/v1/messages/batches/b_1'],
  ['GET', '/v1/fine_tuning/jobs'],
  ['POST', '/v1/chat/completions'],
])('%s %s does not', (method, path) => expect(costOf('api.openai.com', path, method)).toBeUndefined());

test.each([
  ['api.mistral.ai', '/v1/chat/completions'],
  ['api.mistral.ai', '/v1/files'],
  ['api.cohere.com', '/v1/tokenize'],
  ['api.cohere.com', '/compatibility/v1/chat/completions'],
  ['api.openai.com', '/v1/conversations'],
  ['api.openai.com', '/v1/nothing-known'],
  ['api.anthropic.com', '/api/event_logging/batch'],
])('%s%s costs nothing, or has a known cost', (host, path) => expect(costOf(host, path)).toBeUndefined());
