import type { Delta, Dialect, Refusal, Steering } from '../types.ts';
import { at, indexAt, listAt, textAt } from '../usage/hostile-json.ts';
import { createMeter } from '../usage/meter.ts';
import { openaiError, openaiRefusal } from './openai-errors.ts';
import { readResponsesForMeter } from './openai-responses-meter.ts';
import { responsesDefinitions, responsesText, responsesTextOrBase64 } from './openai-responses-places.ts';
import { pieceEvents, readResponsesDocument, readResponsesEvent } from './openai-responses-reading.ts';
import { responsesSocket } from './openai-responses-socket.ts';
import { indexIn } from './readings.ts';
import { refusalStatus } from './refusals.ts';

export const openaiResponses: Dialect = {
  name: 'openai-responses',
  sources: ['openai 7.57.0', 'https://platform.openai.com/docs/api-reference/responses', 'https://platform.openai.com/docs/api-reference/responses-streaming'],
  requestText: responsesText,
  requestTextOrBase64: responsesTextOrBase64,
  toolDefinitions: responsesDefinitions,
  readDocument: readResponsesDocument,
  readEvent: readResponsesEvent,
  eventName: (event) => textAt(event, 'type'),
  deltaEvent,
  openMeter: () => createMeter(readResponsesForMeter),
  refusal: openaiRefusal,
  refusalEvent,
  socket: responsesSocket,
  steer,
};

/** A user message behind the last item of `input`, or a paragraph behind an input that is a plain string. */
function steer(request: unknown, text: string): Steering | undefined {
  const within = at(request, 'input') === undefined && at(request, 'response', 'input') !== undefined ? ['response', 'input'] : ['input'];
  const input = at(request, ...within);
  if (typeof input === 'string') return { path: within, replaces: true, value: `${input}\n\n${text}` };
  return Array.isArray(input) && input.length > 0 ? { path: within, value: { role: 'user', content: [{ type: 'input_text', text }] } } : undefined;
}

/** In a stream the message stands at the top, in a WebSocket under `error`: both are there. Source: `ResponseErrorEvent` of the SDK, its `ResponsesWS`. */
function refusalEvent({ status, message }: Refusal): unknown {
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
    item_id: textAt(like, 'item_id') ?? textAt(like, 'item', 'id') ?? textAt(listAt(like, 'response', 'output')[indexIn(delta.channel, 'output')], 'id') ?? '',
    output_index: indexIn(delta.channel, 'output'),
    ...(index === undefined ? {} : { [index]: indexIn(delta.channel, pieceEvents[name]?.within ?? '') }),
    delta: text,
    ...(lane === undefined ? {} : { stream_id: lane }),
    ...(name === 'response.output_text' ? { logprobs: [] } : {}),
  };
}

/** The name of `like` where it is of the same kind; else the first of the table that carries such a text at such a place. */
function nameFor({ channel, kind }: Delta, like: string): string {
  const fits = (name: string): boolean => pieceEvents[name]?.kind === kind && channel.split('.').includes(pieceEvents[name].within);
  const same = like.slice(0, like.lastIndexOf('.'));
  if (Object.hasOwn(pieceEvents, same) && fits(same)) return same;
  return Object.keys(pieceEvents).find(fits) ?? 'response.output_text';
}
