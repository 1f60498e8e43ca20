import type { Delta, Dialect, EventReading, NamedTool, Steering } from '../types.ts';
import { at, indexAt, listAt, textAt } from '../usage/hostile-json.ts';
import { createCallMeter } from '../usage/meter.ts';
import { readAnthropicForMeter } from './anthropic-meter.ts';
import { headOf, indexIn, namedTool, emptyReading, piece, valuePiece } from './readings.ts';
import { placesBelow, lastElement, modelRefusalAnswer, refusalStatus } from './request-places.ts';

/** The body of a request, and the bodies in a batch (`/v1/messages/batches`). */
const bodies = ['', 'requests.*.params.'];

const blocks = placesBelow(bodies, ['messages.*.content.*.']);

/**
 * Texts in a content block that a model reads, by @anthropic-ai/sdk 1.12.0, `ContentBlockParam` and
 * `BetaContentBlockParam`. These are texts, tool inputs and results, output of server-side tools, and text documents.
 * Left out: `signature`, `thinking`, `data` and `encrypted_*`.
 */
const inBlock = [
  'text',
  'input.**',
  'title',
  'context',
  'source',
  'source.content',
  'source.content.*.text',
  'content',
  'content.*.text',
  'content.*.title',
  'content.*.context',
  'content.*.source',
  'content.*.url',
  'content.*.content.*.text',
  'content.*.source.content',
  'content.*.source.content.*.text',
  'content.*.tabs.*.title',
  'content.*.tabs.*.url',
  'content.*.stdout',
  'content.*.stderr',
  'content.stdout',
  'content.stderr',
  'content.content',
  'content.content.*.text',
  'content.content.title',
  'content.content.context',
  'content.content.source.content',
  'content.content.source.content.*.text',
  'content.lines.*',
  'content.url',
  'content.text',
];

export const anthropicText = [
  ...placesBelow(bodies, ['system', 'system.*.text', 'messages.*.content', 'prompt']),
  ...placesBelow(blocks, inBlock),
];

/** `source.data` is text if `source.type` is `text`. Otherwise it is base64 of an image or a PDF. */
export const anthropicTextOrBase64 = placesBelow(blocks, [
  'source.data',
  'content.*.source.data',
  'content.content.source.data',
]);

export const anthropicDefinitions = placesBelow(bodies, [
  'tools.*.description',
  'tools.*.input_schema.**',
  'tools.*.input_examples.**',
]);

export const anthropicMessages: Dialect = {
  name: 'anthropic-messages',
  sources: [
    '@anthropic-ai/sdk 1.12.0',
    'https://docs.claude.com/en/api/messages',
    'https://docs.claude.com/en/docs/build-with-claude/streaming',
  ],
  requestText: anthropicText,
  requestTextOrBase64: anthropicTextOrBase64,
  toolDefinitions: anthropicDefinitions,
  readDocument: (document) => ({ deltas: messageDeltas(document, []), closes: 'all', tools: toolsOf(document) }),
  readEvent,
  eventName: (event) => textAt(event, 'type'),
  deltaEvent,
  openMeter: () => createCallMeter(readAnthropicForMeter()),
  refusal: ({ status, message }) => modelRefusalAnswer(status, (kept) => errorBody(kept, message)),
  refusalEvent: ({ status, message }) => errorBody(refusalStatus(status), message),
  steer: steerAnthropic,
};

function readEvent(event: unknown): EventReading {
  const channel = `content.${indexAt(event, 'index', 0)}`;
  switch (textAt(event, 'type')) {
    case 'message_start':
      return {
        deltas: messageDeltas(at(event, 'message'), ['message']),
        closes: [],
        tools: toolsOf(at(event, 'message')),
      };
    case 'content_block_start':
      return {
        deltas: blockDeltas(event, channel, ['content_block']),
        closes: [],
        tools: toolOf(at(event, 'content_block'), channel),
      };
    case 'content_block_delta':
      return { deltas: pieces(event, channel), closes: [] };
    case 'content_block_stop':
      return { deltas: [], closes: [channel] };
    case 'message_delta':
    case 'message_stop':
    case 'error':
      return { deltas: [], closes: 'all' };
    default:
      return legacyCompletion(event);
  }
}

function pieces(event: unknown, channel: string): readonly Delta[] {
  return [
    ...piece(event, { channel, kind: 'text', path: ['delta', 'text'] }),
    ...piece(event, { channel, kind: 'thinking', path: ['delta', 'thinking'] }),
    ...piece(event, { channel, kind: 'arguments', path: ['delta', 'partial_json'] }),
    ...piece(event, { channel, kind: 'text', path: ['delta', 'content'] }),
  ];
}

function messageDeltas(message: unknown, path: Delta['path']): readonly Delta[] {
  const blocks = listAt(message, 'content').flatMap((block, index) =>
    blockDeltas(block, `content.${index}`, []).map((delta) => ({
      ...delta,
      path: [...path, 'content', index, ...delta.path],
    })),
  );
  return [
    ...blocks,
    ...piece(message, { channel: 'completion', kind: 'text', path: ['completion'] }).map((delta) => ({
      ...delta,
      path: [...path, ...delta.path],
    })),
  ];
}

function blockDeltas(holder: unknown, channel: string, path: Delta['path']): readonly Delta[] {
  return [
    ...piece(holder, { channel, kind: 'text', path: [...path, 'text'] }),
    ...piece(holder, { channel, kind: 'thinking', path: [...path, 'thinking'] }),
    ...valuePiece(holder, { channel, path: [...path, 'input'] }),
    // The summary of a compaction is a string. Results of server-side tools have lists in this member, and no channel
    // carries them.
    ...piece(holder, { channel, kind: 'text', path: [...path, 'content'] }),
  ];
}

function toolsOf(message: unknown): readonly NamedTool[] {
  return listAt(message, 'content').flatMap((block, index) => toolOf(block, `content.${index}`));
}

/** Leaves out `server_tool_use` and `mcp_tool_use`, because the provider runs these. */
function toolOf(block: unknown, channel: string): readonly NamedTool[] {
  return textAt(block, 'type') === 'tool_use' ? namedTool(channel, textAt(block, 'name')) : [];
}

/** `/v1/complete`: `{ completion, stop_reason }` in each event. */
function legacyCompletion(event: unknown): EventReading {
  const deltas = piece(event, { channel: 'completion', kind: 'text', path: ['completion'] });
  if (textAt(event, 'completion') === undefined) return emptyReading;
  return { deltas, closes: textAt(event, 'stop_reason') === undefined ? [] : 'all' };
}

function deltaEvent({ channel, kind }: Delta, text: string, like: unknown): unknown {
  if (channel === 'completion')
    return { ...headOf(like, ['model']), type: 'completion', completion: text, stop_reason: null };
  return { type: 'content_block_delta', index: indexIn(channel, 'content'), delta: deltaOf(kind, text) };
}

function deltaOf(kind: Delta['kind'], text: string): unknown {
  switch (kind) {
    case 'thinking':
      return { type: 'thinking_delta', thinking: text };
    case 'arguments':
    case 'arguments-text':
    case 'arguments-value':
      return { type: 'input_json_delta', partial_json: text };
    case 'text':
      return { type: 'text_delta', text };
  }
}

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
};

function errorBody(status: number, message: string): unknown {
  return { type: 'error', error: { type: errorTypes[status] ?? 'invalid_request_error', message } };
}

/**
 * Adds a text block after the last user message. If that message is a plain string, adds another user message, because
 * the API joins messages of the same role. If a request ends with an assistant's message, the model continues that
 * message, so no text can be added.
 */
function steerAnthropic(request: unknown, text: string): Steering | undefined {
  const last = lastElement(request, 'messages');
  const role = textAt(last?.value, 'role');
  if (last === undefined || role === undefined || role === 'assistant') return undefined;
  if (role === 'user' && listAt(last.value, 'content').length > 0)
    return { path: ['messages', last.index, 'content'], value: { type: 'text', text } };
  return { path: ['messages'], value: { role: 'user', content: text } };
}
