import { createHmac } from 'node:crypto';
import { createFakeMap } from '../../../dlp/fakes/fake-map.ts';
import { chars, withCrc32 } from '../../../dlp/rules/testing/material.ts';
import { bodyFrom, textBody } from '../../../egress/http/interceptor.ts';
import { type IncomingResponse, type OutgoingRequest, field } from '../../../egress/http/message.ts';
import type { Destination, Refused } from '../../../egress/types.ts';
import type { DlpRule, LlmSettings } from '../../../policy/llm/types.ts';
import { knownSecrets } from '../content-rules.ts';
import { modelGateway } from '../model-gateway.ts';
import { cachedContentRules } from '../session-gateway.ts';
import { createSpending } from '../spending.ts';
import type { Gateway } from '../types.ts';

/** In GitHub's form, with a right checksum: it is nobody's. */
export const key = `ghp_${withCrc32(chars('base62', 30, 'sandbox-llm'))}`;
export const anthropic: Destination = { host: 'api.anthropic.com', port: 443 };
export const openai: Destination = { host: 'api.openai.com', port: 443 };

export function settingsOf(parts: Partial<LlmSettings> = {}): LlmSettings {
  return {
    gateway: 'on',
    builtinDlp: parts.dlp === undefined || parts.dlp.length === 0 ? 'in-force' : 'replaced',
    output: 'filter',
    log: { texts: 'not-kept', keep: 604_800_000, most: 200e6 },
    tools: { remote: [], local: [] },
    lookInto: [],
    servers: [],
    budgets: [],
    rates: [],
    prices: [],
    dlp: [],
    ...parts,
  };
}

export function ruleOf(parts: Partial<DlpRule> = {}): DlpRule {
  return { name: 'no-keys', decision: 'block', finds: ['keys'], patterns: [], hosts: 'models', ...parts };
}

export interface TestGateway extends Gateway {
  readonly events: Parameters<Gateway['record']>[0][];
}

export function gatewayOf(
  settings: LlmSettings | (() => LlmSettings | undefined) = settingsOf(),
  parts: Partial<Gateway> = {},
): TestGateway {
  const events: TestGateway['events'] = [];
  let time = 1_750_000_000_000;
  return {
    events,
    settings: typeof settings === 'function' ? settings : () => settings,
    spending: createSpending({ session: 'own', ofOthers: () => ({ spent: [], more: () => [] }), now: () => time }),
    fakes: createFakeMap({ keyed: (text) => createHmac('sha256', 'test').update(text).digest() }),
    rulesFor: cachedContentRules(knownSecrets(() => [])),
    allows: () => false,
    hide: (text) => text.replaceAll(key, '[hidden]'),
    record: (event) => void events.push(event),
    now: () => (time += 10),
    ...parts,
  };
}

export interface Asked {
  readonly to?: Destination;
  readonly method?: string;
  readonly target?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string | OutgoingRequest['body'];
  readonly upgrade?: 'websocket';
  readonly signal?: AbortSignal;
}

export function requestOf({
  to = anthropic,
  method = 'POST',
  target = '/v1/messages',
  headers = {},
  body,
  upgrade,
  signal = new AbortController().signal,
}: Asked): OutgoingRequest {
  const content = typeof body === 'string' || Buffer.isBuffer(body) ? bytesBody(Buffer.from(body)) : body;
  return {
    method,
    scheme: 'https',
    authority: to.host,
    target,
    fields: Object.entries(headers).map(([name, value]) => field(name, value)),
    signal,
    ...(content === undefined ? {} : { body: content }),
    ...(upgrade === undefined ? {} : { upgrade }),
  };
}

function bytesBody(bytes: Buffer): NonNullable<OutgoingRequest['body']> {
  async function* once(): AsyncGenerator<Buffer, void> {
    yield bytes;
  }
  return bodyFrom(once(), { length: bytes.length });
}

/** The result of one exchange. */
export interface Exchanged {
  readonly answer: IncomingResponse | Refused;
  readonly text: string;
  /** The forwarded requests, in order. */
  readonly sent: readonly { readonly request: OutgoingRequest; readonly body: string }[];
}

export interface Answering {
  readonly status?: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Gets the forwarded bytes. */
  readonly text?: (sent: string) => string;
}

export function answerOf(
  { status = 200, type = 'application/json', headers = {}, text = () => '{}' }: Answering,
  sent = '',
): IncomingResponse {
  return {
    kind: 'response',
    status,
    reason: '',
    fields: Object.entries({ 'content-type': type, ...headers }).map(([name, value]) => field(name, value)),
    body: textBody(text(sent)),
  };
}

/** Sends a request through the gateway, and reads the answer to its end. */
export async function exchange(
  gateway: Gateway,
  asked: Asked,
  answering: Answering | Refused = {},
): Promise<Exchanged> {
  const sent: { request: OutgoingRequest; body: string }[] = [];
  const send = modelGateway(gateway)(
    async (request) => {
      const body = await textOf(request.body);
      sent.push({ request, body });
      return 'refusal' in answering ? answering : answerOf(answering, body);
    },
    { destination: asked.to ?? anthropic, scheme: 'https' },
  );
  const answer = await send(requestOf(asked));
  return { answer, sent, text: answer.kind === 'response' ? await textOf(answer.body) : '' };
}

export async function textOf(body: AsyncIterable<Buffer> | undefined): Promise<string> {
  const read: Buffer[] = [];
  for await (const bytes of body ?? []) read.push(bytes);
  return Buffer.concat(read).toString();
}

export function said(text: string): string {
  return JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 10, messages: [{ role: 'user', content: text }] });
}
