import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EventEdit, SseEvent } from '../../types.ts';
import { bytesOneByOne, cutAt, pass, places } from '../testing/cut.ts';
import { slowEvents, slowlyHeld } from '../testing/slow-sse.ts';
import type { EditorOptions, Unread } from '../types.ts';
import { createSseEditor, writeEvent } from './sse-editor.ts';
import { rounds } from '../../../../scripts/testing/extent.ts';

const same = (): EventEdit => 'same';

/** Pieces that make the borders of the grammar likely. */
const piece = fc.constantFrom(
  'data',
  'event',
  'id',
  'retry',
  ':',
  ': ',
  ' ',
  '\n',
  '\r',
  '\r\n',
  '\n\n',
  '\r\r',
  '\r\n\r\n',
  'x',
  '\0',
  'é',
  '日本',
  '\ufeff',
  '\u2028',
  '\u0085',
  'data: a\n\n',
  'data:b\r\r',
  ': alive\n',
);
const stream = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
const anyBytes = fc.oneof(
  stream.map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  fc
    .array(
      fc.oneof(
        piece.map((text) => Buffer.from(text)),
        fc.constantFrom(Buffer.of(0xff), Buffer.of(0xc3), Buffer.of(0xef, 0xbb), Buffer.of(0x80)),
      ),
      { maxLength: 40 },
    )
    .map((parts) => Buffer.concat(parts)),
);

function told(
  bytes: Buffer | string,
  options: EditorOptions = {},
): { readonly events: readonly SseEvent[]; readonly out: string } {
  const events: SseEvent[] = [];
  const editor = createSseEditor((event) => {
    events.push(event);
    return 'same';
  }, options);
  return { out: pass(editor, [Buffer.from(bytes)]).toString(), events };
}

function edited(text: string, edit: (event: SseEvent) => EventEdit): string {
  const out = pass(createSseEditor(edit), [Buffer.from(text)]).toString();
  expect(pass(createSseEditor(edit), bytesOneByOne(Buffer.from(text))).toString()).toBe(out);
  return out;
}

function unreadOf(
  chunks: readonly Buffer[],
  limit?: number,
): { readonly why: readonly Unread[]; readonly out: Buffer } {
  const why: Unread[] = [];
  const out = pass(
    createSseEditor(same, { ...(limit === undefined ? {} : { limit }), onUnread: (each) => why.push(each) }),
    chunks,
  );
  return { why, out };
}

describe('the fields of an event', () => {
  // The last four are the examples of WHATWG HTML §9.2.6.
  test.each<readonly [string, string, readonly SseEvent[]]>([
    ['data', 'data: a\n\n', [{ data: 'a' }]],
    ['all fields', 'event: e\nid: 7\nretry: 10\ndata: a\n\n', [{ event: 'e', id: '7', data: 'a' }]],
    ['the last name counts', 'event: e\nevent: f\ndata: a\n\n', [{ event: 'f', data: 'a' }]],
    ['an empty name is none', 'event: e\nevent\ndata: a\n\n', [{ data: 'a' }]],
    ['an empty id is one', 'id\ndata: a\n\n', [{ id: '', data: 'a' }]],
    ['an id with NUL is none', 'id: 1\nid: a\0b\ndata: a\n\n', [{ id: '1', data: 'a' }]],
    ['data with NUL is data', 'data: a\0b\n\n', [{ data: 'a\0b' }]],
    ['fields are spelled in one way', 'Data: a\nDATA: b\n data: c\ndata : d\ndata: e\n\n', [{ data: 'e' }]],
    ['one space is no part of a value', 'data:  a \ndata:\tb\n\n', [{ data: ' a \n\tb' }]],
    ['colons in values', 'data:a:b\ndata::\n\n', [{ data: 'a:b\n:' }]],
    ['lines without a colon before lines with one', 'data\nx\ndata: a:\n\n', [{ data: '\na:' }]],
    ['each kind of break', 'data: a\r\ndata: b\rdata: c\n\r\ndata: d\r\r', [{ data: 'a\nb\nc' }, { data: 'd' }]],
    ['no other kind', 'data: a\u2028b\u0085c\vd\fe\n\n', [{ data: 'a\u2028b\u0085c\vd\fe' }]],
    ['a mark at the beginning', '\ufeffdata: a\n\n', [{ data: 'a' }]],
    ['a second mark', '\ufeff\ufeffdata: a\ndata: b\n\n', [{ data: 'b' }]],
    ['a mark in the middle', 'data: a\n\n\ufeffdata: b\n\ndata:\ufeffc\n\n', [{ data: 'a' }, { data: '\ufeffc' }]],
    ['nothing without data', 'event: e\nid: 1\n\n: x\n\n\n', []],
    ['nothing without a blank line', 'data: a\n', []],
    ['nothing carries over', 'event: e\n\nid: 3\n\ndata: a\n\n', [{ data: 'a' }]],
    ['a replacement character that was sent', 'data: \ufffd\n\n', [{ data: '\ufffd' }]],
    ['lines of data', 'data: YHOO\ndata: +2\ndata: 10\n\n', [{ data: 'YHOO\n+2\n10' }]],
    [
      'comments and ids',
      ': test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n',
      [{ data: 'first event', id: '1' }, { data: 'second event', id: '' }, { data: ' third event' }],
    ],
    ['empty data', 'data\n\ndata\ndata\n\ndata:', [{ data: '' }, { data: '\n' }]],
    ['with a space or without', 'data:test\n\ndata: test\n\n', [{ data: 'test' }, { data: 'test' }]],
  ])('%s', (_, text, events) => {
    expect(told(text)).toEqual({ events, out: text });
    expect(slowEvents(text)).toEqual(events);
  });

  test('follow the steps of the standard', () => {
    fc.assert(
      fc.property(stream, (text) => {
        expect(told(text).events).toEqual(slowEvents(text));
      }),
      { numRuns: rounds(2000) },
    );
  });

  test('wherever the stream is cut', () => {
    fc.assert(
      fc.property(stream, places, (text, at) => {
        const events: SseEvent[] = [];
        pass(
          createSseEditor((event) => (events.push(event), 'same')),
          cutAt(Buffer.from(text), at),
        );
        expect(events).toEqual(slowEvents(text));
      }),
      { numRuns: rounds(1000) },
    );
  });
});

describe('an unchanged event', () => {
  test('is the same bytes, and never later than it can be', () => {
    fc.assert(
      fc.property(anyBytes, places, (bytes, at) => {
        const editor = createSseEditor(same);
        let came = 0;
        let out = Buffer.alloc(0);
        for (const chunk of cutAt(bytes, at)) {
          came += chunk.length;
          out = Buffer.concat([out, editor.push(chunk)]);
          expect(came - out.length).toBe(slowlyHeld(bytes.subarray(0, came)));
        }
        expect(Buffer.concat([out, editor.end()])).toEqual(bytes);
      }),
      { numRuns: rounds(2000) },
    );
  });

  test('is not copied', () => {
    const editor = createSseEditor(() => ({ before: [] }));
    const chunk = Buffer.from('data: a\n\n: b\n\ndata: é\r\n\r\n');
    editor.push(Buffer.from(':\n'));
    expect(editor.push(chunk)).toBe(chunk);
  });

  test('is one that is given equal data', () => {
    const text = 'data:a\r\ndata:  b\n\r\n';
    expect(edited(text, ({ data }) => ({ data }))).toBe(text);
  });

  test.each([
    ['with the blank line', ['data: a', '\n', '\n', 'data: b\n\n'], ['', '', 'data: a\n\n', 'data: b\n\n']],
    [
      'with the CR of a blank line',
      ['data: a\r\n\r', '\n', 'data: b\r', '\r', '\n'],
      ['data: a\r\n\r', '\n', '', 'data: b\r\r', '\n'],
    ],
    ['but not with the LF of a line before it', ['data: a\r', '\n', '\n'], ['', '', 'data: a\r\n\n']],
    [
      'comments between events at once, half or whole',
      [':', ' ali', 've\n', ':\r', '\n', 'data: a\n:'],
      [':', ' ali', 've\n', ':\r', '\n', ''],
    ],
    ['comments in an event with it', ['id: 1\n', ': c\n', 'data: a\n', '\n'], ['', '', '', 'id: 1\n: c\ndata: a\n\n']],
    ['a byte order mark when it is one', ['\u00ef', '\u00bb', '\u00bf', ':'], ['', '', '\u00ef\u00bb\u00bf', ':']],
    ['what only begins like one', ['\u00ef', '\u00bb', 'x\n\n'], ['', '', '\u00ef\u00bbx\n\n']],
  ])('leaves %s', (_, chunks, out) => {
    const editor = createSseEditor(same);
    expect(chunks.map((chunk) => editor.push(Buffer.from(chunk, 'latin1')).toString('latin1'))).toEqual(out);
  });
});

describe('a changed event', () => {
  test.each([
    ['keeps its other lines', 'event:  e\n: c\ndata: a\nid:\tx\ny\n\n', 'event:  e\n: c\ndata: new\nid:\tx\ny\n\n'],
    [
      'has its data where the first line of it was',
      'data: a\r\nid: 1\rdata: b\ndata\n\r\n',
      'data: new\r\nid: 1\r\r\n',
    ],
    ['is written as tightly as before', 'data:a\n\n', 'data:new\n\n'],
    ['gets a colon', 'data\r\r', 'data: new\r\r'],
    [
      'leaves those around it',
      ':\n\ndata: x\n\ndata: a\n\ndata: x\r\n\r\n',
      ':\n\ndata: x\n\ndata: new\n\ndata: x\r\n\r\n',
    ],
    ['keeps a mark before it', '\ufeffdata: a\n\n', '\ufeffdata: new\n\n'],
    ['with the LF that is half of its blank line', 'data: a\r\n\r\ndata: x\n\n', 'data: new\r\n\r\ndata: x\n\n'],
  ])('%s', (_, before, after) => {
    expect(edited(before, ({ data }) => (data === 'x' ? 'same' : { data: 'new' }))).toBe(after);
  });

  test.each([
    ['data: x\r\n\r\n', 'a\nb', 'data: a\r\ndata: b\r\n\r\n'],
    ['data:x\n\n', ' a', 'data:  a\n\n'],
    ['data:x\n\n', 'a\n b\n', 'data:a\ndata:  b\ndata:\n\n'],
    ['data: x\n\n', '', 'data: \n\n'],
    ['data: x\n\n', 'a\rb\r\nc', 'data: a\ndata: b\ndata: c\n\n'],
    ['data: x\n\n', 'é\0', 'data: é\0\n\n'],
  ])('of %j with %j is %j', (text, data, after) => {
    expect(edited(text, () => ({ data }))).toBe(after);
  });

  const name = fc.option(fc.constantFrom('e', ' x', 'é:', ''), { nil: undefined });
  const data = fc
    .array(fc.constantFrom('a', ' ', ':', '\n', 'é', 'data', '\ufeff', '\0'), { maxLength: 8 })
    .map((parts) => parts.join(''));

  test('is read as it was, with other data', () => {
    fc.assert(
      fc.property(stream, data, places, (text, fresh, at) => {
        const out = pass(
          createSseEditor(() => ({ data: fresh })),
          cutAt(Buffer.from(text), at),
        );
        expect(slowEvents(out.toString())).toEqual(slowEvents(text).map((event) => ({ ...event, data: fresh })));
      }),
      { numRuns: rounds(2000) },
    );
  });

  test('has nothing changed but its lines of data', () => {
    const others = (text: string): readonly string[] =>
      (text.match(/[^\r\n]*(?:\r\n|\r|\n)/gu) ?? []).filter((line) => !/^data[:\r\n]/u.test(line));
    fc.assert(
      fc.property(stream, data, (text, fresh) => {
        // A whole last event, or lines that are not part of one would be compared.
        const whole = `${text.replaceAll('\ufeff', '')}x\n\n`;
        expect(others(edited(whole, () => ({ data: fresh })))).toEqual(others(whole));
      }),
      { numRuns: rounds(1000) },
    );
  });

  test('may have others before it, which are read as they were given', () => {
    const event = fc.record({ event: name, data, id: name }).map(
      ({ event: type, data: text, id }): SseEvent => ({
        data: text,
        ...(type === undefined ? {} : { event: type }),
        ...(id === undefined ? {} : { id }),
      }),
    );
    fc.assert(
      fc.property(stream, fc.array(event, { maxLength: 3 }), places, (text, before, at) => {
        const out = pass(
          createSseEditor(() => ({ before })),
          cutAt(Buffer.from(text), at),
        ).toString();
        const read = before.map(({ event: type, ...rest }) => ({
          ...rest,
          ...(type === undefined || type === '' ? {} : { event: type }),
        }));
        expect(slowEvents(out)).toEqual(slowEvents(text).flatMap((each) => [...read, each]));
      }),
      { numRuns: rounds(1000) },
    );
  });

  test('has the ones before it behind the comments that have left, with its own breaks', () => {
    const text = ': c\r\nid: 1\r\ndata: a\r\n\r\n';
    expect(edited(text, () => ({ before: [{ event: 'e', data: 'x\ny', id: '0' }], data: 'b' }))).toBe(
      ': c\r\nevent: e\r\nid: 0\r\ndata: x\r\ndata: y\r\n\r\nid: 1\r\ndata: b\r\n\r\n',
    );
  });

  test('that is dropped leaves nothing of itself, not even the rest of its end', () => {
    const text = 'data: a\r\n\r\n: c\ndata: b\r\n\r\n\ndata: a\n\n';
    const out = ': c\ndata: b\r\n\r\n\n';
    expect(edited(text, ({ data: each }) => (each === 'a' ? 'drop' : 'same'))).toBe(out);
  });

  test('does not depend on where the stream was cut', () => {
    const edit = ({ data: each }: SseEvent): EventEdit =>
      each === 'a' ? 'drop' : { before: [{ data: 'ahead' }], data: `${each}!` };
    fc.assert(
      fc.property(anyBytes, places, fc.integer({ min: 1, max: 30 }), (bytes, at, limit) => {
        expect(pass(createSseEditor(edit, { limit }), cutAt(bytes, at))).toEqual(
          pass(createSseEditor(edit, { limit }), [bytes]),
        );
      }),
      { numRuns: rounds(2000) },
    );
  });
});

describe('unread text', () => {
  test.each<readonly [string, string, readonly Unread[]]>([
    ['bytes that are no UTF-8', 'data: \xff\n\ndata: ok\n\n', ['not-utf8']],
    ['a surrogate', 'data: \xed\xa0\x80\n\n', ['not-utf8']],
    ['an overlong spelling', 'data: \xc0\xaf\n\n', ['not-utf8']],
    ['half a character', 'data: \xc3\ndata: \xa9\n\n', ['not-utf8']],
    ['half of a replacement character beside a whole one', 'data: \xef\xbf\xbd\xef\xbf\n\n', ['not-utf8']],
    ['two of them', 'data: \xff\n\ndata: \xff\n\n', ['not-utf8', 'not-utf8']],
    ['an event without its end', 'data: a\n\ndata: b\n', ['unfinished']],
    ['a line without its end', 'data: a\n\ndata', ['unfinished']],
    ['nothing that is all right', ': c\n\ndata: \xc3\xa9\n\n: half a comm', []],
    ['no comment between events', ': \xff\n\ndata: a\n\n', []],
    ['half of a mark', '\xef\xbb', ['unfinished']],
  ])('%s', (_, text, why) => {
    const bytes = Buffer.from(text, 'latin1');
    expect(unreadOf([bytes])).toEqual({ why, out: bytes });
    expect(unreadOf(bytesOneByOne(bytes))).toEqual({ why, out: bytes });
  });

  test('an event over the limit goes on as it comes, and the next one is read', () => {
    const text = `data: ${'x'.repeat(20)}\nid: 1\n\ndata: b\n\n`;
    for (const chunks of [[Buffer.from(text)], bytesOneByOne(Buffer.from(text))]) {
      const events: string[] = [];
      const why: Unread[] = [];
      const editor = createSseEditor(({ data }) => (events.push(data), { data: 'c' }), {
        limit: 16,
        onUnread: (each) => why.push(each),
      });
      expect(pass(editor, chunks).toString()).toBe(`data: ${'x'.repeat(20)}\nid: 1\n\ndata: c\n\n`);
      expect({ events, why }).toEqual({ events: ['b'], why: ['too-long'] });
    }
  });

  test('an event of just the limit is read', () => {
    expect(unreadOf([Buffer.from('data: abc\r\r')], 11).why).toEqual([]);
    expect(unreadOf([Buffer.from('data: abc\r\r\n')], 11).why).toEqual([]);
    expect(unreadOf([Buffer.from('data: abcd\n\n')], 11).why).toEqual(['too-long']);
  });

  test('is reported before it leaves', () => {
    const seen: string[] = [];
    const editor = createSseEditor(same, { limit: 8, onUnread: () => seen.push('told') });
    for (const chunk of bytesOneByOne(Buffer.from('data: long'))) if (editor.push(chunk).length > 0) seen.push('left');
    expect(seen).toEqual(['told', 'left', 'left']);
  });

  test('no more is held than the limit', () => {
    fc.assert(
      fc.property(anyBytes, places, fc.integer({ min: 3, max: 20 }), (bytes, at, limit) => {
        const editor = createSseEditor(same, { limit });
        let held = 0;
        for (const chunk of cutAt(bytes, at)) {
          held += chunk.length - editor.push(chunk).length;
          expect(held).toBeLessThanOrEqual(limit);
        }
        expect(editor.end().length).toBe(held);
      }),
    );
  });
});

describe('hostile streams', () => {
  const inChunks = (text: string): readonly Buffer[] => {
    const bytes = Buffer.from(text);
    return Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, n) =>
      bytes.subarray(n * 65_536, (n + 1) * 65_536),
    );
  };

  test.each([
    ['a line of 10 MB', `data: ${'x'.repeat(10_000_000)}\n\n`, ['too-long']],
    ['a comment of 10 MB', `:${'x'.repeat(10_000_000)}\ndata: a\n\n`, []],
    ['a million comments', ':\n'.repeat(1_000_000), []],
    ['a million comments in an event', `data: a\n${':\n'.repeat(1_000_000)}\n`, []],
    ['a million lines of data', `${'data\n'.repeat(1_000_000)}\n`, []],
    ['a million lines without a colon', `${'d\r'.repeat(1_000_000)}\r`, []],
    ['a million blank lines', '\r'.repeat(1_000_000), []],
    ['a million events', 'data\r\r'.repeat(500_000), []],
    ['a million NULs', `id: ${'\0'.repeat(1_000_000)}\n\n`, []],
  ] as const)('%s', (_, text, why) => {
    const unread = unreadOf(inChunks(text));
    expect(unread.why).toEqual(why);
    expect(unread.out.equals(Buffer.from(text))).toBe(true);
  });

  test('a million events that are no UTF-8', () => {
    const bytes = Buffer.from('data:\xff\n\n'.repeat(300_000), 'latin1');
    const unread = unreadOf([bytes]);
    expect(unread.why.length).toBe(300_000);
    expect(unread.out.equals(bytes)).toBe(true);
  });

  test('names and ids cannot end their lines', () => {
    expect(writeEvent({ event: 'a\ndata: x\r\n', data: 'd', id: '1\r\n\r\ndata: y\0' })).toBe(
      'event: adata: x\nid: 1data: y\ndata: d\n\n',
    );
  });
});
