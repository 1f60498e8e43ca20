import { describe, expect, test } from 'vitest';
import { chars, withCrc32 } from '../../src/dlp/rules/testing/material.ts';
import { defaultUsage } from '../lib/model-server/index.ts';
import { everything, said } from './answers.ts';
import { inBox } from './in-box.ts';
import { clientPrograms } from './run-client.ts';

describe.each(clientPrograms)('$name', (client) => {
  const modes = [...client.whole, ...client.stream];

  test('has the same output through the gateway, and its calls are counted', async () => {
    const { seen, calls } = await inBox(client, modes, { answers: modes.map(() => everything) });
    expect(seen.map(({ mode, text, error }) => ({ mode, text, error }))).toEqual(
      modes.map((mode) => ({ mode, text: said.text, error: undefined })),
    );
    expect(
      calls.map(({ provider, status, completeness, tokens, usd }) => ({
        provider,
        status,
        completeness,
        output: tokens?.output,
        usd,
      })),
    ).toEqual(
      modes.map(() => ({
        provider: 'own',
        status: 200,
        completeness: 'complete',
        output: defaultUsage.output,
        usd: null,
      })),
    );
    expect(
      calls.flatMap(({ toolCalls }) => toolCalls.map(({ name }) => name)).filter((name) => name !== 'weather'),
    ).toEqual([]);
  });

  test('sends no key of a prompt, and its user gets the key back in the model’s answer', async () => {
    const echoing = modes.filter((mode) => !mode.startsWith('generate'));
    const { seen, bodies, journal } = await inBox(client, echoing, {
      answers: echoing.map(() => 'echo' as const),
      more: { CLIENT_PROMPT: `deploy with ${key} please` },
    });
    expect(bodies.join('')).not.toContain(key);
    expect(seen.map(({ text }) => text)).toEqual(echoing.map(() => `deploy with ${key} please`));
    expect(JSON.stringify(journal)).not.toContain(key);
    expect(journal.filter(({ type }) => type === 'dlp')).toMatchObject(
      echoing.map(() => ({ decision: 'tokenize', found: { 'github-token': 1 } })),
    );
  });

  test('gets a rule’s refusal from its own SDK, once', async () => {
    const policy = '[[dlp]]\nname = "no-keys"\ndecision = "block"\nreason = "ask for a phantom"\nfinds = ["keys"]\n';
    const { seen, bodies, calls } = await inBox(client, modes, {
      answers: [],
      policy,
      more: { CLIENT_PROMPT: `deploy with ${key} please` },
    });
    expect(bodies).toEqual([]);
    for (const { error } of seen) expect(error?.message).toContain('by the rule no-keys: ask for a phantom');
    expect(calls.map(({ refusal, usd }) => [refusal?.code, usd])).toEqual(modes.map(() => ['dlp', 0]));
  });

  test('is refused after its budget is spent, with a warning before', async () => {
    const policy = '[[llm.budgets]]\nname = "few"\nlimit = "10 requests"\n';
    const [mode = ''] = client.whole;
    const { seen, bodies } = await inBox(
      client,
      Array.from({ length: 11 }, () => mode),
      { answers: Array.from({ length: 10 }, () => everything), policy },
    );
    expect(seen.map(({ error }) => error === undefined)).toEqual([...Array.from({ length: 10 }, () => true), false]);
    expect(seen.at(-1)?.error?.message).toMatch(/Budget \\*"few\\*" is spent/u);
    expect(bodies.map((body) => /80\s?%|90\s?%|95\s?%/u.exec(body)?.[0] ?? '').filter(Boolean)).not.toEqual([]);
  });
});

/** In GitHub's form, with a right checksum: it is nobody's. */
const key = `ghp_${withCrc32(chars('base62', 30, 'gateway'))}`;
