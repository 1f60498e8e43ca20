import type { JournalEvent, ModelEvent } from '../../src/audit/index.ts';

const workspaces = ['/home/dev/app', '/home/dev/api'];
const models = [
  {
    provider: 'anthropic',
    dialect: 'anthropic-messages',
    host: 'api.anthropic.com',
    model: 'claude-opus-4-5',
    agent: 'claude-cli/2.1.4',
    usd: 0.031,
  },
  {
    provider: 'openai',
    dialect: 'openai-responses',
    host: 'api.openai.com',
    model: 'gpt-5.1-codex',
    agent: 'codex_cli_rs/0.63',
    usd: 0.012,
  },
  {
    provider: 'anthropic',
    dialect: 'anthropic-messages',
    host: 'api.anthropic.com',
    model: 'claude-haiku-4-5',
    agent: 'claude-cli/2.1.4',
    usd: 0.002,
  },
  { provider: 'local', dialect: 'ollama-chat', host: 'localhost', model: 'qwen3-coder', usd: null },
] as const;

/**
 * The call with this number, as a working agent makes them: many of the first model, few of the last, which has no
 * price.
 */
export function callOf(index: number, session = `s-${Math.floor(index / 100)}`): ModelEvent {
  const { usd, ...model } = models[index % 29 === 0 ? 3 : index % 7 === 0 ? 2 : index % 4 === 0 ? 1 : 0];
  const size = 1 + ((index * 37) % 50) / 25;
  const tokens = {
    uncachedInput: Math.round(900 * size),
    cacheRead: Math.round(21_000 * size),
    cacheWrite5m: Math.round(2500 * size),
    cacheWrite1h: 0,
    output: Math.round(1400 * size),
    reasoning: Math.round(400 * size),
  };
  return {
    type: 'model',
    session,
    workspace: workspaces[Math.floor(index / 300) % 2] ?? '',
    operation: 'generate',
    port: 443,
    status: 200,
    ...model,
    tokens,
    usd: usd === null ? null : usd * size,
    prices: '@pydantic/genai-prices 0.0.73',
    completeness: 'complete',
    duration: 4000,
    toolCalls: [],
  };
}

/** The findings of a rule, and the values that it kept here, beside them. */
export function findsOf(index: number): readonly JournalEvent[] {
  const { host, port, session, workspace, ...call } = callOf(index);
  const at = { host, port, session, workspace };
  return [
    {
      type: 'dlp',
      ...at,
      path: '/v1/messages',
      rule: 'keys',
      decision: 'tokenize',
      found: { 'github-token': 1 + (index % 3), 'aws-access-key': 1 },
    },
    { type: 'dlp', ...at, path: '/v1/messages', rule: 'tickets', decision: 'block', found: { pattern: 1 } },
    { ...call, ...at, status: 403, usd: 0, refusal: { code: 'dlp', message: 'names of customers stay here' } },
  ];
}
