import type { Delta, EventReading, NamedTool } from '../types.ts';
import { at, indexAt, listAt, textAt } from '../usage/hostile-json.ts';
import { namedTool, emptyReading, piece, valuePiece } from './readings.ts';

/**
 * Content of a pair of `….delta` and `….done` events, and the member of `.done` that has the whole text. Source: openai
 * 7.57.0, `ResponseStreamEvent`.
 */
export interface PieceEvent {
  readonly within: 'content' | 'summary' | 'arguments' | 'input' | 'commands' | 'code' | 'operation';
  /** Member with the content's number in its item, if there is one. */
  readonly index?: 'content_index' | 'summary_index' | 'command_index';
  readonly kind: Delta['kind'];
  readonly whole: string;
}

export const pieceEvents: Readonly<Record<string, PieceEvent>> = {
  'response.output_text': { within: 'content', index: 'content_index', kind: 'text', whole: 'text' },
  'response.refusal': { within: 'content', index: 'content_index', kind: 'text', whole: 'refusal' },
  'response.reasoning_text': { within: 'content', index: 'content_index', kind: 'thinking', whole: 'text' },
  'response.reasoning_summary_text': { within: 'summary', index: 'summary_index', kind: 'thinking', whole: 'text' },
  'response.function_call_arguments': { within: 'arguments', kind: 'arguments', whole: 'arguments' },
  'response.mcp_call_arguments': { within: 'arguments', kind: 'arguments', whole: 'arguments' },
  'response.custom_tool_call_input': { within: 'input', kind: 'arguments-text', whole: 'input' },
  'response.shell_call_command': {
    within: 'commands',
    index: 'command_index',
    kind: 'arguments-text',
    whole: 'command',
  },
  'response.code_interpreter_call_code': { within: 'code', kind: 'arguments-text', whole: 'code' },
  'response.apply_patch_call_operation_diff': { within: 'operation', kind: 'arguments-text', whole: 'diff' },
};

/**
 * Reads an event of a stream, or of a WebSocket. Texts come in pieces, and are then repeated as a whole up to three
 * times. Each repetition is a channel that ends at once.
 */
export function readResponsesEvent(event: unknown): EventReading {
  const type = textAt(event, 'type') ?? '';
  const item = `output.${indexAt(event, 'output_index', 0)}`;
  switch (type) {
    case 'response.output_item.added':
      return {
        deltas: itemDeltas(event, `${item}.added`, ['item']),
        closes: [`${item}.added`],
        tools: itemTool(at(event, 'item'), item),
      };
    case 'response.output_item.done':
      return { deltas: itemDeltas(event, item, ['item']), closes: [item], tools: itemTool(at(event, 'item'), item) };
    case 'response.content_part.added': {
      const channel = `${item}.content.${indexAt(event, 'content_index', 0)}.added`;
      return { deltas: partDeltas(event, { channel, kind: 'text', path: ['part'] }), closes: [channel] };
    }
    case 'response.content_part.done':
      return partDone(event, `${item}.content.${indexAt(event, 'content_index', 0)}`);
    case 'response.reasoning_summary_part.done':
      return partDone(event, `${item}.summary.${indexAt(event, 'summary_index', 0)}`);
    case 'response.created':
    case 'response.queued':
    case 'response.in_progress':
      return earlyOutput(event);
    case 'response.completed':
    case 'response.incomplete':
    case 'response.failed':
    case 'response.cancelled':
      return wholeOutput(event, ['response', 'output']);
    case 'error':
      return { deltas: [], closes: 'all' };
    default:
      return readPiece(event, type, item);
  }
}

export function readResponsesDocument(document: unknown): EventReading {
  const { deltas, ...whole } = wholeOutput(document, ['output']);
  const text = piece(document, { channel: 'output_text', kind: 'text', path: ['output_text'] });
  return { ...whole, deltas: [...deltas, ...text] };
}

function partDone(event: unknown, channel: string): EventReading {
  return {
    deltas: partDeltas(event, { channel: `${channel}.whole`, kind: 'text', path: ['part'] }),
    closes: [channel],
  };
}

function wholeOutput(event: unknown, path: Delta['path']): EventReading {
  const items = listAt(event, ...path);
  const channel = (index: number): string => `output.${index}.again`;
  return {
    deltas: items.flatMap((_item, index) => itemDeltas(event, channel(index), [...path, index])),
    closes: 'all',
    tools: items.flatMap((item, index) => itemTool(item, channel(index))),
  };
}

/** Only servers that imitate OpenAI's send output before its pieces. */
function earlyOutput(event: unknown): EventReading {
  const { deltas, ...whole } = wholeOutput(event, ['response', 'output']);
  if (deltas.length === 0) return emptyReading;
  return { ...whole, deltas, closes: deltas.map(({ channel }) => channel) };
}

function readPiece(event: unknown, type: string, item: string): EventReading {
  const dot = type.lastIndexOf('.');
  const name = type.slice(0, dot);
  const known = Object.hasOwn(pieceEvents, name) ? pieceEvents[name] : undefined;
  if (known === undefined) return emptyReading;
  const channel = `${item}.${known.within}${known.index === undefined ? '' : `.${indexAt(event, known.index, 0)}`}`;
  if (type.endsWith('.delta'))
    return { deltas: piece(event, { channel, kind: known.kind, path: ['delta'] }), closes: [] };
  if (!type.endsWith('.done')) return emptyReading;
  return {
    deltas: piece(event, { channel: `${channel}.whole`, kind: known.kind, path: [known.whole] }),
    closes: [channel],
  };
}

/**
 * Returns the texts of a complete output item, each on a separate channel below `channel`. Leaves a `program`
 * unchanged, because it contains a fingerprint of its code.
 */
function itemDeltas(event: unknown, channel: string, path: Delta['path']): readonly Delta[] {
  if (textAt(event, ...path, 'type') === 'program') return [];
  const inPart = (key: string, index: number): string => `${channel}.${key}.${index}.whole`;
  const isReasoning = textAt(event, ...path, 'type') === 'reasoning';
  return [
    ...listAt(event, ...path, 'summary').flatMap((_part, index) =>
      piece(event, { channel: inPart('summary', index), kind: 'thinking', path: [...path, 'summary', index, 'text'] }),
    ),
    ...listAt(event, ...path, 'content').flatMap((_part, index) =>
      partDeltas(event, {
        channel: inPart('content', index),
        kind: isReasoning ? 'thinking' : 'text',
        path: [...path, 'content', index],
      }),
    ),
    ...piece(event, { channel: `${channel}.arguments.whole`, kind: 'arguments', path: [...path, 'arguments'] }),
    ...valuePiece(event, { channel: `${channel}.arguments.whole`, path: [...path, 'arguments'] }),
    ...piece(event, { channel: `${channel}.input.whole`, kind: 'arguments-text', path: [...path, 'input'] }),
    ...piece(event, { channel: `${channel}.code.whole`, kind: 'arguments-text', path: [...path, 'code'] }),
    ...['action', 'actions', 'operation'].flatMap((key) =>
      valuePiece(event, { channel: `${channel}.${key}.whole`, path: [...path, key] }),
    ),
  ];
}

/** Calls that the client runs. The provider runs others, such as `mcp_call` or `code_interpreter_call`. */
const ownCalls: ReadonlySet<string> = new Set(['local_shell_call', 'shell_call', 'apply_patch_call', 'computer_call']);

/** Returns the name of a function call, after its namespace. Other kinds of calls are named by their type. */
function itemTool(item: unknown, channel: string): readonly NamedTool[] {
  const type = textAt(item, 'type') ?? '';
  if (ownCalls.has(type)) return namedTool(channel, type.replace(/_call$/u, ''));
  if (type !== 'function_call' && type !== 'custom_tool_call') return [];
  const namespace = textAt(item, 'namespace') ?? '';
  return namedTool(channel, `${namespace}${textAt(item, 'name') ?? ''}`);
}

/** Reads a part of a message: an output text, a refusal, or reasoning. */
function partDeltas(event: unknown, { channel, kind, path }: Delta): readonly Delta[] {
  const isReasoning = /^(?:reasoning|summary)_text$/u.test(textAt(event, ...path, 'type') ?? '');
  return [
    ...piece(event, { channel, kind: isReasoning ? 'thinking' : kind, path: [...path, 'text'] }),
    ...piece(event, { channel, kind: 'text', path: [...path, 'refusal'] }),
  ];
}
