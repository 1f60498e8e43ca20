import { request as overHttp } from 'node:http';
import type { ServerDialect } from '../lib/model-server/index.ts';
import type { ExchangeRequest } from './ask.ts';

/** A call whose answer streams, or one whose answer is a document. */
export interface StreamTrial {
  readonly name: string;
  readonly dialect: ServerDialect;
  readonly request: ExchangeRequest;
  /** After each event, in an answer's bytes. */
  readonly ends: (answer: Buffer) => readonly number[];
}

const endsAt =
  (mark: string) =>
  (answer: Buffer): readonly number[] =>
    [...answer.toString('latin1').matchAll(new RegExp(mark, 'gu'))].map((found) => found.index + found[0].length);

function messageEnds(answer: Buffer): readonly number[] {
  const ends: number[] = [];
  for (let at = 0; at < answer.length; at += answer.readUInt32BE(at)) ends.push(at + answer.readUInt32BE(at));
  return ends;
}

/** After the elements, and after the list. */
function elementEnds(answer: Buffer): readonly number[] {
  return [...endsAt('\\}(?=,\\r\\n|\\n\\])')(answer), answer.length];
}

function trial(
  name: string,
  dialect: ServerDialect,
  { path, body, ends }: { readonly path: string; readonly body: unknown; readonly ends: StreamTrial['ends'] },
): StreamTrial {
  return {
    name,
    dialect,
    ends,
    request: {
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(body)),
    },
  };
}

const messages = [{ role: 'user', content: 'hello' }];
const contents = [{ role: 'user', parts: [{ text: 'hello' }] }];
const sse = endsAt('\\n\\n');

/** Every dialect in each of its framings. */
export const streamTrials: readonly StreamTrial[] = [
  trial('Anthropic Messages', 'anthropic', {
    path: '/v1/messages',
    body: { model: 'example', max_tokens: 9, messages, stream: true },
    ends: sse,
  }),
  trial('OpenAI Chat', 'openai', {
    path: '/v1/chat/completions',
    body: { model: 'example', messages, stream: true, stream_options: { include_usage: true } },
    ends: sse,
  }),
  trial('OpenAI Responses', 'openai', {
    path: '/v1/responses',
    body: { model: 'example', input: 'hello', stream: true },
    ends: sse,
  }),
  trial('Gemini in events', 'gemini', {
    path: '/v1beta/models/example:streamGenerateContent?alt=sse',
    body: { contents },
    ends: sse,
  }),
  trial('Gemini in a list', 'gemini', {
    path: '/v1beta/models/example:streamGenerateContent',
    body: { contents },
    ends: elementEnds,
  }),
  trial('Bedrock Converse', 'bedrock', {
    path: '/model/example/converse-stream',
    body: { messages: [{ role: 'user', content: [{ text: 'hello' }] }] },
    ends: messageEnds,
  }),
  trial('Bedrock InvokeModel', 'bedrock', {
    path: '/model/example/invoke-with-response-stream',
    body: { anthropic_version: 'bedrock-2023-05-31', max_tokens: 9, messages },
    ends: messageEnds,
  }),
  trial('Ollama', 'ollama', { path: '/api/chat', body: { model: 'example', messages }, ends: endsAt('\\n') }),
  trial('a document', 'anthropic', {
    path: '/v1/messages',
    body: { model: 'example', max_tokens: 9, messages },
    ends: (answer) => [answer.length],
  }),
];

/**
 * Sends the request, and leaves by TCP's reset after this many bytes of the answer's body. Without a number, it leaves
 * after the head.
 */
export function leaveAfter(
  port: number,
  { method, path, headers, body }: ExchangeRequest,
  bytes: number,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const came: Buffer[] = [];
    const sent = overHttp({
      host: '127.0.0.1',
      port,
      method,
      path,
      headers: { ...headers, 'content-length': String(body.length) },
      agent: false,
    });
    const leave = (): void => {
      if (came.reduce((sum, piece) => sum + piece.length, 0) < bytes) return;
      sent.off('error', reject).on('error', () => undefined);
      sent.socket?.resetAndDestroy();
      resolve(Buffer.concat(came));
    };
    sent.on('error', reject).on('response', (response) => {
      response
        .on('error', () => undefined)
        .on('data', (piece: Buffer) => {
          came.push(piece);
          leave();
        });
      leave();
    });
    sent.end(body);
  });
}
