import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMessageEditor } from './message-editor.ts';
import type { MessageEdit, MessageFrame, Unread } from './types.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const [continuation, text, binary, close, ping, pong] = [0, 1, 2, 8, 9, 10];

function frame(opcode: number | undefined, payload: string, kind: 'more' | 'last' = 'last'): MessageFrame {
  return { opcode: opcode ?? 0, final: kind === 'last', payload: Buffer.from(payload, 'latin1') };
}

function pass(
  frames: readonly MessageFrame[],
  edit: (message: string) => MessageEdit,
  limit?: number,
): { readonly out: readonly MessageFrame[]; readonly told: readonly string[]; readonly why: readonly Unread[] } {
  const told: string[] = [];
  const why: Unread[] = [];
  const editor = createMessageEditor((message) => (told.push(message), edit(message)), {
    ...(limit === undefined ? {} : { limit }),
    onUnread: (each) => why.push(each),
  });
  return { out: [...frames.flatMap((each) => editor.push(each)), ...editor.end()], told, why };
}

/** The messages of frames that keep the rules, and the frames of control apart. */
function read(frames: readonly MessageFrame[]): {
  readonly messages: readonly string[];
  readonly control: readonly MessageFrame[];
} {
  const data = frames.filter(({ opcode }) => opcode < 8);
  const messages: string[] = [];
  let parts: Buffer[] = [];
  let kind = 0;
  for (const { opcode, final, payload } of data) {
    if (opcode !== continuation) kind = opcode;
    parts.push(payload);
    if (!final) continue;
    messages.push(`${kind}:${Buffer.concat(parts).toString('latin1')}`);
    parts = [];
  }
  return { messages, control: frames.filter(({ opcode }) => opcode >= 8) };
}

const message = fc.record({
  opcode: fc.constantFrom(1, 2),
  parts: fc.array(fc.constantFrom('', 'a', 'bc', '\xc3\xa9'), { minLength: 1, maxLength: 4 }),
  pings: fc.nat({ max: 4 }),
});
const frames = fc
  .array(message, { maxLength: 6 })
  .map((messages) =>
    messages.flatMap(({ opcode, parts, pings }) =>
      parts.flatMap((part, n) => [
        ...(n === pings ? [frame(ping, `${n}`)] : []),
        frame(n === 0 ? opcode : continuation, part, n === parts.length - 1 ? 'last' : 'more'),
      ]),
    ),
  );
const anyFrames = fc.array(
  fc.record({
    opcode: fc.constantFrom(0, 0, 0, 1, 1, 2, 3, 8, 9, 10),
    final: fc.boolean(),
    payload: fc.constantFrom('', 'a', '\xc3', '\xa9', '\xff').map((payload) => Buffer.from(payload, 'latin1')),
  }),
  { maxLength: 20 },
);

describe('messages', () => {
  test('are reported whole, and text-only ones too', () => {
    fc.assert(
      fc.property(frames, (all) => {
        const { out, told, why } = pass(all, () => 'same');
        expect(told).toEqual(
          read(all)
            .messages.filter((each) => each.startsWith('1:'))
            .map((each) => Buffer.from(each.slice(2), 'latin1').toString()),
        );
        expect(read(out)).toEqual(read(all));
        expect(why).toEqual([]);
      }),
      { numRuns: rounds(1000) },
    );
  });

  test('that are not changed go on in their frames', () => {
    fc.assert(
      fc.property(anyFrames, (all) => {
        const { out } = pass(all, () => 'same');
        expect(out.length).toBe(all.length);
        expect(new Set(out)).toEqual(new Set(all));
        expect(out.filter(({ opcode }) => opcode < 8)).toEqual(all.filter(({ opcode }) => opcode < 8));
        expect(out.filter(({ opcode }) => opcode >= 8)).toEqual(all.filter(({ opcode }) => opcode >= 8));
      }),
      { numRuns: rounds(1000) },
    );
  });

  test('that are changed go on in one frame each', () => {
    fc.assert(
      fc.property(frames, (all) => {
        const { out } = pass(all, (each) => ({ data: `${each}!` }));
        const { messages, control } = read(all);
        expect(read(out)).toEqual({
          control,
          messages: messages.map((each) => (each.startsWith('1:') ? `${each}!` : each)),
        });
        expect(out.filter(({ opcode }) => opcode === text).every(({ final }) => final)).toBe(true);
      }),
      { numRuns: rounds(1000) },
    );
  });

  test('wait for their last fragment, and frames of control do not', () => {
    const editor = createMessageEditor(() => ({ before: ['ahead'], data: 'é' }));
    expect(editor.push(frame(text, 'a', 'more'))).toEqual([]);
    expect(editor.push(frame(ping, 'p'))).toEqual([frame(ping, 'p')]);
    expect(editor.push(frame(continuation, 'b', 'more'))).toEqual([]);
    expect(editor.push(frame(pong, ''))).toEqual([frame(pong, '')]);
    expect(editor.push(frame(continuation, ''))).toEqual([frame(text, 'ahead'), frame(text, '\xc3\xa9')]);
  });

  test('of bytes do not wait', () => {
    const editor = createMessageEditor(() => 'drop');
    for (const each of [frame(binary, 'a', 'more'), frame(continuation, 'b', 'more'), frame(continuation, 'c')])
      expect(editor.push(each)).toEqual([each]);
  });

  test('that are dropped leave nothing', () => {
    expect(
      pass([frame(text, 'a', 'more'), frame(ping, ''), frame(continuation, 'b'), frame(text, 'c')], (each) =>
        each === 'ab' ? 'drop' : 'same',
      ).out,
    ).toEqual([frame(ping, ''), frame(text, 'c')]);
  });

  test('with the text that they have stay as they are', () => {
    const all = [frame(text, 'a', 'more'), frame(continuation, 'b')];
    expect(pass(all, (data) => ({ data })).out).toEqual(all);
  });
});

describe('messages that are not read', () => {
  test.each<
    readonly [string, readonly MessageFrame[], { readonly why: readonly Unread[]; readonly told: readonly string[] }]
  >([
    ['no UTF-8', [frame(text, '\xff'), frame(text, 'a')], { why: ['not-utf8'], told: ['a'] }],
    [
      'half a character at the end',
      [frame(text, 'a', 'more'), frame(continuation, '\xc3')],
      { why: ['not-utf8'], told: [] },
    ],
    [
      'a character in two fragments is one',
      [frame(text, '\xc3', 'more'), frame(continuation, '\xa9')],
      { why: [], told: ['é'] },
    ],
    ['too long', [frame(text, 'x'.repeat(101)), frame(text, 'a')], { why: ['too-long'], told: ['a'] }],
    ['as long as it may be', [frame(text, 'x'.repeat(100))], { why: [], told: ['x'.repeat(100)] }],
    [
      'too long in fragments',
      [
        frame(text, 'x'.repeat(30), 'more'),
        frame(continuation, 'x'.repeat(30), 'more'),
        frame(continuation, 'y', 'more'),
        frame(continuation, 'z'),
        frame(text, 'a'),
      ],
      { why: ['too-long'], told: ['a'] },
    ],
    [
      'empty fragments without end',
      [
        frame(text, '', 'more'),
        frame(continuation, '', 'more'),
        frame(continuation, '', 'more'),
        frame(continuation, ''),
      ],
      { why: ['too-long'], told: [] },
    ],
    ['one that never ends', [frame(text, 'a', 'more')], { why: ['unfinished'], told: [] }],
    ['one that is closed upon', [frame(text, 'a', 'more'), frame(close, '')], { why: ['unfinished'], told: [] }],
    ['one that begins in another', [frame(text, 'a', 'more'), frame(text, 'b')], { why: ['damaged'], told: ['b'] }],
    [
      'octets that begin in one',
      [frame(text, 'a', 'more'), frame(binary, 'b'), frame(continuation, 'c')],
      { why: ['damaged'], told: [] },
    ],
    ['more of nothing', [frame(continuation, 'a'), frame(text, 'b')], { why: [], told: ['b'] }],
    [
      'a kind that does not exist',
      [frame(3, 'a', 'more'), frame(continuation, 'b'), frame(text, 'c')],
      { why: [], told: ['c'] },
    ],
  ])('%s', (_, all, expected) => {
    expect(pass(all, () => 'same', 100)).toEqual({ out: all, ...expected });
  });

  test('are not held beyond the limit, empty fragments neither', () => {
    fc.assert(
      fc.property(anyFrames, (all) => {
        const editor = createMessageEditor(() => 'same', { limit: 200 });
        let held = 0;
        for (const each of all) {
          held += 1 - editor.push(each).length;
          expect(held).toBeLessThanOrEqual(4);
        }
        expect(editor.end().length).toBe(held);
      }),
    );
  });
});
