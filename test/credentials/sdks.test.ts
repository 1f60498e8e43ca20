import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openWorld, type Site, type World } from '../lib/credential-world.ts';
import { deliveredBy, provided } from './lib/provided.ts';

const secrets = {
  openai: `sk-proj-${'EXAMPLE0'.repeat(12)}`,
  anthropic: `sk-ant-api03-${'EXAMPLE1'.repeat(11)}`,
  gemini: `AIza${'EXAMPLE2'.repeat(4)}abc`,
} as const;

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

/** Half of it immediately, the rest a little later. */
function sendEvents(response: ServerResponse, events: readonly string[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const half = Math.ceil(events.length / 2);
  response.write(events.slice(0, half).join(''));
  setTimeout(() => response.end(events.slice(half).join('')), 30);
}

/** An event in the form of OpenAI and Gemini, and in that of Anthropic. */
const data = (value: unknown): string => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
const event = (value: { readonly type: string }): string => `event: ${value.type}\n${data(value)}`;

const openai: Site = ({ headers, url, body }, response) => {
  if (headers['authorization'] !== `Bearer ${secrets.openai}`)
    return sendJson(response, 401, { error: { message: 'Incorrect API key provided.' } });
  // As the real server does for unknown keys.
  if (url === '/v1/models')
    return sendJson(response, 401, {
      error: { message: `Incorrect API key provided: ${secrets.openai}.`, code: 'invalid_api_key' },
    });
  if (!body.includes('"stream":true'))
    return sendJson(response, 200, {
      id: 'a',
      object: 'chat.completion',
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'whole' } }],
    });
  const chunk = (content: string): string =>
    data({ id: 'a', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content } }] });
  return sendEvents(response, [chunk('in '), chunk('pieces'), data('[DONE]')]);
};

const anthropic: Site = ({ headers, body }, response) => {
  if (headers['x-api-key'] !== secrets.anthropic || headers['authorization'] !== undefined)
    return sendJson(response, 401, {
      type: 'error',
      error: { type: 'authentication_error', message: 'invalid x-api-key' },
    });
  const message = {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'example',
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
  if (!body.includes('"stream":true'))
    return sendJson(response, 200, { ...message, content: [{ type: 'text', text: 'whole' }] });
  const delta = (text: string): string =>
    event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } } as { type: string });
  return sendEvents(response, [
    event({ type: 'message_start', message: { ...message, content: [] } } as { type: string }),
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } } as { type: string }),
    delta('in '),
    delta('pieces'),
    event({ type: 'content_block_stop', index: 0 } as { type: string }),
    event({ type: 'message_stop' }),
  ]);
};

const gemini: Site = ({ headers, url }, response) => {
  if (headers['x-goog-api-key'] !== secrets.gemini)
    return sendJson(response, 400, { error: { code: 400, message: 'API key not valid.', status: 'INVALID_ARGUMENT' } });
  const part = (text: string): unknown => ({ candidates: [{ content: { role: 'model', parts: [{ text }] } }] });
  if (!url.includes(':streamGenerateContent')) return sendJson(response, 200, part('whole'));
  return sendEvents(response, [data(part('in ')), data(part('pieces'))]);
};

async function providers(): Promise<World> {
  return openWorld({
    ...provided(secrets),
    sites: { 'api.openai.com': openai, 'api.anthropic.com': anthropic, 'generativelanguage.googleapis.com': gemini },
  });
}

/** Runs a program that uses a provider's SDK as its documentation shows. */
function client(world: World, name: string, environment: Readonly<Record<string, string>>): ReturnType<World['run']> {
  return world.run([process.execPath, join(import.meta.dirname, 'fixtures', `${name}.ts`)], environment);
}

describe('the SDK of', () => {
  test.each(['openai', 'anthropic', 'gemini'])(
    '%s gets its answers, whole and streamed, with only a phantom',
    async (provider) => {
      const world = await providers();
      const environment = deliveredBy(world.context);
      expect(JSON.stringify(environment)).not.toMatch(/EXAMPLE\d/u);
      expect(await client(world, provider, environment)).toEqual({ status: 0, stdout: 'whole in pieces', stderr: '' });
      expect(world.arrived).toHaveLength(2);
      expect(world.context.uses.map(({ credential }) => credential)).toEqual([provider, provider]);
      expect(world.context.alarms).toEqual([]);
      expect(
        JSON.stringify(world.arrived.map(({ headers, url, body }) => [headers, url, body.toString()])),
      ).not.toContain(world.context.phantom(provider));
    },
  );

  test('Anthropic sends a phantom that was given as a token, and is served', async () => {
    const world = await providers();
    expect(
      await client(world, 'anthropic', { ANTHROPIC_AUTH_TOKEN: world.context.phantom('anthropic') }),
    ).toMatchObject({ status: 0, stdout: 'whole in pieces' });
  });

  test('OpenAI shows no secret from an error', async () => {
    const world = await providers();
    const { stdout, stderr, status } = await client(world, 'openai-models', deliveredBy(world.context));
    expect(status).toBe(1);
    expect(stdout + stderr).toContain(`Incorrect API key provided: ${'*'.repeat(secrets.openai.length)}.`);
    expect(stdout + stderr).not.toContain(secrets.openai);
    expect(world.context.alarms).toMatchObject([{ kind: 'secret-reflected', credential: 'openai', place: 'the body' }]);
  });

  test.each([
    ['a key of someone else', { OPENAI_API_KEY: 'sk-of-an-attacker-EXAMPLE' }, 'foreign-credential'],
    ['the phantom of another provider', { OPENAI_API_KEY: '{anthropic}' }, 'phantom-unbound'],
  ] as const)('OpenAI gets the reason why %s is refused', async (_, environment, alarm) => {
    const world = await providers();
    const { stderr } = await client(world, 'openai', {
      OPENAI_API_KEY: environment.OPENAI_API_KEY.replace('{anthropic}', world.context.phantom('anthropic')),
    });
    expect(stderr).toMatch(/403 .*The header authorization of the request to api\.openai\.com:443 holds/u);
    expect(world.arrived).toEqual([]);
    expect(world.context.alarms).toMatchObject([{ kind: alarm, destination: { host: 'api.openai.com', port: 443 } }]);
  });
});
