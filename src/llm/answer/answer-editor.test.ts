import { describe, expect, test } from 'vitest';
import { dialects } from '../dialects/index.ts';
import type { DialectName, Framing } from '../types.ts';
import { type AnswerOptions, createAnswerEditor } from './answer-editor.ts';
import type { OpenStage, TextStage } from './channels.ts';

/** Holds the last two letters back, and makes capitals. */
function lagging(): TextStage {
  let held = '';
  return {
    push(text) {
      const all = held + text.toUpperCase();
      held = all.slice(-2);
      return all.slice(0, -2);
    },
    end() {
      const rest = held;
      held = '';
      return rest;
    },
  };
}

const open: OpenStage = ({ kind }) => (kind === 'thinking' ? undefined : lagging());

function edit(name: DialectName, framing: Exclude<Framing, 'websocket'>, given: readonly (string | Buffer)[] | (Partial<AnswerOptions> & { readonly chunks: readonly (string | Buffer)[] })): string {
  const { chunks, ...more } = 'chunks' in given ? given : { chunks: given };
  const dialect = dialects[name];
  const editor = createAnswerEditor({ dialect, framing, meter: dialect.openMeter(), open, usageOnly: 'keep', ...more });
  return Buffer.concat([...chunks.map((chunk) => editor.push(Buffer.from(chunk))), editor.end()]).toString();
}

function sse(...events: readonly unknown[]): string {
  return events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('');
}

/** What a client of chat completions puts together. */
function heard(stream: string): string {
  return stream.split('\n\n').filter((event) => event.startsWith('data: {')).map((event) => JSON.parse(event.slice(6)).choices?.[0]?.delta?.content ?? '').join('');
}

const piece = (content: string) => ({ id: 'a', choices: [{ index: 0, delta: { content }, finish_reason: null }] });
const finish = { id: 'a', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };

describe('a stream', () => {
  test.each([
    ['ends as it should', [piece('hello '), piece('there'), finish, '[DONE]']],
    ['has no finish', [piece('hello '), piece('there'), '[DONE]']],
    ['has no ends at all', [piece('hello '), piece('there')]],
    ['has one piece, with its end', [{ choices: [{ index: 0, delta: { content: 'hello there' }, finish_reason: 'stop' }] }, '[DONE]']],
    ['has an end without a text beside it', [piece('hello there'), { choices: [{ index: 0, delta: { content: null }, finish_reason: 'stop' }] }]],
  ])('that %s says all of its text', (_what, events) => {
    expect(heard(edit('openai-chat', 'sse', [sse(...events)]))).toBe('HELLO THERE');
  });

  test('says the same however it is cut', () => {
    const whole = sse(piece('hello '), piece('thère'), finish, '[DONE]');
    const bytes = Buffer.from(whole);
    const expected = edit('openai-chat', 'sse', [whole]);
    for (let at = 1; at < bytes.length; at += 1) expect(edit('openai-chat', 'sse', [bytes.subarray(0, at), bytes.subarray(at)])).toBe(expected);
  });

  test('gives what was held back ahead of an event that is not all there', () => {
    const out = edit('openai-chat', 'sse', [`${sse(piece('hello'))}data: {"cut`]);
    expect(heard(out.slice(0, -'data: {"cut'.length))).toBe('HELLO');
    expect(out.endsWith('data: {"cut')).toBe(true);
  });

  test.each([['', ''], ['\n', ''], ['\r\n', '']])('of lines gives what was held back behind its last line, which ends with %j', (ending) => {
    const line = JSON.stringify({ model: 'm', message: { role: 'assistant', content: 'hello' }, done: false });
    const lines = edit('ollama-chat', 'json-lines', [line + ending]).split(/\r?\n/u).filter(Boolean);
    expect(lines.map((each) => JSON.parse(each).message.content).join('')).toBe('HELLO');
  });

  test('that says nothing stays as it is', () => {
    const bare = ': hello\n\nevent: ping\ndata: {}\n\nid: 3\n\n';
    expect(edit('openai-chat', 'sse', [bare])).toBe(bare);
    expect(edit('openai-chat', 'sse', [])).toBe('');
  });

  test('keeps two choices apart', () => {
    const of = (index: number, content: string) => ({ choices: [{ index, delta: { content } }] });
    const out = edit('openai-chat', 'sse', [sse(of(0, 'one'), of(1, 'two'), { choices: [{ index: 1, delta: {}, finish_reason: 'stop' }] }, '[DONE]')]);
    const events = out.split('\n\n').filter((event) => event.startsWith('data: {')).map((event) => JSON.parse(event.slice(6)).choices[0]);
    expect([0, 1].map((wanted) => events.filter(({ index }) => index === wanted).map(({ delta }) => delta.content ?? '').join(''))).toEqual(['ONE', 'TWO']);
  });

  test('with a channel for every event holds no more than a thousand', () => {
    let opened = 0;
    const events = Array.from({ length: 3000 }, (_, index) => ({ choices: [{ index, delta: { content: 'abc' } }] }));
    edit('openai-chat', 'sse', {
      chunks: [sse(...events)],
      open: () => {
        opened += 1;
        return lagging();
      },
    });
    expect(opened).toBe(1000);
  });

  test('drops what is there only for usage where nobody asked, and not elsewhere', () => {
    const told = { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } };
    expect(edit('openai-chat', 'sse', { chunks: [sse(told)], usageOnly: 'drop' })).toBe('');
    expect(edit('openai-chat', 'sse', [sse(told)])).toBe(sse(told));
  });

  test('tells of what went on unread', () => {
    const unread: string[] = [];
    edit('openai-chat', 'sse', { chunks: [Buffer.from('data: "\xff"\n\n', 'latin1'), 'data: x'], onUnread: (why) => void unread.push(why) });
    expect(unread).toEqual(['not-utf8', 'unfinished']);
  });

  test.each(['null', '[]', '3', '"a"', '{"choices":{}}', '{"choices":[null]}', '{"choices":[{"delta":{"content":[]}}]}', '{"__proto__":1}', '{'])('of %s goes on as it is', (data) => {
    expect(edit('openai-chat', 'sse', [`data: ${data}\n\n`])).toBe(`data: ${data}\n\n`);
  });
});

describe('a document', () => {
  const message = (content: unknown) => JSON.stringify({ type: 'message', content });

  test('says all of its text, and keeps its spaces', () => {
    expect(edit('anthropic-messages', 'json', [' {"type":"message", "content":[{"type":"text","text":"hello"}],', '"x":1e400}\n'])).toBe(' {"type":"message", "content":[{"type":"text","text":"HELLO"}],"x":1e400}\n');
  });

  test('comes out at its end, and nothing of it before', () => {
    const dialect = dialects['anthropic-messages'];
    const editor = createAnswerEditor({ dialect, framing: 'json', meter: dialect.openMeter(), open, usageOnly: 'keep' });
    expect(editor.push(Buffer.from(message([]))).length).toBe(0);
    expect(editor.end().toString()).toBe(message([]));
  });

  test('keeps what a model thought, byte for byte', () => {
    const thought = message([{ type: 'thinking', thinking: 'hmm', signature: 's' }]);
    expect(edit('anthropic-messages', 'json', [thought])).toBe(thought);
  });

  test('has each leaf of arguments changed, also under keys that look like patterns', () => {
    const input = { 'a.b': 'one', '*': 'two', __proto__x: ['three', { '': 'four' }], n: 5 };
    const out = JSON.parse(edit('anthropic-messages', 'json', [message([{ type: 'tool_use', id: 'i', name: 'n', input }])]));
    expect(out.content[0].input).toEqual({ 'a.b': 'ONE', '*': 'TWO', __proto__x: ['THREE', { '': 'FOUR' }], n: 5 });
  });

  test('of arguments 50,000 deep is as it was, in no time', () => {
    const deep = `{"type":"message","content":[{"type":"tool_use","id":"i","name":"n","input":{"a":${'['.repeat(50_000)}"x"${']'.repeat(50_000)}}}]}`;
    const begun = performance.now();
    expect(edit('anthropic-messages', 'json', [deep])).toBe(deep);
    expect(performance.now() - begun).toBeLessThan(20_000);
  });

  test.each(['', 'no json', '{"type":', '\uFEFF{}', '[[[['])('of %j goes on as it is', (text) => expect(edit('anthropic-messages', 'json', [text])).toBe(text));

  test('that is no UTF-8 goes on as it is', () => {
    const dialect = dialects['anthropic-messages'];
    const editor = createAnswerEditor({ dialect, framing: 'json', meter: dialect.openMeter(), open, usageOnly: 'keep' });
    const bytes = Buffer.from('{"a":"\xff"}', 'latin1');
    editor.push(bytes);
    expect(editor.end().equals(bytes)).toBe(true);
  });
});
