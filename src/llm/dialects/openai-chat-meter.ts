import { at, indexAt, isRecord, listAt, textAt } from '../usage/hostile-json.ts';
import type { MeterNotes } from '../usage/meter.ts';
import { chatUsage } from '../usage/openai-usage.ts';

/**
 * Reads chunks and whole answers: `delta` has pieces, and `message` has everything. Groq repeats the usage under
 * `x_groq`.
 */
export function readChatForMeter(event: unknown, notes: MeterNotes): void {
  notes.model(at(event, 'model'));
  notes.usage(chatUsage(at(event, 'usage')) ?? chatUsage(at(event, 'x_groq', 'usage')));
  const choices = listAt(event, 'choices');
  for (const [position, choice] of choices.entries())
    readChoice(choice, `choices.${indexAt(choice, 'index', position)}`, notes);
  if (
    event === '[DONE]' ||
    isUsageOnly(event) ||
    choices.some((choice) => isRecord(at(choice, 'message')) && !isRecord(at(choice, 'delta')))
  )
    notes.finished('whole');
}

/**
 * Recognises the last chunk of a stream that was asked for usage: it has usage but no choices. Source: openai 7.57.0,
 * `ChatCompletionChunk.usage`.
 */
export function isUsageOnly(event: unknown): boolean {
  const choices = at(event, 'choices');
  return Array.isArray(choices) && choices.length === 0 && isRecord(at(event, 'usage'));
}

function readChoice(choice: unknown, channel: string, { tools, finished }: MeterNotes): void {
  const message = isRecord(at(choice, 'delta')) ? at(choice, 'delta') : at(choice, 'message');
  for (const [position, call] of listAt(message, 'tool_calls').entries()) {
    const key = `${channel}.${indexAt(call, 'index', position)}`;
    tools.begin(key, {
      name: textAt(call, 'function', 'name') ?? textAt(call, 'custom', 'name'),
      id: textAt(call, 'id'),
    });
    const given = at(call, 'function', 'arguments');
    if (isRecord(given)) tools.set(key, given);
    else tools.add(key, textAt(call, 'function', 'arguments') ?? textAt(call, 'custom', 'input') ?? '');
  }
  const legacy = at(message, 'function_call');
  if (isRecord(legacy)) tools.begin(`${channel}.call`, { name: textAt(legacy, 'name') });
  tools.add(`${channel}.call`, textAt(legacy, 'arguments') ?? '');
  if (textAt(choice, 'finish_reason') !== undefined) finished('but-for-usage');
}
