import { expect, test } from 'vitest';
import type { Delta } from '../types.ts';
import { Channels, fieldEditors, type TextStage } from './channels.ts';

/** Gives what it was given one character late, and says what it was opened for. */
function late(kind: string): TextStage {
  let held = `<${kind}>`;
  return {
    push(text) {
      const all = held + text;
      held = all.slice(-1);
      return all.slice(0, -1);
    },
    end: () => held,
  };
}

const piece = (kind: Delta['kind'], channel = 'content.0'): Delta => ({ channel, kind, path: ['delta', kind] });

test('a channel with pieces of two kinds is two texts, each treated by its kind', () => {
  const channels = new Channels(({ kind }) => late(kind));
  expect(channels.push(piece('arguments'), 'ab', 1)).toBe('<arguments>a');
  expect(channels.push(piece('text'), 'cd', 2)).toBe('<text>c');
  expect(channels.push(piece('arguments'), 'e', 3)).toBe('b');
  expect(channels.close(['content.0']).map(({ delta, text, like }) => [delta.kind, text, like])).toEqual([
    ['arguments', 'e', 3],
    ['text', 'd', 2],
  ]);
  expect(channels.close('all')).toEqual([]);
});

test('a kind that stays unchanged does not free another', () => {
  const channels = new Channels(({ kind }) => (kind === 'thinking' ? undefined : late(kind)));
  expect(channels.push(piece('thinking'), 'ab', 1)).toBeUndefined();
  expect(channels.push(piece('text'), 'ab', 1)).toBe('<text>a');
  expect(channels.push(piece('thinking'), 'ab', 1)).toBeUndefined();
});

test('a name ends itself and its children, and nothing else', () => {
  const channels = new Channels(({ channel }) => late(channel));
  for (const channel of ['choices.1', 'choices.1.content', 'choices.10', 'choices'])
    channels.push(piece('text', channel), 'x', channel);
  expect(channels.close(['choices.1']).map(({ like }) => like)).toEqual(['choices.1', 'choices.1.content']);
  expect(channels.close('all').map(({ like }) => like)).toEqual(['choices.10', 'choices']);
});

test('a channel with two tool names belongs to none, and an ended one to the next', () => {
  const tools: (string | undefined)[] = [];
  const channels = new Channels((_delta, tool) => void tools.push(tool));
  const openOne = (channel: string): void => void channels.push(piece('arguments', channel), 'x', 0);
  channels.name([
    { channel: 'a', name: 'Bash' },
    { channel: 'a', name: 'Bash' },
    { channel: 'b', name: 'Bash' },
    { channel: 'b', name: 'WebFetch' },
  ]);
  for (const channel of ['a.1', 'b', 'c']) openOne(channel);
  channels.close(['b']);
  channels.name([{ channel: 'b', name: 'Read' }]);
  openOne('b');
  expect(tools).toEqual(['Bash', undefined, undefined, 'Read']);
});

test('a thousand channels keep their tool names; further ones have none', () => {
  let last: string | undefined = 'none asked';
  const channels = new Channels((_delta, tool) => void (last = tool));
  channels.name(Array.from({ length: 1001 }, (_, index) => ({ channel: `c${index}`, name: 'Bash' })));
  const asked = ['c999', 'c1000'].map((channel) => [channels.push(piece('arguments', channel), 'x', 0), last]);
  expect(asked).toEqual([
    [undefined, 'Bash'],
    [undefined, undefined],
  ]);
});

test('editors are made once, of the first 16 sets of fields: a hostile answer has others with every event', () => {
  const editorFor = fieldEditors();
  const names = Array.from({ length: 18 }, (_, index) => `choices.${index}.text`);
  const first = names.map((name) => editorFor([name]));
  const isKept = names.map((name, index) => editorFor([name]) === first[index]);
  expect(isKept).toEqual(names.map((_, index) => index < 16));
});
