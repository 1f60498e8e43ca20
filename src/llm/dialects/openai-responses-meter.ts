import { at, indexAt, isObject, listAt, textAt } from '../usage/hostile-json.ts';
import type { MeterNotes } from '../usage/meter.ts';
import { responsesUsage } from '../usage/openai-usage.ts';

/** Events that end an answer. One that failed is over, and may have cost. */
const ends = /^response\.(?:completed|incomplete|failed|cancelled)$/u;

export function readResponsesForMeter(event: unknown, notes: MeterNotes): void {
  const type = textAt(event, 'type') ?? '';
  const inEvent = at(event, 'response');
  const response = isObject(inEvent) ? inEvent : at(event, 'object') === 'response' || Array.isArray(at(event, 'output')) ? event : undefined;
  if (response !== undefined) readResponse(response, notes);
  if (ends.test(type) || (response === event && isOver(response))) notes.finished('whole');
  if (/^response\.output_item\.(?:added|done)$/u.test(type)) readItem(at(event, 'item'), `output.${indexAt(event, 'output_index', 0)}`, notes);
  if (/^response\.(?:function_call_arguments|custom_tool_call_input|mcp_call_arguments)\.delta$/u.test(type)) notes.tools.add(`output.${indexAt(event, 'output_index', 0)}`, textAt(event, 'delta') ?? '');
}

function readResponse(response: unknown, notes: MeterNotes): void {
  notes.model(at(response, 'model'));
  notes.usage(responsesUsage(at(response, 'usage')));
  for (const [index, item] of listAt(response, 'output').entries()) readItem(item, `output.${index}`, notes);
}

/** In the background a response is told as queued, and asked for later. */
function isOver(response: unknown): boolean {
  return !/^(?:queued|in_progress)$/u.test(textAt(response, 'status') ?? '');
}

/** Function calls name themselves; other kinds of calls (`shell_call`) go by their type. */
function readItem(item: unknown, key: string, { tools }: MeterNotes): void {
  const type = textAt(item, 'type') ?? '';
  if (!type.endsWith('_call')) return;
  tools.begin(key, { name: textAt(item, 'name') ?? type, id: textAt(item, 'call_id') ?? textAt(item, 'id') });
  const given = [at(item, 'arguments'), at(item, 'input'), at(item, 'action'), at(item, 'operation'), at(item, 'code')].find((value) => value !== undefined && value !== null && value !== '');
  if (given !== undefined) tools.set(key, given);
}
