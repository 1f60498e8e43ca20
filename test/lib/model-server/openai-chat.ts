import { argumentPieces, callsTools, inputOf, modelOf, partsOf, usageOf } from './answers.ts';
import type { Call, Endpoint, ModelAnswer, ModelEvent } from './types.ts';

/**
 * Sources: platform.openai.com/docs/api-reference/chat; the typings of openai 7.57.0. `reasoning_content` has the
 * thinking, as compatible servers send it.
 */
export function chatEndpoint(call: Call): Endpoint {
  return {
    framing: 'sse',
    answersWith: call.body?.['stream'] === true ? 'stream' : 'document',
    document: completion,
    events: chunks,
    failure: (message) => event(openaiError('server_error', message)),
    unknownEvent: event({ id: 'future', object: 'chat.completion.future', choices: [] }),
  };
}

export function openaiError(type: string, message: string): unknown {
  return { error: { message, type, param: null, code: null } };
}

function completion(answer: ModelAnswer, call: Call): unknown {
  const calls = partsOf(answer, 'tool-call').map(({ id, name, input }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  const message = {
    role: 'assistant',
    content: joined(answer, 'text') ?? null,
    refusal: null,
    ...thought(joined(answer, 'thinking')),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  return {
    ...head('chat.completion', answer, call),
    choices: [{ index: 0, message, logprobs: null, finish_reason: finish(answer) }],
    usage: usage(answer),
  };
}

function chunks(answer: ModelAnswer, call: Call): readonly ModelEvent[] {
  const asksForUsage =
    (call.body?.['stream_options'] as { readonly include_usage?: unknown } | undefined)?.include_usage === true;
  const chunk = (choices: readonly unknown[], told: unknown): ModelEvent =>
    event({ ...head('chat.completion.chunk', answer, call), choices, ...(asksForUsage ? { usage: told } : {}) });
  const delta = (value: unknown, reason: string | null = null): ModelEvent =>
    chunk([{ index: 0, delta: value, logprobs: null, finish_reason: reason }], null);
  const prompt = call.path.startsWith('/openai/deployments/')
    ? [
        event({
          ...head('', answer, call),
          id: '',
          choices: [],
          prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }],
        }),
      ]
    : [];
  return [
    ...prompt,
    delta({ role: 'assistant', content: '', refusal: null }),
    ...partsOf(answer, 'thinking').flatMap(({ pieces }) =>
      pieces.map((reasoning_content) => delta({ reasoning_content })),
    ),
    ...partsOf(answer, 'text').flatMap(({ pieces }) => pieces.map((content) => delta({ content }))),
    ...toolDeltas(answer).map((tool) => delta({ tool_calls: [tool] })),
    delta({}, finish(answer)),
    ...(asksForUsage ? [chunk([], usage(answer))] : []),
    { data: '[DONE]' },
  ];
}

function toolDeltas(answer: ModelAnswer): readonly unknown[] {
  return partsOf(answer, 'tool-call').flatMap((part, index) => [
    { index, id: part.id, type: 'function', function: { name: part.name, arguments: '' } },
    ...argumentPieces(part).map((piece) => ({ index, function: { arguments: piece } })),
  ]);
}

function event(value: unknown): ModelEvent {
  return { data: JSON.stringify(value) };
}

function head(object: string, answer: ModelAnswer, call: Call): Readonly<Record<string, unknown>> {
  return {
    id: 'chatcmpl-example',
    object,
    created: 1_700_000_000,
    model: modelOf(answer, call),
    service_tier: 'default',
    system_fingerprint: 'fp_example',
  };
}

function finish(answer: ModelAnswer): string {
  return callsTools(answer) ? 'tool_calls' : 'stop';
}

function joined(answer: ModelAnswer, kind: 'text' | 'thinking'): string | undefined {
  const parts = partsOf(answer, kind);
  return parts.length === 0 ? undefined : parts.flatMap(({ pieces }) => pieces).join('');
}

function thought(reasoning: string | undefined): object {
  return reasoning === undefined ? {} : { reasoning_content: reasoning };
}

function usage(answer: ModelAnswer): unknown {
  const told = usageOf(answer);
  const input = inputOf(told);
  return {
    prompt_tokens: input,
    completion_tokens: told.output,
    total_tokens: input + told.output,
    prompt_tokens_details: {
      cached_tokens: told.cacheRead,
      cache_write_tokens: told.cacheWrite5m + told.cacheWrite1h,
      audio_tokens: 0,
    },
    completion_tokens_details: {
      reasoning_tokens: told.reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}
