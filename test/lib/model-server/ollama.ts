import { inputOf, modelOf, partsOf, usageOf } from './answers.ts';
import { chatEndpoint, openaiError } from './openai-chat.ts';
import type { Call, Dialect, Endpoint, ModelAnswer, ModelEvent } from './types.ts';

/**
 * Source: docs/api.md of github.com/ollama/ollama. It streams unless `stream` is false; tool calls are whole. It also
 * speaks OpenAI Chat below `/v1`.
 */
export const ollama: Dialect = {
  endpoint(call) {
    const path = call.path.split('?')[0] ?? '';
    if (path === '/v1/chat/completions') return chatEndpoint(call);
    if (path !== '/api/chat' && path !== '/api/generate') return undefined;
    const form = path === '/api/chat' ? chat : generate;
    return { ...linesOf(form), answersWith: call.body?.['stream'] === false ? 'document' : 'stream' };
  },
  refusal: (_, message, path) => ({
    headers: {},
    body: path.startsWith('/v1/') ? openaiError('api_error', message) : { error: message },
  }),
};

/** The form of one piece of an answer. */
type Form = (piece: {
  readonly text?: string;
  readonly thinking?: string;
  readonly calls?: readonly unknown[];
}) => object;

const chat: Form = ({ text = '', thinking, calls }) => ({
  message: {
    role: 'assistant',
    content: text,
    ...(thinking === undefined ? {} : { thinking }),
    ...(calls === undefined ? {} : { tool_calls: calls }),
  },
});

const generate: Form = ({ text = '', thinking }) => ({
  response: text,
  ...(thinking === undefined ? {} : { thinking }),
});

function linesOf(form: Form): Endpoint {
  return {
    framing: 'lines',
    answersWith: 'stream',
    document: (answer, call) => document(form, answer, call),
    events: (answer, call) => events(form, answer, call),
    failure: (message) => ({ data: JSON.stringify({ error: message }) }),
    unknownEvent: { data: JSON.stringify({ ...form({}), done: false, future_member: [1, 'two'] }) },
  };
}

function document(form: Form, answer: ModelAnswer, call: Call): unknown {
  const calls = toolCalls(answer);
  const thinking = partsOf(answer, 'thinking').flatMap(({ pieces }) => pieces);
  const said = {
    text: partsOf(answer, 'text')
      .flatMap(({ pieces }) => pieces)
      .join(''),
    ...(thinking.length === 0 ? {} : { thinking: thinking.join('') }),
    ...(calls.length === 0 ? {} : { calls }),
  };
  return { ...head(answer, call), ...form(said), ...end(answer) };
}

function events(form: Form, answer: ModelAnswer, call: Call): readonly ModelEvent[] {
  const line = (value: object): ModelEvent => ({ data: JSON.stringify({ ...head(answer, call), ...value }) });
  const calls = toolCalls(answer);
  return [
    ...partsOf(answer, 'thinking').flatMap(({ pieces }) =>
      pieces.map((thinking) => line({ ...form({ thinking }), done: false })),
    ),
    ...partsOf(answer, 'text').flatMap(({ pieces }) => pieces.map((text) => line({ ...form({ text }), done: false }))),
    ...(calls.length === 0 ? [] : [line({ ...form({ calls }), done: false })]),
    line({ ...form({}), ...end(answer) }),
  ];
}

function toolCalls(answer: ModelAnswer): readonly unknown[] {
  return partsOf(answer, 'tool-call').map(({ name, input }) => ({ function: { name, arguments: input } }));
}

function head(answer: ModelAnswer, call: Call): object {
  return { model: modelOf(answer, call), created_at: '2026-11-22T12:00:00.000000Z' };
}

function end(answer: ModelAnswer): object {
  const told = usageOf(answer);
  return {
    done: true,
    done_reason: 'stop',
    total_duration: 5_000_000,
    load_duration: 1_000_000,
    prompt_eval_count: inputOf(told),
    prompt_eval_duration: 1_000_000,
    eval_count: told.output,
    eval_duration: 3_000_000,
  };
}
