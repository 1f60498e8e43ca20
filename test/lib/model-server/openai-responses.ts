import { argumentPieces, inputOf, modelOf, usageOf } from './answers.ts';
import type { Call, Endpoint, ModelAnswer, ModelEvent, Part } from './types.ts';

/**
 * Sources: platform.openai.com/docs/api-reference/responses-streaming and …/guides/websocket-mode; the typings of
 * openai 7.57.0.
 */
export function responsesEndpoint(call: Call): Endpoint {
  return {
    framing: 'sse',
    answersWith: call.body?.['stream'] === true ? 'stream' : 'document',
    document: (answer, asked) => response(answer, asked, 'completed'),
    events: responseEvents,
    failure,
    unknownEvent: { name: 'response.future', data: '{"type":"response.future","payload":[1,"two"]}' },
  };
}

function responseEvents(answer: ModelAnswer, call: Call): readonly ModelEvent[] {
  const open = response(answer, call, 'in_progress');
  const values: readonly Typed[] = [
    { type: 'response.created', response: open },
    { type: 'response.in_progress', response: open },
    ...answer.parts.flatMap(itemEvents),
    { type: 'response.completed', response: response(answer, call, 'completed') },
  ];
  return values.map((value, index) => ({
    name: value.type,
    data: JSON.stringify({ ...value, sequence_number: index }),
  }));
}

interface Typed {
  readonly type: string;
  readonly [member: string]: unknown;
}

function failure(message: string): ModelEvent {
  return {
    name: 'error',
    data: JSON.stringify({ type: 'error', code: 'server_error', message, param: null, sequence_number: 0 }),
  };
}

function response(answer: ModelAnswer, call: Call, status: 'completed' | 'in_progress'): unknown {
  const isDone = status === 'completed';
  const nothing = {
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    metadata: {},
    previous_response_id: null,
    temperature: 1,
    top_p: 1,
    truncation: 'disabled',
  };
  return {
    id: 'resp_example',
    object: 'response',
    created_at: 1_700_000_000,
    status,
    ...nothing,
    model: modelOf(answer, call),
    output: isDone ? answer.parts.map((part, index) => item(part, index, 'completed')) : [],
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools: [],
    usage: isDone ? usage(answer) : null,
  };
}

function usage(answer: ModelAnswer): unknown {
  const told = usageOf(answer);
  const input = inputOf(told);
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: told.cacheRead, cache_write_tokens: told.cacheWrite5m + told.cacheWrite1h },
    output_tokens: told.output,
    output_tokens_details: { reasoning_tokens: told.reasoning },
    total_tokens: input + told.output,
  };
}

interface Item extends Typed {
  readonly id: string;
}

function item(part: Part, index: number, status: 'completed' | 'in_progress'): Item {
  const isDone = status === 'completed';
  switch (part.kind) {
    case 'text':
      return {
        id: `msg_${index}`,
        type: 'message',
        role: 'assistant',
        status,
        content: isDone ? [textPart(part.pieces.join(''))] : [],
      };
    case 'thinking':
      return {
        id: `rs_${index}`,
        type: 'reasoning',
        summary: isDone ? [{ type: 'summary_text', text: part.pieces.join('') }] : [],
        ...(isDone ? { encrypted_content: part.signature } : {}),
      };
    case 'tool-call':
      return {
        id: `fc_${index}`,
        type: 'function_call',
        status,
        call_id: part.id,
        name: part.name,
        arguments: isDone ? JSON.stringify(part.input) : '',
      };
  }
}

function textPart(text: string): unknown {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

function itemEvents(part: Part, output_index: number): readonly Typed[] {
  const item_id = item(part, output_index, 'in_progress').id;
  return [
    { type: 'response.output_item.added', output_index, item: item(part, output_index, 'in_progress') },
    ...innerEvents(part).map(({ type, ...rest }) => ({ type, item_id, output_index, ...rest })),
    { type: 'response.output_item.done', output_index, item: item(part, output_index, 'completed') },
  ];
}

function innerEvents(part: Part): readonly Typed[] {
  switch (part.kind) {
    case 'text':
      return textEvents(part.pieces);
    case 'thinking':
      return thinkingEvents(part.pieces);
    case 'tool-call':
      return [
        ...argumentPieces(part).map((delta) => ({ type: 'response.function_call_arguments.delta', delta })),
        { type: 'response.function_call_arguments.done', arguments: JSON.stringify(part.input), name: part.name },
      ];
  }
}

function textEvents(pieces: readonly string[]): readonly Typed[] {
  const text = pieces.join('');
  return [
    { type: 'response.content_part.added', content_index: 0, part: textPart('') },
    ...pieces.map((delta) => ({ type: 'response.output_text.delta', content_index: 0, delta, logprobs: [] })),
    { type: 'response.output_text.done', content_index: 0, text, logprobs: [] },
    { type: 'response.content_part.done', content_index: 0, part: textPart(text) },
  ];
}

function thinkingEvents(pieces: readonly string[]): readonly Typed[] {
  const part = { type: 'summary_text', text: pieces.join('') };
  return [
    { type: 'response.reasoning_summary_part.added', summary_index: 0, part: { type: 'summary_text', text: '' } },
    ...pieces.map((delta) => ({ type: 'response.reasoning_summary_text.delta', summary_index: 0, delta })),
    { type: 'response.reasoning_summary_text.done', summary_index: 0, text: part.text },
    { type: 'response.reasoning_summary_part.done', summary_index: 0, part },
  ];
}
