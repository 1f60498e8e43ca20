import type { Delta, Dialect, Steering } from '../types.ts';
import { at, isObject, listAt, textAt } from '../usage/hostile-json.ts';
import { createMeter } from '../usage/meter.ts';
import { isUsageOnly, readChatForMeter } from './openai-chat-meter.ts';
import { chatDefinitions, chatText } from './openai-chat-places.ts';
import { readChatDocument, readChatEvent } from './openai-chat-reading.ts';
import { openaiRefusal } from './openai-errors.ts';
import { headOf, indexIn } from './readings.ts';
import { lastOf } from './request-places.ts';

export const openaiChat: Dialect = {
  name: 'openai-chat',
  sources: ['openai 7.57.0', 'https://platform.openai.com/docs/api-reference/chat', 'https://docs.mistral.ai/api', 'https://docs.x.ai/docs/api-reference', 'https://openrouter.ai/docs/api-reference'],
  requestText: chatText,
  requestTextOrBase64: [],
  toolDefinitions: chatDefinitions,
  readDocument: readChatDocument,
  readEvent: readChatEvent,
  eventName: () => undefined,
  deltaEvent,
  openMeter: () => createMeter(readChatForMeter),
  refusal: openaiRefusal,
  steer,
  askForUsage,
  isUsageOnly,
};

/** A user message behind the last one, which may be a user's or a tool's; completions read one prompt. */
function steer(request: unknown, text: string): Steering | undefined {
  const role = textAt(lastOf(request, 'messages')?.value, 'role');
  if (role !== undefined) return role === 'assistant' ? undefined : { path: ['messages'], value: { role: 'user', content: text } };
  const prompt = textAt(request, 'prompt');
  return prompt === undefined ? undefined : { path: ['prompt'], replaces: true, value: `${prompt}\n\n${text}` };
}

/** Only a stream needs to be asked. A client that says false is asked for as well: its chunk is dropped on the way back. */
function askForUsage(request: unknown): Steering | undefined {
  if (at(request, 'stream') !== true) return undefined;
  const options = at(request, 'stream_options');
  if (options === undefined) return { path: [], key: 'stream_options', value: { include_usage: true } };
  if (!isObject(options)) return { path: ['stream_options'], replaces: true, value: { include_usage: true } };
  if (!Object.hasOwn(options, 'include_usage')) return { path: ['stream_options'], key: 'include_usage', value: true };
  return options['include_usage'] === true ? undefined : { path: ['stream_options', 'include_usage'], replaces: true, value: true };
}

function deltaEvent({ channel, kind, path }: Delta, text: string, like: unknown): unknown {
  const index = indexIn(channel, 'choices');
  const head = headOf(like, ['id', 'object', 'created', 'model', 'system_fingerprint', 'service_tier']);
  if (channel === `choices.${index}.text`) return { ...head, choices: [{ index, text, logprobs: null, finish_reason: null }] };
  return { ...head, choices: [{ index, delta: deltaOf({ channel, kind, path }, text, like), finish_reason: null }] };
}

function deltaOf({ channel, kind, path }: Delta, text: string, like: unknown): unknown {
  if (channel.includes('.tool_calls.')) {
    const call = { index: indexIn(channel, 'tool_calls') };
    return { tool_calls: [kind === 'arguments-text' ? { ...call, custom: { input: text } } : { ...call, function: { arguments: text } }] };
  }
  if (channel.endsWith('.function_call')) return { function_call: { arguments: text } };
  // Clients that read content in parts get it in parts.
  if (listAt(like, 'choices', 0, 'delta', 'content').length > 0 && channel.endsWith('.content')) return { content: [{ type: 'text', text }] };
  const key = path.at(-1);
  return { [key === 'reasoning_content' || key === 'reasoning' || key === 'refusal' ? key : 'content']: text };
}
