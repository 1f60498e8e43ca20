import { expect, test } from 'vitest';
import { chars, withCrc32 } from '../../src/dlp/rules/testing/material.ts';
import { type Answer, defaultUsage } from '../lib/model-server/index.ts';
import { conclusion, everything, said } from './answers.ts';
import { badSockets } from './bad-sockets.ts';
import { type InBox, inBox, type Ran } from './in-box.ts';
import { type Judgement, judge, witness } from './judge.ts';
import { clientPrograms } from './run-client.ts';
import { startThrough, type Through } from './through.ts';

/** In GitHub's form, with a right checksum: it is nobody's. */
const key = `ghp_${withCrc32(chars('base62', 30, 'sockets'))}`;

async function judged(exchange: (typeof badSockets)[number]): Promise<Judgement> {
  const gateways: Through[] = [];
  const direct = await witness(exchange, (port) => port);
  const through = await witness(
    exchange,
    async (port) => {
      // A word that may continue waits for its end, and comes in two events: the filtered messages differ.
      const gateway = await startThrough(port, { dialect: 'openai', output: 'as-is' });
      gateways.push(gateway);
      return gateway.port;
    },
    direct,
  );
  for (const gateway of gateways) await gateway[Symbol.asyncDispose]();
  return judge(exchange, direct, through);
}

test('errors in a WebSocket pass the gateway unchanged, or are refused by it', async () => {
  const judgements: (readonly [string, Judgement])[] = [];
  // A few at a time, because each runs in this process.
  for (let at = 0; at < badSockets.length; at += 8)
    judgements.push(
      ...(await Promise.all(
        badSockets.slice(at, at + 8).map(async (exchange) => [exchange.name, await judged(exchange)] as const),
      )),
    );
  // Frames that no server may send end it, because nobody could inspect the bytes after them.
  expect(judgements.filter(([, judgement]) => judgement !== 'same' && judgement !== 'refused')).toEqual([
    ['WebSocket: an answer that is masked', 'altered answer'],
  ]);
  expect(judgements.filter(([, judgement]) => judgement === 'same')).toHaveLength(12);
});

/** The SDK's own client over WebSockets, in a box. */
function run(modes: readonly string[], options: InBox): Promise<Ran> {
  const client = clientPrograms.find(({ name }) => name === 'openai, Responses');
  if (client === undefined) throw new Error('There is no such client.');
  return inBox(client, modes, options);
}

test('two turns are the same over one WebSocket, and a broken one counts as incomplete', async () => {
  const turns = (['event', 'byte'] as const).flatMap((chunking) => [
    { ...everything, chunking },
    { ...conclusion, chunking },
  ]);
  const { seen, bodies, calls } = await run(['socket-tools', 'socket-tools', 'socket'], {
    answers: [...turns, { ...everything, abortAfter: 4 }],
  });
  const whole = {
    text: `${said.text}so it is`,
    thinking: said.thinking,
    toolCalls: [{ name: 'weather', input: JSON.stringify(said.input) }],
  };
  expect(seen).toMatchObject([whole, whole, { error: { message: 'the socket closed' } }]);
  expect(bodies).toHaveLength(5);
  const first = {
    provider: 'own',
    status: 200,
    completeness: 'complete',
    tokens: { output: defaultUsage.output },
    toolCalls: [{ name: 'weather' }],
  };
  const second = { ...first, toolCalls: [] };
  expect(calls).toMatchObject([first, second, first, second, { status: 200, completeness: 'partial' }]);
});

test('a key in the second message stays here too, and comes back in the model’s answer', async () => {
  const asks: Answer = {
    kind: 'model',
    parts: [{ kind: 'tool-call', id: 'call_1', name: 'deploy', input: { city: 'Zürich' } }],
  };
  const { seen, bodies, journal } = await run(['socket-tools'], {
    answers: [asks, 'echo'],
    more: { CLIENT_PROMPT: `deploy with ${key} please` },
  });
  expect(bodies.map((body) => [body.includes(key), /ghp_[A-Za-z0-9]{36}/u.test(body)])).toEqual([
    [false, true],
    [false, true],
  ]);
  expect(seen).toMatchObject([{ text: `deploy with ${key} please` }]);
  expect(journal.filter(({ type }) => type === 'dlp')).toMatchObject([
    { decision: 'tokenize', found: { 'github-token': 1 } },
    { decision: 'tokenize' },
  ]);
});

test('a budget holds from message to message', async () => {
  const { seen, bodies, calls } = await run(['socket-tools'], {
    answers: [everything],
    policy: '[[llm.budgets]]\nname = "few"\nlimit = "1 requests"\n',
  });
  expect(bodies).toHaveLength(1);
  expect(seen).toMatchObject([
    { text: said.text, error: { message: expect.stringMatching(/Budget \\*"few\\*" is spent/u) as string } },
  ]);
  expect(calls).toMatchObject([{ status: 200 }, { status: 403, refusal: { code: 'budget-spent' }, usd: 0 }]);
});
