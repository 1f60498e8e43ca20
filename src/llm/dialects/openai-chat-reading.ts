import type { Delta, EventReading, NamedTool } from '../types.ts';
import { at, indexAt, isObject, listAt, textAt } from '../usage/hostile-json.ts';
import { isUsageOnly } from './openai-chat-meter.ts';
import { namedTool, piece, valuePiece } from './readings.ts';

/** A chunk. Perplexity sends the whole message so far beside each piece: it is a channel of its own that ends with the event. */
export function readChatEvent(event: unknown): EventReading {
  if (event === '[DONE]' || isUsageOnly(event) || isObject(at(event, 'error'))) return { deltas: [], closes: 'all' };
  const read = listAt(event, 'choices').map((choice, position) => readChoice(event, { position, channel: `choices.${indexAt(choice, 'index', position)}` }));
  return { deltas: read.flatMap(({ deltas }) => deltas), closes: read.flatMap(({ closes }) => closes), tools: [...toolsIn(event, 'delta', ''), ...toolsIn(event, 'message', '.whole')] };
}

export function readChatDocument(document: unknown): EventReading {
  const deltas = listAt(document, 'choices').flatMap((choice, position) => {
    const channel = `choices.${indexAt(choice, 'index', position)}`;
    return [...messageDeltas(document, channel, ['choices', position, 'message']), ...piece(document, { channel: `${channel}.text`, kind: 'text', path: ['choices', position, 'text'] })];
  });
  return { deltas, closes: 'all', tools: toolsIn(document, 'message', '') };
}

function toolsIn(event: unknown, key: 'delta' | 'message', below: '' | '.whole'): readonly NamedTool[] {
  return listAt(event, 'choices').flatMap((choice, position) => {
    const channel = `choices.${indexAt(choice, 'index', position)}${below}`;
    const calls = listAt(choice, key, 'tool_calls').flatMap((call, index) => namedTool(`${channel}.tool_calls.${indexAt(call, 'index', index)}`, textAt(call, 'function', 'name') ?? textAt(call, 'custom', 'name')));
    return [...calls, ...namedTool(`${channel}.function_call`, textAt(choice, key, 'function_call', 'name'))];
  });
}

interface ChoicePlace {
  readonly position: number;
  readonly channel: string;
}

function readChoice(event: unknown, { position, channel }: ChoicePlace): { readonly deltas: readonly Delta[]; readonly closes: readonly string[] } {
  const choice = ['choices', position] as const;
  const soFar = messageDeltas(event, `${channel}.whole`, [...choice, 'message']);
  const deltas = [...messageDeltas(event, channel, [...choice, 'delta']), ...piece(event, { channel: `${channel}.text`, kind: 'text', path: [...choice, 'text'] }), ...soFar];
  if (textAt(event, ...choice, 'finish_reason') !== undefined) return { deltas, closes: [channel] };
  return { deltas, closes: soFar.length > 0 ? [`${channel}.whole`] : [] };
}

function messageDeltas(event: unknown, channel: string, path: Delta['path']): readonly Delta[] {
  const text = (key: string): readonly Delta[] => piece(event, { channel: `${channel}.${key}`, kind: 'text', path: [...path, key] });
  const thinking = (key: string): readonly Delta[] => piece(event, { channel: `${channel}.${key}`, kind: 'thinking', path: [...path, key] });
  return [
    ...thinking('reasoning_content'),
    ...thinking('reasoning'),
    ...text('content'),
    ...listAt(event, ...path, 'content').flatMap((_part, index) => partDeltas(event, channel, [...path, 'content', index])),
    ...text('refusal'),
    ...listAt(event, ...path, 'tool_calls').flatMap((call, index) => callDeltas(event, `${channel}.tool_calls.${indexAt(call, 'index', index)}`, [...path, 'tool_calls', index])),
    ...piece(event, { channel: `${channel}.function_call`, kind: 'arguments', path: [...path, 'function_call', 'arguments'] }),
  ];
}

/** Content in parts, as Mistral streams it: texts, and thinking that has texts itself. */
function partDeltas(event: unknown, channel: string, path: Delta['path']): readonly Delta[] {
  const thoughts = listAt(event, ...path, 'thinking').flatMap((_thought, index) => piece(event, { channel: `${channel}.reasoning`, kind: 'thinking', path: [...path, 'thinking', index, 'text'] }));
  return [...thoughts, ...piece(event, { channel: `${channel}.content`, kind: 'text', path: [...path, 'text'] })];
}

function callDeltas(event: unknown, channel: string, path: Delta['path']): readonly Delta[] {
  return [
    ...piece(event, { channel, kind: 'arguments', path: [...path, 'function', 'arguments'] }),
    ...valuePiece(event, { channel, path: [...path, 'function', 'arguments'] }),
    ...piece(event, { channel, kind: 'arguments-text', path: [...path, 'custom', 'input'] }),
  ];
}
