import { type Answer, type ReceivedRequest, type ServerDialect, startModelServer } from '../lib/model-server/index.ts';
import { conclusion } from './answers.ts';
import type { BadExchange } from './bad-exchanges.ts';
import { answerIn, type RawAnswerParts, rawExchange, type RawExchange } from './raw-exchange.ts';
import { socketMessages } from './socket-messages.ts';

/** The observations of an exchange on both sides of a gateway. */
export interface Witnessed {
  readonly exchange: RawExchange;
  readonly requests: readonly ReceivedRequest[];
}

/**
 * `same`: as without a gateway. `refused`: the provider's own error shape, and nothing arrived. The rest is a fault.
 */
export type Judgement = 'same' | 'refused' | 'altered request' | 'altered answer';

/**
 * Runs an exchange with its own server. `way` gives the port to send to: the server's own, or the port of a gateway in
 * front. Waits for an open WebSocket with fewer bytes than `expected`, because a slow gateway is no fault.
 */
export async function witness(
  { dialect, request, direct, answer = () => conclusion }: BadExchange,
  way: (port: number) => Promise<number> | number,
  expected?: Witnessed,
): Promise<Witnessed> {
  const script: readonly Answer[] = [answer(), conclusion];
  await using server = await startModelServer({ dialect, script });
  const isEnough = (bytes: Buffer): boolean =>
    expected === undefined || saidIn(bytes) >= saidIn(expected.exchange.bytes);
  const exchange = await rawExchange(await way(server.port), request(), {
    first: direct === 'nothing' ? quiet : patience,
    next: (bytes) => (direct === 101 && isEnough(bytes) ? quiet : patience),
  });
  return { exchange, requests: [...server.requests] };
}

/**
 * Milliseconds without a byte after which an exchange without an end of its own is over, and the limit for any
 * exchange.
 */
const quiet = 1000;
const patience = 10_000;

/** Bytes in a WebSocket's messages, in any frames. A refusal has as many bytes as expected. */
function saidIn(bytes: Buffer): number {
  const parts = answerIn(bytes);
  if (parts?.status !== 101) return 0;
  return parts.body.includes('"type":"error"') ? Number.POSITIVE_INFINITY : socketMessages(parts.body).length;
}

export function judge({ dialect }: BadExchange, direct: Witnessed, through: Witnessed): Judgement {
  const [one, other] = [answerIn(direct.exchange.bytes), answerIn(through.exchange.bytes)];
  const isSame = isSameAnswer(one, other);
  if (isSame && isSameRequests(direct.requests, through.requests)) return 'same';
  if (through.requests.length === 0 && other !== undefined && isRefused(dialect, other)) return 'refused';
  return isSameRequests(direct.requests, through.requests) ? 'altered answer' : 'altered request';
}

/** A WebSocket's messages are the same in any frames. */
function isSameAnswer(one: RawAnswerParts | undefined, other: RawAnswerParts | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  const [body, otherBody] =
    one.status === 101 ? [socketMessages(one.body), socketMessages(other.body)] : [one.body, other.body];
  return one.status === other.status && one.isWhole === other.isWhole && body.equals(otherBody);
}

/** An error event or a close refuses an open WebSocket. */
function isRefused(dialect: ServerDialect, { status, body }: RawAnswerParts): boolean {
  if (status !== 101) return status >= 400 && isRefusalOf(dialect, body);
  return body.includes('"type":"error"') || (body.at(0) ?? 0) === 0x88;
}

function isSameRequests(direct: readonly ReceivedRequest[], through: readonly ReceivedRequest[]): boolean {
  return (
    direct.length === through.length &&
    direct.every(({ path, body }, index) => path === through[index]?.path && body.equals(through[index].body))
  );
}

/** Whether a provider could have written it, so that its SDK shows the message. */
function isRefusalOf(dialect: ServerDialect, body: Buffer): boolean {
  const value = parsed(body);
  const error = value?.['error'];
  const isText = (member: unknown): boolean => typeof member === 'string' && member !== '';
  const told = typeof error === 'object' && error !== null ? (error as Readonly<Record<string, unknown>>) : {};
  switch (dialect) {
    case 'anthropic':
      return value?.['type'] === 'error' && isText(told['type']) && isText(told['message']);
    case 'openai':
    case 'azure':
      return isText(told['type']) && isText(told['message']);
    case 'gemini':
      return typeof told['code'] === 'number' && isText(told['status']) && isText(told['message']);
    case 'bedrock':
      return isText(value?.['message']);
    case 'ollama':
      return isText(error);
  }
}

function parsed(body: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
