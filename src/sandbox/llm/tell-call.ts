import type { ModelEvent } from '../../audit/index.ts';
import type { CallOutcome } from '../../llm/index.ts';
import type { CallState } from './carry-call.ts';

const mostToolCalls = 100;
const longestArguments = 500;

export interface ToldOutcome extends CallOutcome {
  readonly status: number;
  /** Milliseconds. */
  readonly firstByte?: number;
  readonly refusal?: ModelEvent['refusal'];
}

/** Counts what a call came to, and tells the journal. A call that was refused here cost nothing. */
export function tellCall({ gateway, settings, call, destination, began, agent }: CallState, outcome: ToldOutcome): void {
  const { status, completeness, usage, firstByte, refusal, toolCalls, model = call.model } = outcome;
  const cost = refusal === undefined ? gateway.spending.note(call, outcome, settings) : gateway.spending.free();
  gateway.record({
    type: 'model',
    provider: call.provider,
    dialect: call.dialect,
    operation: call.operation,
    host: destination.host,
    port: destination.port,
    ...(model === undefined ? {} : { model }),
    ...(agent === undefined ? {} : { agent }),
    status,
    ...(usage === undefined ? {} : { tokens: usage }),
    usd: cost.kind === 'priced' ? cost.usd : null,
    prices: cost.table,
    completeness,
    duration: gateway.now() - began,
    ...(firstByte === undefined ? {} : { firstByte }),
    toolCalls: toolCalls.slice(0, mostToolCalls).map(({ name, arguments: words }) => ({ name: name.slice(0, longestArguments), arguments: gateway.hide(words).slice(0, longestArguments) })),
    ...(refusal === undefined ? {} : { refusal }),
  });
}
