import type { Delta, Dialect, EventReading, NamedTool, Steering, Usage } from '../types.ts';
import { at, listAt, textAt } from '../usage/hostile-json.ts';
import { createCallMeter } from '../usage/meter.ts';
import type { MeterNotes } from '../usage/meter.ts';
import { splitUsage, tokensAt } from '../usage/tokens.ts';
import { chatDefinitions } from './openai-chat.ts';
import { headOf, namedTool, piece, valuePiece } from './readings.ts';
import { lastElement, modelRefusalAnswer } from './request-places.ts';

const common = {
  sources: ['https://github.com/ollama/ollama/blob/main/docs/api.md'],
  requestTextOrBase64: [],
  eventName: () => undefined,
  refusal: ({ status, message }) => modelRefusalAnswer(status, () => ({ error: message })),
} as const satisfies Partial<Dialect>;

export const ollamaChat: Dialect = {
  ...common,
  name: 'ollama-chat',
  requestText: ['messages.*.content', 'messages.*.thinking', 'messages.*.tool_calls.*.function.arguments.**'],
  toolDefinitions: [...chatDefinitions, 'format.**'],
  readDocument: (document) => ({ deltas: chatDeltas(document), closes: 'all', tools: chatTools(document) }),
  readEvent: (event) => ({ deltas: chatDeltas(event), closes: closesOf(event), tools: chatTools(event) }),
  deltaEvent: (delta, text, like) => ({
    ...headOf(like, ['model', 'created_at']),
    message: {
      role: 'assistant',
      ...(delta.kind === 'thinking' ? { content: '', thinking: text } : { content: text }),
    },
    done: false,
  }),
  openMeter: () => {
    let calls = 0;
    return createCallMeter((event, notes) => {
      readEnd(event, notes);
      for (const call of listAt(event, 'message', 'tool_calls')) {
        const key = String(calls++);
        notes.tools.begin(key, { name: textAt(call, 'function', 'name'), id: textAt(call, 'id') });
        notes.tools.set(key, at(call, 'function', 'arguments') ?? {});
      }
    });
  },
  steer: steerChat,
};

/** `/api/generate`, and `/api/embed` with its `input`. */
export const ollamaGenerate: Dialect = {
  ...common,
  name: 'ollama-generate',
  requestText: ['prompt', 'suffix', 'system', 'template', 'input', 'input.*'],
  toolDefinitions: ['format.**'],
  readDocument: (document) => ({ deltas: generateDeltas(document), closes: 'all' }),
  readEvent: (event) => ({ deltas: generateDeltas(event), closes: closesOf(event) }),
  deltaEvent: (delta, text, like) => ({
    ...headOf(like, ['model', 'created_at']),
    ...(delta.kind === 'thinking' ? { response: '', thinking: text } : { response: text }),
    done: false,
  }),
  openMeter: () => createCallMeter(readEnd),
  steer: (request, text): Steering | undefined => {
    const prompt = textAt(request, 'prompt');
    return prompt === undefined ? undefined : { path: ['prompt'], replaces: true, value: `${prompt}\n\n${text}` };
  },
};

function chatDeltas(event: unknown): readonly Delta[] {
  return [
    ...piece(event, { channel: 'message.thinking', kind: 'thinking', path: ['message', 'thinking'] }),
    ...piece(event, { channel: 'message.content', kind: 'text', path: ['message', 'content'] }),
    ...listAt(event, 'message', 'tool_calls').flatMap((_call, index) =>
      valuePiece(event, {
        channel: `message.tool_calls.${index}`,
        path: ['message', 'tool_calls', index, 'function', 'arguments'],
      }),
    ),
  ];
}

function chatTools(event: unknown): readonly NamedTool[] {
  return listAt(event, 'message', 'tool_calls').flatMap((call, index) =>
    namedTool(`message.tool_calls.${index}`, textAt(call, 'function', 'name')),
  );
}

function generateDeltas(event: unknown): readonly Delta[] {
  return [
    ...piece(event, { channel: 'thinking', kind: 'thinking', path: ['thinking'] }),
    ...piece(event, { channel: 'response', kind: 'text', path: ['response'] }),
  ];
}

function closesOf(event: unknown): EventReading['closes'] {
  return at(event, 'done') === true || at(event, 'error') !== undefined
    ? 'all'
    : listAt(event, 'message', 'tool_calls').map((_call, index) => `message.tool_calls.${index}`);
}

function readEnd(event: unknown, notes: MeterNotes): void {
  notes.model(at(event, 'model'));
  notes.usage(ollamaUsage(event));
  if (at(event, 'done') === true) notes.finished('whole');
}

function steerChat(request: unknown, text: string): Steering | undefined {
  const role = textAt(lastElement(request, 'messages')?.value, 'role');
  return role === undefined || role === 'assistant'
    ? undefined
    : { path: ['messages'], value: { role: 'user', content: text } };
}

/**
 * Reads the usage in Ollama's last object, which does not report cached tokens. Source: Ollama's docs/api.md,
 * `prompt_eval_count`, `eval_count`.
 */
export function ollamaUsage(event: unknown): Usage | undefined {
  return splitUsage({ input: tokensAt(event, 'prompt_eval_count'), output: tokensAt(event, 'eval_count') });
}
