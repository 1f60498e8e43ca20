import { expect, test } from 'vitest';
import { createAnswerEditor } from '../answer/event-editor.ts';
import type { DialectName } from '../types.ts';
import { dialects } from './dialects.ts';

/** Edits an answer whose texts are all written in capitals. */
function edited(name: DialectName, framing: 'sse' | 'json', bytes: string): string {
  const dialect = dialects[name];
  const open = () => ({ push: (text: string) => text.toUpperCase(), end: () => '' });
  const editor = createAnswerEditor({ dialect, framing, meter: dialect.openMeter(), open, usageOnly: 'keep' });
  return Buffer.concat([editor.push(Buffer.from(bytes)), editor.end()]).toString();
}

const message = { type: 'message', content: [{ type: 'output_text', text: 'hello' }] };

/** Attack: servers like OpenAI's say the text sooner than OpenAI, or under the names of older models. */
test.each([
  [
    'openai-responses',
    'sse',
    { type: 'response.content_part.added', output_index: 0, content_index: 0, part: message.content[0] },
  ],
  ['openai-responses', 'sse', { type: 'response.created', response: { output: [message] } }],
  ['openai-responses', 'sse', { type: 'response.queued', response: { output: [message] } }],
  ['openai-responses', 'sse', { type: 'response.in_progress', response: { output: [message] } }],
  ['openai-responses', 'sse', { type: 'response.cancelled', response: { output: [message] } }],
  ['openai-responses', 'json', { object: 'response', output: [], output_text: 'hello' }],
  ['bedrock-invoke', 'json', { completion: 'hello', stop_reason: 'stop_sequence' }],
  ['bedrock-invoke', 'json', { completions: [{ data: { text: 'hello' } }] }],
] as const)('%s, %s: a text passes its filter wherever it stands: %j', (name, framing, event) => {
  const text = JSON.stringify(event);
  const bytes = framing === 'sse' ? `data: ${text}\n\n` : text;
  expect(edited(name, framing, bytes)).toBe(bytes.replace('hello', 'HELLO'));
});

test('a text that is said early, in pieces and at the end passes as often', () => {
  const at = { output_index: 0, content_index: 0 };
  const events = [
    { type: 'response.created', response: { output: [] } },
    { type: 'response.content_part.added', ...at, part: { type: 'output_text', text: '' } },
    { type: 'response.output_text.delta', ...at, delta: 'he' },
    { type: 'response.output_text.delta', ...at, delta: 'llo' },
    { type: 'response.completed', response: { output: [message] } },
  ];
  const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
  expect(edited('openai-responses', 'sse', text)).toBe(
    text.replace('"he"', '"HE"').replace('"llo"', '"LLO"').replace('"hello"', '"HELLO"'),
  );
});
