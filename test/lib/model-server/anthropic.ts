import { argumentPieces, callsTools, modelOf, usageOf } from './answers.ts';
import type { Call, Dialect, Endpoint, ModelAnswer, ModelEvent, Part } from './types.ts';

/**
 * Sources: platform.claude.com/docs/en/api/messages and …/build-with-claude/streaming; the typings of @anthropic-ai/sdk
 * 1.12.0.
 */
export const anthropic: Dialect = {
  endpoint(call) {
    const path = call.path.split('?')[0] ?? '';
    if (path.endsWith('/v1/messages'))
      return { ...messages, answersWith: call.body?.['stream'] === true ? 'stream' : 'document' };
    return path.endsWith('/v1/messages/count_tokens')
      ? { ...messages, document: (answer) => ({ input_tokens: usageOf(answer).uncachedInput }) }
      : undefined;
  },
  refusal: (status, message) => ({
    headers: { 'request-id': 'req_example' },
    body: errorOf(errorTypes[status] ?? 'api_error', message),
  }),
};

/** A message of Anthropic's as one document; Bedrock's `invoke` answers with it too. */
export function messageOf(answer: ModelAnswer, call: Call): unknown {
  return {
    ...openMessage(answer, call),
    content: answer.parts.map(wholeBlock),
    stop_reason: stopReason(answer),
    usage: { ...startUsage(answer), ...endUsage(answer) },
  };
}

/** … and as the events of a stream. */
export function messageEvents(answer: ModelAnswer, call: Call): readonly ModelEvent[] {
  return [
    event({ type: 'message_start', message: openMessage(answer, call) }),
    event({ type: 'ping' }),
    ...answer.parts.flatMap(blockEvents),
    event({
      type: 'message_delta',
      delta: { stop_reason: stopReason(answer), stop_sequence: null },
      usage: endUsage(answer),
    }),
    event({ type: 'message_stop' }),
  ];
}

const messages: Endpoint = {
  framing: 'sse',
  answersWith: 'document',
  document: messageOf,
  events: messageEvents,
  failure: (message) => event(errorOf('overloaded_error', message)),
  unknownEvent: event({ type: 'future_event', payload: [1, 'two'] }),
};

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  529: 'overloaded_error',
};

function errorOf(
  type: string,
  message: string,
): { readonly type: 'error'; readonly error: unknown; readonly request_id: string } {
  return { type: 'error', error: { type, message }, request_id: 'req_example' };
}

function event(value: { readonly type: string; readonly [member: string]: unknown }): ModelEvent {
  return { name: value.type, data: JSON.stringify(value) };
}

function openMessage(answer: ModelAnswer, call: Call): Readonly<Record<string, unknown>> {
  return {
    id: 'msg_example',
    type: 'message',
    role: 'assistant',
    model: modelOf(answer, call),
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...startUsage(answer), output_tokens: 1 },
  };
}

function stopReason(answer: ModelAnswer): string {
  return callsTools(answer) ? 'tool_use' : 'end_turn';
}

function startUsage(answer: ModelAnswer): Readonly<Record<string, unknown>> {
  const { uncachedInput, cacheRead, cacheWrite5m, cacheWrite1h } = usageOf(answer);
  const written = { ephemeral_5m_input_tokens: cacheWrite5m, ephemeral_1h_input_tokens: cacheWrite1h };
  return {
    input_tokens: uncachedInput,
    cache_creation_input_tokens: cacheWrite5m + cacheWrite1h,
    cache_read_input_tokens: cacheRead,
    cache_creation: written,
    service_tier: 'standard',
  };
}

function endUsage(answer: ModelAnswer): Readonly<Record<string, unknown>> {
  const { output, reasoning } = usageOf(answer);
  return { output_tokens: output, output_tokens_details: { thinking_tokens: reasoning } };
}

function wholeBlock(part: Part): unknown {
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: part.pieces.join(''), citations: null };
    case 'thinking':
      return { type: 'thinking', thinking: part.pieces.join(''), signature: part.signature };
    case 'tool-call':
      return { type: 'tool_use', id: part.id, name: part.name, input: part.input };
  }
}

function blockEvents(part: Part, index: number): readonly ModelEvent[] {
  return [
    event({ type: 'content_block_start', index, content_block: emptyBlock(part) }),
    ...deltas(part).map((delta) => event({ type: 'content_block_delta', index, delta })),
    event({ type: 'content_block_stop', index }),
  ];
}

function emptyBlock(part: Part): unknown {
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: '' };
    case 'thinking':
      return { type: 'thinking', thinking: '', signature: '' };
    case 'tool-call':
      return { type: 'tool_use', id: part.id, name: part.name, input: {} };
  }
}

function deltas(part: Part): readonly unknown[] {
  switch (part.kind) {
    case 'text':
      return part.pieces.map((text) => ({ type: 'text_delta', text }));
    case 'thinking':
      return [
        ...part.pieces.map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature: part.signature },
      ];
    case 'tool-call':
      return ['', ...argumentPieces(part)].map((partial_json) => ({ type: 'input_json_delta', partial_json }));
  }
}
