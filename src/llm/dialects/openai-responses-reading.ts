import type { Delta, EventReading } from '../types.ts';
import { at, indexAt, listAt, textAt } from '../usage/hostile-json.ts';
import { itemDeltas, itemTool, partDeltas } from './openai-responses-item.ts';
import { nothing, piece } from './readings.ts';

/** What a pair of `….delta` and `….done` carries, and where `.done` has it whole. Source: openai 7.57.0, `ResponseStreamEvent`. */
export interface PieceEvent {
  readonly within: 'content' | 'summary' | 'arguments' | 'input' | 'commands' | 'code' | 'operation';
  /** The member that numbers it within its item, if one does. */
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
  'response.shell_call_command': { within: 'commands', index: 'command_index', kind: 'arguments-text', whole: 'command' },
  'response.code_interpreter_call_code': { within: 'code', kind: 'arguments-text', whole: 'code' },
  'response.apply_patch_call_operation_diff': { within: 'operation', kind: 'arguments-text', whole: 'diff' },
};

/** An event of a stream, or of a WebSocket. Texts come in pieces, and then whole up to three times: each of those is a channel that ends at once. */
export function readResponsesEvent(event: unknown): EventReading {
  const type = textAt(event, 'type') ?? '';
  const item = `output.${indexAt(event, 'output_index', 0)}`;
  switch (type) {
    case 'response.output_item.added':
      return { deltas: itemDeltas(event, `${item}.added`, ['item']), closes: [`${item}.added`], tools: itemTool(at(event, 'item'), item) };
    case 'response.output_item.done':
      return { deltas: itemDeltas(event, item, ['item']), closes: [item], tools: itemTool(at(event, 'item'), item) };
    case 'response.content_part.done':
      return partDone(event, `${item}.content.${indexAt(event, 'content_index', 0)}`);
    case 'response.reasoning_summary_part.done':
      return partDone(event, `${item}.summary.${indexAt(event, 'summary_index', 0)}`);
    case 'response.completed':
    case 'response.incomplete':
    case 'response.failed':
      return wholeOutput(event, ['response', 'output']);
    case 'error':
      return { deltas: [], closes: 'all' };
    default:
      return readPiece(event, type, item);
  }
}

export function readResponsesDocument(document: unknown): EventReading {
  return wholeOutput(document, ['output']);
}

function partDone(event: unknown, channel: string): EventReading {
  return { deltas: partDeltas(event, { channel: `${channel}.whole`, kind: 'text', path: ['part'] }), closes: [channel] };
}

function wholeOutput(event: unknown, path: Delta['path']): EventReading {
  const items = listAt(event, ...path);
  const channel = (index: number): string => `output.${index}.again`;
  return { deltas: items.flatMap((_item, index) => itemDeltas(event, channel(index), [...path, index])), closes: 'all', tools: items.flatMap((item, index) => itemTool(item, channel(index))) };
}

function readPiece(event: unknown, type: string, item: string): EventReading {
  const dot = type.lastIndexOf('.');
  const name = type.slice(0, dot);
  const known = Object.hasOwn(pieceEvents, name) ? pieceEvents[name] : undefined;
  if (known === undefined) return nothing;
  const channel = `${item}.${known.within}${known.index === undefined ? '' : `.${indexAt(event, known.index, 0)}`}`;
  if (type.endsWith('.delta')) return { deltas: piece(event, { channel, kind: known.kind, path: ['delta'] }), closes: [] };
  if (!type.endsWith('.done')) return nothing;
  return { deltas: piece(event, { channel: `${channel}.whole`, kind: known.kind, path: [known.whole] }), closes: [channel] };
}
