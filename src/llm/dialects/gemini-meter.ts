import type { Usage } from '../types.ts';
import { at, isRecord, listAt, textAt } from '../usage/hostile-json.ts';
import type { MeterNotes, ReadForMeter } from '../usage/meter.ts';
import { splitUsage, tokensAt } from '../usage/tokens.ts';

/**
 * Every chunk has the usage so far. Calls are numbered in the order of their arrival, because the numbers of parts
 * begin at 0 in each chunk.
 */
export function readGeminiForMeter(): ReadForMeter {
  let calls = 0;
  const read = (chunk: unknown, notes: MeterNotes): void => {
    notes.model(at(chunk, 'modelVersion'));
    notes.usage(geminiUsage(at(chunk, 'usageMetadata')));
    for (const part of listAt(chunk, 'candidates').flatMap((candidate) => listAt(candidate, 'content', 'parts')))
      calls = readPart(part, calls, notes);
    const isBlocked = textAt(chunk, 'promptFeedback', 'blockReason') !== undefined;
    if (isBlocked || listAt(chunk, 'candidates').some((candidate) => textAt(candidate, 'finishReason') !== undefined))
      notes.finished('whole');
  };
  return (event, notes) => (Array.isArray(event) ? event.forEach((chunk) => read(chunk, notes)) : read(event, notes));
}

/**
 * If a call comes in pieces, only the first one has its name. Its arguments are kept as the list of the pieces' values.
 */
function readPart(part: unknown, calls: number, { tools }: MeterNotes): number {
  const call = at(part, 'functionCall');
  if (!isRecord(call)) return calls;
  const name = textAt(call, 'name');
  const partial = listAt(call, 'partialArgs');
  const key = String(name === undefined ? Math.max(0, calls - 1) : calls);
  tools.begin(key, { name, id: textAt(call, 'id') });
  if (isRecord(at(call, 'args'))) tools.set(key, at(call, 'args'));
  for (const piece of partial) tools.add(key, textAt(piece, 'stringValue') ?? '');
  return name === undefined ? calls : calls + 1;
}

/**
 * `usageMetadata` of Gemini. `promptTokenCount` includes cached tokens. Thoughts are not in the candidates, and results
 * of tools are not in the prompt: `totalTokenCount` is the sum of the four. Source: @google/genai 3.1.0,
 * `GenerateContentResponseUsageMetadata`.
 */
export function geminiUsage(usage: unknown): Usage | undefined {
  const thoughts = tokensAt(usage, 'thoughtsTokenCount');
  return splitUsage({
    input: sum(tokensAt(usage, 'promptTokenCount'), tokensAt(usage, 'toolUsePromptTokenCount')),
    cacheRead: tokensAt(usage, 'cachedContentTokenCount'),
    output: sum(tokensAt(usage, 'candidatesTokenCount'), thoughts),
    reasoning: thoughts,
  });
}

function sum(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined && other === undefined ? undefined : (one ?? 0) + (other ?? 0);
}
