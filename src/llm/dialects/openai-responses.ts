import type { Delta, Dialect, DialectSocket, ModelRefusal, Steering } from '../types.ts';
import { at, indexAt, isRecord, listAt, textAt } from '../usage/hostile-json.ts';
import { createCallMeter, type MeterNotes } from '../usage/meter.ts';
import { responsesUsage } from '../usage/openai-usage.ts';
import { openaiError, openaiRefusal } from './openai-chat.ts';
import { pieceEvents, readResponsesDocument, readResponsesEvent } from './openai-responses-reading.ts';
import { indexIn } from './readings.ts';
import { placesBelow, refusalStatus } from './request-places.ts';

/** Source: openai 7.57.0, `ResponsesClientEvent` and `ResponsesServerEvent`. */
const responsesSocket: DialectSocket = {
  asks: { 'response.create': 'asks', 'response.steer': 'adds' },
  tells(type) {
    if (type === 'error') return 'fails';
    if (/^response\.(?:created|queued|in_progress)$/u.test(type)) return 'begins';
    if (/^response\.(?:completed|incomplete|failed|cancelled)$/u.test(type)) return 'ends';
    return type.startsWith('response.') && !type.startsWith('response.steer.') ? 'goes-on' : 'apart';
  },
  lane: 'stream_id',
  // Older clients put the request into `response`.
  models: [['model'], ['response', 'model']],
};

/** The body of a POST, or of `response.create` in a WebSocket. Older clients put the latter into `response`. */
const bodies = ['', 'response.'];

/** `input` of a response, and `items` that are added to a conversation. */
const items = [...placesBelow(bodies, ['input.*.']), 'items.*.', 'item.'];

/**
 * Items of all kinds by openai 7.57.0, `ResponseInputItem`: messages, tool calls and their results, shell commands,
 * patches, code. Left out: `summary` and `encrypted_content` of reasoning, images, file data.
 */
const inItem = [
  'content',
  'content.*.text',
  'content.*.refusal',
  'content.*.transcript',
  'arguments',
  'arguments.**',
  'input',
  'queries.*',
  'results.*.text',
  'code',
  'outputs.*.logs',
  'reason',
  'output',
  'output.*.text',
  'output.*.stdout',
  'output.*.stderr',
  'action.**',
  'actions.**',
  'operation.**',
];

const responsesText = [
  ...placesBelow(bodies, [
    'instructions',
    'instructions.*.content',
    'instructions.*.content.*.text',
    'input',
    'prompt.variables.*',
    'prompt.variables.*.text',
  ]),
  ...placesBelow(items, inItem),
];

/** `result` is base64 of an image in `image_generation_call`, but text in `program_output`. */
const responsesTextOrBase64 = placesBelow(items, ['result']);

const responsesDefinitions = [
  ...placesBelow(bodies, [
    'tools.*.description',
    'tools.*.parameters.**',
    'tools.*.format.**',
    'tools.*.tools.*.description',
    'tools.*.tools.*.parameters.**',
    'text.format.schema.**',
    'text.format.description',
  ]),
  ...placesBelow(items, ['tools.*.description', 'tools.*.parameters.**', 'tools.*.input_schema.**']),
];

export const openaiResponses: Dialect = {
  name: 'openai-responses',
  sources: [
    'openai 7.57.0',
    'https://platform.openai.com/docs/api-reference/responses',
    'https://platform.openai.com/docs/api-reference/responses-streaming',
  ],
  requestText: responsesText,
  requestTextOrBase64: responsesTextOrBase64,
  toolDefinitions: responsesDefinitions,
  readDocument: readResponsesDocument,
  readEvent: readResponsesEvent,
  eventName: (event) => textAt(event, 'type'),
  deltaEvent,
  openMeter: () => createCallMeter(readResponsesForMeter),
  refusal: openaiRefusal,
  refusalEvent,
  socket: responsesSocket,
  steer,
};

/** Adds a user message after the last item of `input`. If `input` is a plain string, adds a paragraph to it. */
function steer(request: unknown, text: string): Steering | undefined {
  const within =
    at(request, 'input') === undefined && at(request, 'response', 'input') !== undefined
      ? ['response', 'input']
      : ['input'];
  const input = at(request, ...within);
  if (typeof input === 'string') return { path: within, replaces: true, value: `${input}\n\n${text}` };
  return Array.isArray(input) && input.length > 0
    ? { path: within, value: { role: 'user', content: [{ type: 'input_text', text }] } }
    : undefined;
}

/**
 * In a stream the message is at the top level, and in a WebSocket it is under `error`. The event has both. Source:
 * `ResponseErrorEvent` of the SDK, its `ResponsesWS`.
 */
function refusalEvent({ status, message }: ModelRefusal): unknown {
  const kept = refusalStatus(status);
  const error = openaiError(kept, message);
  return { type: 'error', status: kept, code: error.code, message, param: null, sequence_number: 0, error };
}

function deltaEvent(delta: Delta, text: string, like: unknown): unknown {
  const name = nameFor(delta, textAt(like, 'type') ?? '');
  const index = pieceEvents[name]?.index;
  const lane = textAt(like, 'stream_id');
  return {
    type: `${name}.delta`,
    sequence_number: indexAt(like, 'sequence_number', 0),
    item_id:
      textAt(like, 'item_id') ??
      textAt(like, 'item', 'id') ??
      textAt(listAt(like, 'response', 'output')[indexIn(delta.channel, 'output')], 'id') ??
      '',
    output_index: indexIn(delta.channel, 'output'),
    ...(index === undefined ? {} : { [index]: indexIn(delta.channel, pieceEvents[name]?.within ?? '') }),
    delta: text,
    ...(lane === undefined ? {} : { stream_id: lane }),
    ...(name === 'response.output_text' ? { logprobs: [] } : {}),
  };
}

/**
 * Returns the name of the event `like` if it is of the same kind. Otherwise returns the first name in the table whose
 * events have such a text in such a position.
 */
function nameFor({ channel, kind }: Delta, like: string): string {
  const fits = (name: string): boolean =>
    pieceEvents[name]?.kind === kind && channel.split('.').includes(pieceEvents[name].within);
  const same = like.slice(0, like.lastIndexOf('.'));
  if (Object.hasOwn(pieceEvents, same) && fits(same)) return same;
  return Object.keys(pieceEvents).find(fits) ?? 'response.output_text';
}

/** Events that end an answer. A failed answer has ended too, and may have cost something. */
const ends = /^response\.(?:completed|incomplete|failed|cancelled)$/u;

function readResponsesForMeter(event: unknown, notes: MeterNotes): void {
  const type = textAt(event, 'type') ?? '';
  const inEvent = at(event, 'response');
  const response = isRecord(inEvent)
    ? inEvent
    : at(event, 'object') === 'response' || Array.isArray(at(event, 'output'))
      ? event
      : undefined;
  if (response !== undefined) readResponse(response, notes);
  if (ends.test(type) || (response === event && isOver(response))) notes.finished('whole');
  if (/^response\.output_item\.(?:added|done)$/u.test(type))
    readItem(at(event, 'item'), `output.${indexAt(event, 'output_index', 0)}`, notes);
  if (/^response\.(?:function_call_arguments|custom_tool_call_input|mcp_call_arguments)\.delta$/u.test(type))
    notes.tools.add(`output.${indexAt(event, 'output_index', 0)}`, textAt(event, 'delta') ?? '');
}

function readResponse(response: unknown, notes: MeterNotes): void {
  notes.model(at(response, 'model'));
  notes.usage(responsesUsage(at(response, 'usage')));
  for (const [index, item] of listAt(response, 'output').entries()) readItem(item, `output.${index}`, notes);
}

/** A background response is only reported as queued, and fetched later. */
function isOver(response: unknown): boolean {
  return !/^(?:queued|in_progress)$/u.test(textAt(response, 'status') ?? '');
}

/** Reads an output item. Function calls have a name. Other kinds of calls (`shell_call`) are named by their type. */
function readItem(item: unknown, key: string, { tools }: MeterNotes): void {
  const type = textAt(item, 'type') ?? '';
  if (!type.endsWith('_call')) return;
  tools.begin(key, { name: textAt(item, 'name') ?? type, id: textAt(item, 'call_id') ?? textAt(item, 'id') });
  const given = [
    at(item, 'arguments'),
    at(item, 'input'),
    at(item, 'action'),
    at(item, 'operation'),
    at(item, 'code'),
  ].find((value) => value !== undefined && value !== null && value !== '');
  if (given !== undefined) tools.set(key, given);
}
