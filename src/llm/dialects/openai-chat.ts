import type { Delta, Dialect, EventReading, NamedTool, ModelRefusal, ModelRefusalAnswer, Steering } from '../types.ts';
import { at, indexAt, isRecord, listAt, textAt } from '../usage/hostile-json.ts';
import { createCallMeter } from '../usage/meter.ts';
import { isUsageOnly, readChatForMeter } from './openai-chat-meter.ts';
import { headOf, indexIn, namedTool, piece, valuePiece } from './readings.ts';
import { lastElement, modelRefusalAnswer } from './request-places.ts';

/**
 * Chat Completions (openai 7.57.0, `ChatCompletionMessageParam`) and other fields of such servers: `prompt` and
 * `suffix` of completions, `input` of embeddings, moderations and speech. Arguments of tool calls are JSON in a string,
 * but some servers accept objects. Reasoning that clients send back is plain, unsigned text.
 */
export const chatText = [
  'messages.*.content',
  'messages.*.content.*.text',
  'messages.*.content.*.refusal',
  'messages.*.content.*.thinking.*.text',
  'messages.*.content.*.content',
  'messages.*.content.*.content.*.text',
  'messages.*.refusal',
  'messages.*.reasoning_content',
  'messages.*.reasoning',
  'messages.*.tool_calls.*.function.arguments',
  'messages.*.tool_calls.*.function.arguments.**',
  'messages.*.tool_calls.*.custom.input',
  'messages.*.function_call.arguments',
  'prediction.content',
  'prediction.content.*.text',
  'prompt',
  'prompt.*',
  'suffix',
  'input',
  'input.*',
  'input.*.text',
  'instructions',
] as const;

export const chatDefinitions = [
  'tools.*.function.description',
  'tools.*.function.parameters.**',
  'tools.*.custom.description',
  'tools.*.custom.format.**',
  'functions.*.description',
  'functions.*.parameters.**',
  'response_format.json_schema.description',
  'response_format.json_schema.schema.**',
] as const;

export const openaiChat: Dialect = {
  name: 'openai-chat',
  sources: [
    'openai 7.57.0',
    'https://platform.openai.com/docs/api-reference/chat',
    'https://docs.mistral.ai/api',
    'https://docs.x.ai/docs/api-reference',
    'https://openrouter.ai/docs/api-reference',
  ],
  requestText: chatText,
  requestTextOrBase64: [],
  toolDefinitions: chatDefinitions,
  readDocument: readChatDocument,
  readEvent: readChatEvent,
  eventName: () => undefined,
  deltaEvent,
  openMeter: () => createCallMeter(readChatForMeter),
  refusal: openaiRefusal,
  steer,
  askForUsage,
  isUsageOnly,
};

/** Adds a user message after the last message, which may be a user's or a tool's. Completions read only one prompt. */
function steer(request: unknown, text: string): Steering | undefined {
  const role = textAt(lastElement(request, 'messages')?.value, 'role');
  if (role !== undefined)
    return role === 'assistant' ? undefined : { path: ['messages'], value: { role: 'user', content: text } };
  const prompt = textAt(request, 'prompt');
  return prompt === undefined ? undefined : { path: ['prompt'], replaces: true, value: `${prompt}\n\n${text}` };
}

/**
 * Asks for usage, which only streams leave out by default. If the client's request says false, usage is requested
 * anyway, and its chunk is dropped from the answer.
 */
function askForUsage(request: unknown): Steering | undefined {
  if (at(request, 'stream') !== true) return undefined;
  const options = at(request, 'stream_options');
  if (options === undefined) return { path: [], key: 'stream_options', value: { include_usage: true } };
  if (!isRecord(options)) return { path: ['stream_options'], replaces: true, value: { include_usage: true } };
  if (!Object.hasOwn(options, 'include_usage')) return { path: ['stream_options'], key: 'include_usage', value: true };
  return options['include_usage'] === true
    ? undefined
    : { path: ['stream_options', 'include_usage'], replaces: true, value: true };
}

function deltaEvent({ channel, kind, path }: Delta, text: string, like: unknown): unknown {
  const index = indexIn(channel, 'choices');
  const head = headOf(like, ['id', 'object', 'created', 'model', 'system_fingerprint', 'service_tier']);
  if (channel === `choices.${index}.text`)
    return { ...head, choices: [{ index, text, logprobs: null, finish_reason: null }] };
  return { ...head, choices: [{ index, delta: deltaOf({ channel, kind, path }, text, like), finish_reason: null }] };
}

function deltaOf({ channel, kind, path }: Delta, text: string, like: unknown): unknown {
  if (channel.includes('.tool_calls.')) {
    const call = { index: indexIn(channel, 'tool_calls') };
    return {
      tool_calls: [
        kind === 'arguments-text' ? { ...call, custom: { input: text } } : { ...call, function: { arguments: text } },
      ],
    };
  }
  if (channel.endsWith('.function_call')) return { function_call: { arguments: text } };
  // A client that reads content in parts gets it in parts.
  if (listAt(like, 'choices', 0, 'delta', 'content').length > 0 && channel.endsWith('.content'))
    return { content: [{ type: 'text', text }] };
  const key = path.at(-1);
  return { [key === 'reasoning_content' || key === 'reasoning' || key === 'refusal' ? key : 'content']: text };
}

/**
 * Reads a chunk. Perplexity sends the whole message so far together with each piece. That message is a separate
 * channel, which ends with the event.
 */
function readChatEvent(event: unknown): EventReading {
  if (event === '[DONE]' || isUsageOnly(event) || isRecord(at(event, 'error'))) return { deltas: [], closes: 'all' };
  const read = listAt(event, 'choices').map((choice, position) =>
    readChoice(event, { position, channel: `choices.${indexAt(choice, 'index', position)}` }),
  );
  return {
    deltas: read.flatMap(({ deltas }) => deltas),
    closes: read.flatMap(({ closes }) => closes),
    tools: [...toolsIn(event, 'delta', ''), ...toolsIn(event, 'message', '.whole')],
  };
}

function readChatDocument(document: unknown): EventReading {
  const deltas = listAt(document, 'choices').flatMap((choice, position) => {
    const channel = `choices.${indexAt(choice, 'index', position)}`;
    return [
      ...messageDeltas(document, channel, ['choices', position, 'message']),
      ...piece(document, { channel: `${channel}.text`, kind: 'text', path: ['choices', position, 'text'] }),
    ];
  });
  return { deltas, closes: 'all', tools: toolsIn(document, 'message', '') };
}

function toolsIn(event: unknown, key: 'delta' | 'message', below: '' | '.whole'): readonly NamedTool[] {
  return listAt(event, 'choices').flatMap((choice, position) => {
    const channel = `choices.${indexAt(choice, 'index', position)}${below}`;
    const calls = listAt(choice, key, 'tool_calls').flatMap((call, index) =>
      namedTool(
        `${channel}.tool_calls.${indexAt(call, 'index', index)}`,
        textAt(call, 'function', 'name') ?? textAt(call, 'custom', 'name'),
      ),
    );
    return [...calls, ...namedTool(`${channel}.function_call`, textAt(choice, key, 'function_call', 'name'))];
  });
}

interface ChoicePlace {
  readonly position: number;
  readonly channel: string;
}

function readChoice(
  event: unknown,
  { position, channel }: ChoicePlace,
): { readonly deltas: readonly Delta[]; readonly closes: readonly string[] } {
  const choice = ['choices', position] as const;
  const soFar = messageDeltas(event, `${channel}.whole`, [...choice, 'message']);
  const deltas = [
    ...messageDeltas(event, channel, [...choice, 'delta']),
    ...piece(event, { channel: `${channel}.text`, kind: 'text', path: [...choice, 'text'] }),
    ...soFar,
  ];
  if (textAt(event, ...choice, 'finish_reason') !== undefined) return { deltas, closes: [channel] };
  return { deltas, closes: soFar.length > 0 ? [`${channel}.whole`] : [] };
}

function messageDeltas(event: unknown, channel: string, path: Delta['path']): readonly Delta[] {
  const text = (key: string): readonly Delta[] =>
    piece(event, { channel: `${channel}.${key}`, kind: 'text', path: [...path, key] });
  const thinking = (key: string): readonly Delta[] =>
    piece(event, { channel: `${channel}.${key}`, kind: 'thinking', path: [...path, key] });
  return [
    ...thinking('reasoning_content'),
    ...thinking('reasoning'),
    ...text('content'),
    ...listAt(event, ...path, 'content').flatMap((_part, index) =>
      partDeltas(event, channel, [...path, 'content', index]),
    ),
    ...text('refusal'),
    ...listAt(event, ...path, 'tool_calls').flatMap((call, index) =>
      callDeltas(event, `${channel}.tool_calls.${indexAt(call, 'index', index)}`, [...path, 'tool_calls', index]),
    ),
    ...piece(event, {
      channel: `${channel}.function_call`,
      kind: 'arguments',
      path: [...path, 'function_call', 'arguments'],
    }),
  ];
}

/** Reads content in parts, as Mistral streams it: texts, and thinking that itself contains texts. */
function partDeltas(event: unknown, channel: string, path: Delta['path']): readonly Delta[] {
  const thoughts = listAt(event, ...path, 'thinking').flatMap((_thought, index) =>
    piece(event, { channel: `${channel}.reasoning`, kind: 'thinking', path: [...path, 'thinking', index, 'text'] }),
  );
  return [...thoughts, ...piece(event, { channel: `${channel}.content`, kind: 'text', path: [...path, 'text'] })];
}

function callDeltas(event: unknown, channel: string, path: Delta['path']): readonly Delta[] {
  return [
    ...piece(event, { channel, kind: 'arguments', path: [...path, 'function', 'arguments'] }),
    ...valuePiece(event, { channel, path: [...path, 'function', 'arguments'] }),
    ...piece(event, { channel, kind: 'arguments-text', path: [...path, 'custom', 'input'] }),
  ];
}

/** `{ error: { message, type, param, code } }`. Source: openai 7.57.0, `APIError`. */
export function openaiRefusal({ status, message }: ModelRefusal): ModelRefusalAnswer {
  return modelRefusalAnswer(status, (kept) => ({ error: openaiError(kept, message) }));
}

export function openaiError(
  status: number,
  message: string,
): { readonly message: string; readonly type: string; readonly param: null; readonly code: string } {
  return status === 429
    ? { message, type: 'rate_limit_error', param: null, code: 'rate_limit_exceeded' }
    : { message, type: 'invalid_request_error', param: null, code: 'refused_by_policy' };
}
