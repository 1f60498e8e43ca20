import { type Duplex, duplexPair } from 'node:stream';
import { opcodes } from '../../../../credentials/websocket/frame-head.ts';
import { framesOf, messagesIn, type Said } from '../../../../credentials/websocket/testing/frames.ts';
import type { Interceptor } from '../../../../egress/http/interceptor.ts';
import type { IncomingResponse, OutgoingRequest } from '../../../../egress/http/message.ts';
import type { Refused } from '../../../../egress/types.ts';
import { modelGateway } from '../../model-gateway.ts';
import { openai, requestOf, type TestGateway } from '../../testing/gateway.ts';

export interface OpenSocket {
  readonly answer: IncomingResponse | Refused;
  /** The forwarded request, if any. */
  readonly handshake: OutgoingRequest | undefined;
  /** The client's stream. */
  readonly client: Duplex;
  /** The server's stream. */
  readonly server: Duplex;
  /** Sends texts from the client, each in one frame. */
  say(...texts: readonly (string | object)[]): void;
  /** Sends texts from the server, each in one frame. */
  tell(...texts: readonly (string | object)[]): void;
  /** The messages so far at the server and at the client: texts, and control frames as `opcode text`. */
  readonly heard: () => readonly string[];
  readonly told: () => readonly string[];
}

/** A WebSocket through the gateway, in memory. */
export function openSocket(gateway: TestGateway, options: SocketOptions = {}): Promise<OpenSocket> {
  return openThrough(modelGateway(gateway), options);
}

interface SocketOptions {
  readonly target?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The same through a gateway's interface. */
export async function openThrough(
  interceptor: Interceptor,
  { target = '/v1/responses', headers = {} }: SocketOptions,
): Promise<OpenSocket> {
  const [tunnel, server] = duplexPair();
  let handshake: OutgoingRequest | undefined;
  const send = interceptor(
    async (request) => {
      handshake = request;
      return { kind: 'response', status: 101, reason: '', fields: [], tunnel };
    },
    { destination: openai, scheme: 'https' },
  );
  const answer = await send(requestOf({ to: openai, method: 'GET', target, headers, upgrade: 'websocket' }));
  const client = (answer.kind === 'response' ? answer.tunnel : undefined) ?? duplexPair()[0];
  for (const end of [client, server, tunnel]) end.on('error', () => undefined);
  return {
    answer,
    handshake,
    client,
    server,
    say: (...texts) => void client.write(framesOf(texts.map(said), 'server')),
    tell: (...texts) => void server.write(framesOf(texts.map(said), 'client')),
    heard: hearing(server, 'client'),
    told: hearing(client, 'server'),
  };
}

/** UTF-8 bytes in the form of the helper for frames. */
export function said(text: string | object): Said {
  return {
    opcode: opcodes.text,
    text: Buffer.from(typeof text === 'string' ? text : JSON.stringify(text)).toString('latin1'),
  };
}

function hearing(stream: Duplex, from: 'client' | 'server'): () => readonly string[] {
  const chunks: Buffer[] = [];
  let isFlowing = false;
  return () => {
    if (!isFlowing) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    isFlowing = true;
    return messagesIn(Buffer.concat(chunks), from).map(({ opcode, text }) =>
      opcode === opcodes.text ? Buffer.from(text, 'latin1').toString() : `${opcode} ${text}`,
    );
  };
}

/** Waits until all bytes on their way have arrived. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** An event's text, as JSON. */
export function eventsIn(texts: readonly string[]): readonly Readonly<Record<string, unknown>>[] {
  return texts.map((text) => JSON.parse(text) as Readonly<Record<string, unknown>>);
}

export const create = (input: string, more: object = {}): object => ({
  type: 'response.create',
  model: 'gpt-5',
  input,
  ...more,
});

const usage = { input_tokens: 5, output_tokens: 7, total_tokens: 12 };

/** The events of an answer that sends pieces of a text. */
export function answering(pieces: readonly string[], more: object = {}): readonly object[] {
  const at = { output_index: 0, content_index: 0, item_id: 'm' };
  return [
    { type: 'response.created', response: { id: 'r', model: 'gpt-5', output: [] } },
    ...pieces.map((delta) => ({ type: 'response.output_text.delta', ...at, delta })),
    { type: 'response.output_text.done', ...at, text: pieces.join('') },
    { type: 'response.completed', response: { id: 'r', model: 'gpt-5', status: 'completed', output: [], usage } },
  ].map((event) => ({ ...event, ...more }));
}
