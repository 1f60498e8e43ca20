import type { Delta, Dialect, Steering } from '../types.ts';
import { listAt, textAt } from '../usage/hostile-json.ts';
import { createMeter } from '../usage/meter.ts';
import { readGeminiForMeter } from './gemini-meter.ts';
import { geminiDefinitions, geminiText } from './gemini-places.ts';
import { readGeminiDocument, readGeminiEvent } from './gemini-reading.ts';
import { headOf, indexIn } from './readings.ts';
import { refusalAnswer } from './refusals.ts';
import { lastOf } from './request-places.ts';

export const gemini: Dialect = {
  name: 'gemini',
  sources: ['@google/genai 3.1.0', 'https://ai.google.dev/api/generate-content', 'https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference'],
  requestText: geminiText,
  requestTextOrBase64: [],
  toolDefinitions: geminiDefinitions,
  readDocument: readGeminiDocument,
  lists: 'events',
  readEvent: readGeminiEvent,
  eventName: () => undefined,
  deltaEvent,
  openMeter: () => createMeter(readGeminiForMeter()),
  refusal: ({ status, message }) => refusalAnswer(status, (kept) => ({ error: { code: kept, message, status: statusNames[kept] ?? 'FAILED_PRECONDITION' } })),
  steer,
};

/** Names of google.rpc.Code for HTTP statuses. Source: https://google.aip.dev/193 */
const statusNames: Readonly<Record<number, string>> = { 400: 'INVALID_ARGUMENT', 401: 'UNAUTHENTICATED', 403: 'PERMISSION_DENIED', 404: 'NOT_FOUND', 429: 'RESOURCE_EXHAUSTED' };

/** A text part behind the parts of the last content, which may be the results of functions. */
function steer(request: unknown, text: string): Steering | undefined {
  const last = lastOf(request, 'contents');
  if (last === undefined || textAt(last.value, 'role') === 'model' || listAt(last.value, 'parts').length === 0) return undefined;
  return { path: ['contents', last.index, 'parts'], value: { text } };
}

function deltaEvent({ channel, kind }: Delta, text: string, like: unknown): unknown {
  const head = headOf(like, ['modelVersion', 'responseId', 'createTime']);
  return { candidates: [{ content: { parts: [partOf(channel, kind, text)], role: 'model' }, index: indexIn(channel, 'candidates') }], ...head };
}

function partOf(channel: string, kind: Delta['kind'], text: string): unknown {
  const mark = '.partial.';
  if (!channel.includes(mark)) return kind === 'thinking' ? { text, thought: true } : { text };
  const jsonPath = channel.slice(channel.indexOf(mark) + mark.length);
  return { functionCall: { partialArgs: [{ jsonPath, stringValue: text, willContinue: true }], willContinue: true } };
}
