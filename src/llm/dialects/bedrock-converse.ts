import type { Delta, Dialect, ModelRefusal, ModelRefusalAnswer, Steering } from '../types.ts';
import { at, indexAt, isRecord, listAt, textAt } from '../usage/hostile-json.ts';
import { createCallMeter, type MeterNotes } from '../usage/meter.ts';
import { converseUsage } from '../usage/tokens.ts';
import { converseDefinitions, converseText, readConverseDocument, readConverseEvent, wrapperOf } from './bedrock.ts';
import { indexIn } from './readings.ts';
import { lastElement, modelRefusalAnswer, refusalStatus } from './request-places.ts';

const errorTypes: Readonly<Record<number, string>> = {
  403: 'AccessDeniedException',
  404: 'ResourceNotFoundException',
  429: 'ThrottlingException',
};

export const bedrockConverse: Dialect = {
  name: 'bedrock-converse',
  sources: [
    '@aws-sdk/client-bedrock-runtime 3.1164.0',
    'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html',
  ],
  requestText: converseText,
  requestTextOrBase64: [],
  toolDefinitions: converseDefinitions,
  readDocument: readConverseDocument,
  readEvent: readConverseEvent,
  eventName: (event) => (at(event, 'delta') === undefined ? undefined : 'contentBlockDelta'),
  deltaEvent: converseDelta,
  openMeter: () => createCallMeter(readConverseForMeter),
  refusal: bedrockRefusal,
  steer: steerConverse,
};

export function converseDelta({ channel, kind }: Delta, text: string): unknown {
  const delta =
    kind === 'text' ? { text } : kind === 'thinking' ? { reasoningContent: { text } } : { toolUse: { input: text } };
  return { contentBlockIndex: indexIn(channel, 'content'), delta };
}

/** Adds a text block after the content of the last user message, which may be tool results. */
export function steerConverse(request: unknown, text: string): Steering | undefined {
  const last = lastElement(request, 'messages');
  if (last === undefined || textAt(last.value, 'role') !== 'user' || listAt(last.value, 'content').length === 0)
    return undefined;
  return { path: ['messages', last.index, 'content'], value: { text } };
}

/** `metadata` is the last event, after `messageStop`. Only `metadata` marks a complete answer. */
export function readConverseForMeter(event: unknown, notes: MeterNotes, name: string | undefined): void {
  const wrapped = wrapperOf(event);
  if (wrapped !== undefined) return readConverseForMeter(at(event, wrapped), notes, wrapped);
  const content = listAt(event, 'output', 'message', 'content');
  for (const [index, block] of content.entries()) readToolUse(at(block, 'toolUse'), `content.${index}`, notes);
  const key = `content.${indexAt(event, 'contentBlockIndex', 0)}`;
  readToolUse(at(event, 'start', 'toolUse'), key, notes);
  notes.tools.add(key, textAt(event, 'delta', 'toolUse', 'input') ?? '');
  notes.usage(converseUsage(at(event, 'usage')));
  if (textAt(event, 'stopReason') !== undefined)
    notes.finished(isRecord(at(event, 'output')) ? 'whole' : 'but-for-usage');
  if (name === 'metadata' || (isRecord(at(event, 'usage')) && isRecord(at(event, 'metrics')))) notes.finished('whole');
}

function readToolUse(toolUse: unknown, key: string, { tools }: MeterNotes): void {
  if (!isRecord(toolUse)) return;
  tools.begin(key, { name: textAt(toolUse, 'name'), id: textAt(toolUse, 'toolUseId') });
  if (at(toolUse, 'input') !== undefined) tools.set(key, at(toolUse, 'input'));
}

/**
 * The name of the error is in a header, and its message is in the body. Source: AWS restJson1 protocol,
 * https://smithy.io/2.0/aws/protocols/aws-restjson1-protocol.html#operation-error-serialization
 */
export function bedrockRefusal({ status, message }: ModelRefusal): ModelRefusalAnswer {
  const kept = refusalStatus(status);
  return modelRefusalAnswer(status, () => ({ message }), {
    'x-amzn-errortype': errorTypes[kept] ?? 'ValidationException',
  });
}
