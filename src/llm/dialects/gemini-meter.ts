import { geminiUsage } from '../usage/google-usage.ts';
import { at, isObject, listAt, textAt } from '../usage/hostile-json.ts';
import type { MeterNotes, ReadForMeter } from '../usage/meter.ts';

/** Every chunk tells the usage so far. Calls are numbered as they come: a chunk's parts begin at 0 again. */
export function readGeminiForMeter(): ReadForMeter {
  let calls = 0;
  const read = (chunk: unknown, notes: MeterNotes): void => {
    notes.model(at(chunk, 'modelVersion'));
    notes.usage(geminiUsage(at(chunk, 'usageMetadata')));
    for (const part of listAt(chunk, 'candidates').flatMap((candidate) => listAt(candidate, 'content', 'parts'))) calls = readPart(part, calls, notes);
    const isBlocked = textAt(chunk, 'promptFeedback', 'blockReason') !== undefined;
    if (isBlocked || listAt(chunk, 'candidates').some((candidate) => textAt(candidate, 'finishReason') !== undefined)) notes.finished('whole');
  };
  return (event, notes) => (Array.isArray(event) ? event.forEach((chunk) => read(chunk, notes)) : read(event, notes));
}

/** A call that comes in pieces has its name in the first one only; its arguments are kept as the list of pieces' values. */
function readPart(part: unknown, calls: number, { tools }: MeterNotes): number {
  const call = at(part, 'functionCall');
  if (!isObject(call)) return calls;
  const name = textAt(call, 'name');
  const partial = listAt(call, 'partialArgs');
  const key = String(name === undefined ? Math.max(0, calls - 1) : calls);
  tools.begin(key, { name, id: textAt(call, 'id') });
  if (isObject(at(call, 'args'))) tools.set(key, at(call, 'args'));
  for (const piece of partial) tools.add(key, textAt(piece, 'stringValue') ?? '');
  return name === undefined ? calls : calls + 1;
}
