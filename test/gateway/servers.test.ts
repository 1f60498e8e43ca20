import { createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createAuthority } from '../../src/egress/tls/authority.ts';
import { scratchFile } from '../../src/egress/tls/testing/loopback.ts';
import { identity } from '../../src/egress/tls/testing/servers.ts';
import {
  type Answer,
  defaultUsage,
  type ModelAnswer,
  type ModelServerOptions,
  startModelServer,
} from '../lib/model-server/index.ts';
import { conclusion, everything, said } from './answers.ts';
import { askAt } from './ask.ts';
import { errorNames, onReset } from './recorded.ts';
import { type ClientProgram, clientPrograms, type ClientRun, runClient, type Seen } from './run-client.ts';

interface Try {
  readonly mode: string;
  /** One for each turn. */
  readonly answers: readonly Answer[];
}

/** Each try in turn, in one process of the client, at a server of its dialect. */
async function runTries(
  client: ClientProgram,
  tries: readonly Try[],
  { tls, ...more }: Pick<ModelServerOptions, 'tls'> & Pick<ClientRun, 'more'> = {},
): Promise<readonly Seen[]> {
  await using server = await startModelServer({
    dialect: client.dialect,
    script: tries.flatMap(({ answers }) => answers),
    ...(tls === undefined ? {} : { tls }),
  });
  const seen = await runClient(client, {
    url: tls === undefined ? `http://127.0.0.1:${server.port}` : `https://localhost:${server.port}`,
    modes: tries.map(({ mode }) => mode),
    ...more,
  });
  // For a failed call, the error says more than the number.
  if (seen.every(({ error }) => error === undefined))
    expect(server.requests).toHaveLength(tries.flatMap(({ answers }) => answers).length);
  return seen;
}

/** The numbers of an SDK's usage, anywhere in it. */
function numbersIn(usage: unknown): readonly number[] {
  return [...JSON.stringify(usage).matchAll(/:(\d+)/gu)].map(([, number]) => Number(number));
}

/** Streams return a tool's input as the received JSON. */
function inputOf(input: unknown): unknown {
  return typeof input === 'string' ? JSON.parse(input) : input;
}

/**
 * Ollama's `generate` supports no tools. The Chat helper of OpenAI's SDK keeps the last piece of members outside its
 * own API.
 */
function expectEverything(
  { mode, text, thinking, toolCalls, usage, error }: Seen,
  { name, program }: ClientProgram,
  more = '',
): void {
  const hasTools = !mode.startsWith('generate');
  expect({
    name,
    mode,
    error,
    text,
    toolCalls: toolCalls.map((call) => ({ ...call, input: inputOf(call.input) })),
  }).toEqual({
    name,
    mode,
    error: undefined,
    text: `${said.text}${more}`,
    toolCalls: hasTools ? [{ name: 'weather', input: said.input }] : [],
  });
  expect(thinking).toBe(program === 'openai-chat' && mode === 'tools' ? ' hm' : said.thinking);
  const { output, reasoning } = defaultUsage;
  expect(numbersIn(usage)).toContain(program === 'gemini' ? output - reasoning : output);
}

const ways: Readonly<Record<string, Partial<ModelAnswer>>> = {
  'in whole events': {},
  'in one piece': { chunking: 'whole' },
  'in single bytes': { chunking: 'byte' },
  'with unknown parts': { unknown: 'sprinkled' },
};
/** Bedrock's SDK requests none and decodes none, and a WebSocket has none. */
const codings: Readonly<Record<string, Partial<ModelAnswer>>> = {
  'in gzip': { coding: 'gzip' },
  'in br, in single bytes': { coding: 'br', chunking: 'byte' },
  'in zstd': { coding: 'zstd' },
};

describe.each(clientPrograms)('$name', (client) => {
  const { name, program, whole, stream, tools } = client;

  test('reads whole answers, streams and conversations, in any pieces and codings', async () => {
    const coded = program === 'bedrock' ? [] : Object.values(codings);
    const tries = [
      ...[...Object.values(ways), ...coded].flatMap((way) =>
        [...whole, ...stream.filter((mode) => way.coding === undefined || mode !== 'socket')].map((mode) => ({
          mode,
          answers: [{ ...everything, ...way }],
        })),
      ),
      ...tools.flatMap((mode) =>
        Object.values(ways)
          .filter((way) => way.unknown === undefined || program !== 'openai-responses')
          .map((way) => ({
            mode,
            answers: [
              { ...everything, ...way },
              { ...conclusion, ...way },
            ],
          })),
      ),
    ];
    const seen = await runTries(client, tries);
    for (const line of seen) expectEverything(line, client, tools.includes(line.mode) ? 'so it is' : '');
  });

  test('is served over TLS', async () => {
    const authority = createAuthority();
    const tls = identity(authority, 'localhost');
    const seen = await runTries(
      client,
      [...whole, ...stream].map((mode) => ({ mode, answers: [everything] })),
      { tls, more: { NODE_EXTRA_CA_CERTS: scratchFile('ca.pem', authority.certificatePem) } },
    );
    for (const line of seen) expectEverything(line, client);
  });

  test('reports a reset stream as recorded, after any event', async () => {
    for (const mode of stream) {
      const seen = await runTries(
        client,
        everyEnd('reset').map((answer) => ({ mode, answers: [answer] })),
      );
      const outcomes = seen.map(({ error }) =>
        error === undefined ? 'done' : `${error.name}: ${error.message.split('\n')[0]}`,
      );
      expect([mode, [...new Set(outcomes)]]).toEqual([mode, onReset[name]?.[mode]]);
      expect(seen.map(({ text }) => said.text.startsWith(text))).toEqual(seen.map(() => true));
    }
  });

  test('accepts a stream that ends early without an error as a partial result', async () => {
    for (const mode of stream.filter((one) => one !== 'socket')) {
      const seen = await runTries(
        client,
        everyEnd('end').map((answer) => ({ mode, answers: [answer] })),
      );
      expect(seen.map(({ error }) => error)).toEqual(seen.map(() => undefined));
      const lengths = seen.map(({ text }) => text.length);
      expect([lengths[0], lengths.at(-1)]).toEqual([0, said.text.length]);
      expect(lengths).toEqual([...lengths].sort((one, other) => one - other));
      expect(numbersIn(seen.at(-1)?.usage)).toContain(program === 'gemini' ? 49 : 55);
    }
  });

  test('shows the message of every refusal, and does not retry', async () => {
    const names = errorNames[name] ?? errorNames[name.split(/[ ,]/u)[0] ?? ''] ?? {};
    const statuses = Object.keys(names).map(Number);
    const modes = [...whole, ...stream];
    const seen = await runTries(
      client,
      modes.flatMap((mode) =>
        statuses.map((status) => ({
          mode,
          answers: [{ kind: 'error', status, message: `refused with ${status}` } as const],
        })),
      ),
    );
    const expected = modes.flatMap((mode) =>
      statuses.map((status) => ({
        mode,
        name: mode === 'socket' ? 'WebSocketError' : names[status],
        message: expect.stringContaining(`refused with ${status}`),
      })),
    );
    expect(seen.map(({ mode, error }) => ({ mode, name: error?.name, message: error?.message }))).toEqual(expected);
  });

  test('shows an error within a stream, and the text before it', async () => {
    const seen = await runTries(
      client,
      stream.map((mode) => ({
        mode,
        answers: [{ ...everything, failAfter: { events: 3, message: 'overloaded meanwhile' } }],
      })),
    );
    for (const { error, text } of seen)
      expect([error?.message, said.text.startsWith(text)]).toEqual([
        expect.stringContaining('overloaded meanwhile'),
        true,
      ]);
  });
});

test('the helper of OpenAI’s SDK for Responses fails at an unknown event', async () => {
  const client = clientPrograms.find(({ program }) => program === 'openai-responses');
  const seen =
    client && (await runTries(client, [{ mode: 'tools', answers: [{ ...everything, unknown: 'sprinkled' }] }]));
  expect(seen).toMatchObject([{ error: { name: 'OpenAIError', message: 'Unhandled response stream event: unknown' } }]);
});

/** More events than any of the streams has. */
function everyEnd(abortHow: 'reset' | 'end'): readonly ModelAnswer[] {
  return Array.from({ length: 30 }, (_, abortAfter) => ({ ...everything, abortAfter, abortHow }));
}

describe('a model server', () => {
  test('keeps requests as they arrived', async () => {
    await using server = await startModelServer({ dialect: 'openai', script: [everything] });
    const body = Buffer.from('{"model": "example", "messages":[], "big": 12345678901234567890}');
    const { status } = await fetch(`http://127.0.0.1:${server.port}/v1/chat/completions?a=b`, {
      method: 'POST',
      body,
      headers: { 'X-Example': 'one' },
    });
    expect([status, server.requests]).toMatchObject([
      200,
      [
        {
          transport: 'http',
          version: '1.1',
          method: 'POST',
          path: '/v1/chat/completions?a=b',
          headers: { 'x-example': 'one' },
          body,
        },
      ],
    ]);
  });

  test('refuses calls beyond its script, and unknown paths', async () => {
    await using server = await startModelServer({ dialect: 'anthropic', script: [] });
    const ask = async (path: string): Promise<unknown> =>
      (await fetch(`http://127.0.0.1:${server.port}${path}`, { method: 'POST', body: '{}' })).json();
    expect(await ask('/v1/messages')).toMatchObject({ error: { message: 'The script has no more answers.' } });
    expect(await ask('/v1/other')).toMatchObject({ error: { type: 'not_found_error' } });
  });

  test('holds an event back until it may continue', async () => {
    const release = Promise.withResolvers<void>();
    await using server = await startModelServer({
      dialect: 'ollama',
      script: [{ ...everything, hold: { before: 2, until: release.promise } }],
    });
    const { body } = await fetch(`http://127.0.0.1:${server.port}/api/chat`, {
      method: 'POST',
      body: '{"model":"example"}',
    });
    const lines: string[] = [];
    for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      lines.push(...piece.split('\n').slice(0, -1));
      if (lines.length === 2) release.resolve();
    }
    expect(lines).toHaveLength(6);
  });

  test.each([
    ['gzip', createGunzip],
    ['br', createBrotliDecompress],
    ['zstd', createZstdDecompress],
  ] as const)('sends events in %s so that each can be read on arrival', async (coding, decoder) => {
    const release = Promise.withResolvers<void>();
    await using server = await startModelServer({
      dialect: 'ollama',
      script: [{ ...everything, coding, hold: { before: 2, until: release.promise } }],
    });
    const decoded = decoder();
    let text = '';
    decoded.on('data', (bytes: Buffer) => {
      text += bytes.toString();
      if (text.split('\n').length === 3) release.resolve();
    });
    const ask = askAt(`http://127.0.0.1:${server.port}`, { onPiece: (piece) => void decoded.write(piece) });
    const { end } = await ask({
      method: 'POST',
      path: '/api/chat',
      headers: {},
      body: Buffer.from('{"model":"example"}'),
    });
    await new Promise((resolve) => decoded.end(resolve).resume());
    expect([end, text.trim().split('\n').length]).toEqual(['whole', 6]);
  });

  test('streams Gemini as one array to clients that do not request events', async () => {
    await using server = await startModelServer({ dialect: 'gemini', script: [everything] });
    const answer = await fetch(`http://127.0.0.1:${server.port}/v1beta/models/example:streamGenerateContent`, {
      method: 'POST',
      body: '{}',
    });
    expect([answer.headers.get('content-type'), await answer.json()]).toEqual([
      'application/json; charset=UTF-8',
      expect.any(Array),
    ]);
  });
});
