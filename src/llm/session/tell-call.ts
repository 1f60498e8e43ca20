import { STATUS_CODES } from 'node:http';
import type { ModelEvent } from '../../audit/index.ts';
import { textBody } from '../../egress/http/interceptor.ts';
import { type IncomingResponse, field } from '../../egress/http/message.ts';
import { escapeHidden } from '../../text/index.ts';
import type { CallOutcome } from '../index.ts';
import type { CallRefusal } from './prepare-call.ts';
import type { CallState } from './types.ts';

const mostToolCalls = 100;
const longestArguments = 500;
/** Long enough to find a whole secret that begins in the kept part. */
const longestLooked = 65_536;
const longestName = 200;
const longestMessage = 1000;

export interface ToldOutcome extends CallOutcome {
  readonly status: number;
  /** See `withSaid`. */
  readonly said?: number;
  /** Milliseconds. */
  readonly firstByte?: number;
  readonly refusal?: ModelEvent['refusal'];
}

/** Counts the result of a call, and records it in the journal. A call that Holdfast refused cost nothing. */
export function tellCall(
  { gateway, settings, call, destination, began, agent, kept }: CallState,
  outcome: ToldOutcome,
): void {
  const { status, completeness, usage, firstByte, refusal, toolCalls, model = call.model } = outcome;
  const cost = refusal === undefined ? gateway.spending.note(call, outcome, settings) : gateway.spending.free(call);
  // Attack: clients choose the names of models and tools, and their own description. A secret in one of them would get
  // into the journal.
  const shown = (text: string, longest: number): string => escapeHidden(gateway.hide(text)).slice(0, longest);
  gateway.record({
    type: 'model',
    provider: call.provider,
    dialect: call.dialect,
    operation: call.operation,
    host: destination.host,
    port: destination.port,
    ...(model === undefined ? {} : { model: shown(model, longestName) }),
    ...(agent === undefined ? {} : { agent: shown(agent, longestName) }),
    status,
    ...(usage === undefined ? {} : { tokens: usage }),
    usd: cost.kind === 'priced' ? cost.usd : null,
    prices: cost.table,
    completeness,
    duration: Math.max(0, gateway.now() - began),
    ...(firstByte === undefined ? {} : { firstByte }),
    toolCalls: toolCalls.slice(0, mostToolCalls).map(({ name, arguments: words }) => ({
      name: shown(name, longestName),
      arguments: shown(words.slice(0, longestLooked), longestArguments),
    })),
    ...kept?.end(completeness),
    ...(refusal === undefined
      ? {}
      : { refusal: { code: refusal.code, message: shown(refusal.message, longestMessage) } }),
  });
}

/** Returns a refusal in the provider's form, and records it in the journal. */
export function refuseCall(
  state: CallState,
  { code, status: asked, message, retryAfter }: CallRefusal,
): IncomingResponse {
  const { status, headers, body } = state.dialect.refusal({ status: asked, message: `Holdfast: ${message}` });
  const text = JSON.stringify(body);
  const fields = Object.entries({
    'content-type': 'application/json',
    ...headers,
    'content-length': String(Buffer.byteLength(text)),
    'holdfast-refusal': code,
    'cache-control': 'no-store',
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
  });
  tellCall(state, { status, completeness: 'complete', toolCalls: [], refusal: { code, message } });
  return {
    kind: 'response',
    status,
    reason: STATUS_CODES[status] ?? '',
    fields: fields.map(([name, value]) => field(name, value)),
    body: textBody(text),
  };
}
