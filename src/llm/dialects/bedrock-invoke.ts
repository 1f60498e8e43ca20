import type { Delta, Dialect, EventReading, Steering, Usage } from '../types.ts';
import { at, isRecord, listAt, textAt } from '../usage/hostile-json.ts';
import { createCallMeter, type ReadForMeter } from '../usage/meter.ts';
import { invocationUsage, splitUsage, tokensAt } from '../usage/tokens.ts';
import { anthropicMessages } from './anthropic-messages.ts';
import { readAnthropicForMeter } from './anthropic-meter.ts';
import { bedrockRefusal, converseDelta, readConverseForMeter, steerConverse } from './bedrock-converse.ts';
import {
  invokeDefinitions,
  invokeText,
  invokeTextOrBase64,
  readConverseDocument,
  readConverseEvent,
  wrapperOf,
} from './bedrock.ts';
import { readChatForMeter } from './openai-chat-meter.ts';
import { openaiChat } from './openai-chat.ts';
import { piece } from './readings.ts';

/**
 * InvokeModel and its stream. The body, and the JSON in the base64 of each chunk, are in the model's own format, which
 * is recognised by its structure.
 */
export const bedrockInvoke: Dialect = {
  name: 'bedrock-invoke',
  sources: [
    '@aws-sdk/client-bedrock-runtime 3.1164.0',
    'https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters.html',
  ],
  requestText: invokeText,
  requestTextOrBase64: invokeTextOrBase64,
  toolDefinitions: invokeDefinitions,
  readDocument: (document) => ({ ...readingOf(document, 'document'), closes: 'all' }),
  readEvent,
  // Every event is a `chunk`, with any content.
  eventName: () => 'chunk',
  deltaEvent,
  openMeter: () => createCallMeter(readForMeter()),
  refusal: bedrockRefusal,
  steer,
};

/** The text of a model that continues a prompt: Llama, Titan, Cohere, and Claude before the Messages API. */
const plainTexts = ['generation', 'outputText', 'text', 'completion'] as const;

function readEvent(event: unknown, name: string | undefined): EventReading {
  if (isRecord(at(event, 'amazon-bedrock-invocationMetrics'))) return { ...readingOf(event, 'event'), closes: 'all' };
  if (wrapperOf(event) !== undefined) return readConverseEvent(event, name);
  if (Array.isArray(at(event, 'choices'))) return openaiChat.readEvent(event, name);
  if (textAt(event, 'type') !== undefined) return anthropicMessages.readEvent(event, name);
  return { ...readingOf(event, 'event'), closes: name?.endsWith('Exception') === true ? 'all' : [] };
}

function readingOf(value: unknown, what: 'document' | 'event'): Omit<EventReading, 'closes'> {
  const inner = Array.isArray(at(value, 'choices'))
    ? openaiChat
    : textAt(value, 'type') === undefined
      ? undefined
      : anthropicMessages;
  if (isRecord(at(value, 'output'))) return readConverseDocument(value);
  if (inner !== undefined) return what === 'document' ? inner.readDocument(value) : inner.readEvent(value, undefined);
  return { deltas: plainDeltas(value) };
}

function plainDeltas(value: unknown): readonly Delta[] {
  const lists = [
    ['results', 'outputText'],
    ['outputs', 'text'],
    ['generations', 'text'],
  ] as const;
  return [
    ...plainTexts.flatMap((key) => piece(value, { channel: `plain.${key}`, kind: 'text', path: [key] })),
    ...lists.flatMap(([list, key]) =>
      listAt(value, list).flatMap((_one, index) =>
        piece(value, { channel: `plain.${list}.${index}`, kind: 'text', path: [list, index, key] }),
      ),
    ),
    // Format of Jurassic.
    ...listAt(value, 'completions').flatMap((_one, index) =>
      piece(value, {
        channel: `plain.completions.${index}`,
        kind: 'text',
        path: ['completions', index, 'data', 'text'],
      }),
    ),
  ];
}

function deltaEvent(delta: Delta, text: string, like: unknown): unknown {
  if (delta.channel.startsWith('choices.')) return openaiChat.deltaEvent(delta, text, like);
  if (delta.channel.startsWith('plain.')) return plainEvent(delta.path, text);
  return wrapperOf(like) === undefined
    ? anthropicMessages.deltaEvent(delta, text, like)
    : { contentBlockDelta: converseDelta(delta, text) };
}

function plainEvent(path: Delta['path'], text: string): unknown {
  const [first = 'text', , key] = path;
  return key === undefined ? { [first]: text } : { [first]: [{ [key]: text }] };
}

function steer(request: unknown, text: string): Steering | undefined {
  if (Object.hasOwn(Object(request), 'anthropic_version')) return anthropicMessages.steer(request, text);
  const isNova = isRecord(at(request, 'inferenceConfig')) || textAt(request, 'schemaVersion') !== undefined;
  return isNova ? steerConverse(request, text) : openaiChat.steer(request, text);
}

/** The counts that AWS bills override those in the model's body. */
function readForMeter(): ReadForMeter {
  const readAnthropic = readAnthropicForMeter();
  return (event, notes, name) => {
    if (isRecord(at(event, 'output')) || wrapperOf(event) !== undefined) readConverseForMeter(event, notes, name);
    else if (Array.isArray(at(event, 'choices'))) readChatForMeter(event, notes);
    else readAnthropic(event, notes, name);
    const plain = plainUsage(event);
    notes.usage(plain);
    if (textAt(event, 'stop_reason') !== undefined || textAt(event, 'results', 0, 'completionReason') !== undefined)
      notes.finished(plain === undefined ? 'but-for-usage' : 'whole');
    const billed = invocationUsage(at(event, 'amazon-bedrock-invocationMetrics'));
    notes.usage(billed);
    if (billed !== undefined) notes.finished('whole');
  };
}

/** Llama and Titan report counts at the top level of their bodies. */
function plainUsage(event: unknown): Usage | undefined {
  return splitUsage({
    input: tokensAt(event, 'prompt_token_count') ?? tokensAt(event, 'inputTextTokenCount'),
    output: tokensAt(event, 'generation_token_count') ?? tokensAt(event, 'results', 0, 'tokenCount'),
  });
}
