import type { Delta, NamedTool } from '../types.ts';
import { listAt, textAt } from '../usage/hostile-json.ts';
import { namedTool, piece, valuePiece } from './readings.ts';

/**
 * What an output item says once it is there, each text on a channel of its own below `channel`. A `program` carries a fingerprint of its
 * code: it is left alone.
 */
export function itemDeltas(event: unknown, channel: string, path: Delta['path']): readonly Delta[] {
  if (textAt(event, ...path, 'type') === 'program') return [];
  const inPart = (key: string, index: number): string => `${channel}.${key}.${index}.whole`;
  const isReasoning = textAt(event, ...path, 'type') === 'reasoning';
  return [
    ...listAt(event, ...path, 'summary').flatMap((_part, index) => piece(event, { channel: inPart('summary', index), kind: 'thinking', path: [...path, 'summary', index, 'text'] })),
    ...listAt(event, ...path, 'content').flatMap((_part, index) => partDeltas(event, { channel: inPart('content', index), kind: isReasoning ? 'thinking' : 'text', path: [...path, 'content', index] })),
    ...piece(event, { channel: `${channel}.arguments.whole`, kind: 'arguments', path: [...path, 'arguments'] }),
    ...valuePiece(event, { channel: `${channel}.arguments.whole`, path: [...path, 'arguments'] }),
    ...piece(event, { channel: `${channel}.input.whole`, kind: 'arguments-text', path: [...path, 'input'] }),
    ...piece(event, { channel: `${channel}.code.whole`, kind: 'arguments-text', path: [...path, 'code'] }),
    ...['action', 'actions', 'operation'].flatMap((key) => valuePiece(event, { channel: `${channel}.${key}.whole`, path: [...path, key] })),
  ];
}

/** Calls that the client runs; what the provider runs, such as `mcp_call` or `code_interpreter_call`, is not among them. */
const ownCalls: ReadonlySet<string> = new Set(['local_shell_call', 'shell_call', 'apply_patch_call', 'computer_call']);

/** Function calls name themselves, behind the namespace that they are in; other kinds of calls go by their type. */
export function itemTool(item: unknown, channel: string): readonly NamedTool[] {
  const type = textAt(item, 'type') ?? '';
  if (ownCalls.has(type)) return namedTool(channel, type.replace(/_call$/u, ''));
  if (type !== 'function_call' && type !== 'custom_tool_call') return [];
  const namespace = textAt(item, 'namespace') ?? '';
  return namedTool(channel, `${namespace}${textAt(item, 'name') ?? ''}`);
}

/** A part of a message: an output text, a refusal, or reasoning. */
export function partDeltas(event: unknown, { channel, kind, path }: Delta): readonly Delta[] {
  const isReasoning = /^(?:reasoning|summary)_text$/u.test(textAt(event, ...path, 'type') ?? '');
  return [...piece(event, { channel, kind: isReasoning ? 'thinking' : kind, path: [...path, 'text'] }), ...piece(event, { channel, kind: 'text', path: [...path, 'refusal'] })];
}
