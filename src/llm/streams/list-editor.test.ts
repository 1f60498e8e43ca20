import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createListEditor, type ListEditorOptions } from './list-editor.ts';
import { bytesOneByOne, cutAt, pass, places } from './testing/cut.ts';
import type { LineEdit, Unread } from './types.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const space = fc.constantFrom('', ' ', '\r\n', '\n\t');
const element = fc
  .oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom('"', '\\', '[', ']}', 'é,字', -1.5, true, null))
  .map((value) => JSON.stringify(value));
/** A list with its elements as they are written. */
const list = fc
  .tuple(fc.array(fc.tuple(space, element, space), { maxLength: 6 }), space, fc.constantFrom('', '\ufeff'))
  .map(([parts, margin, mark]) => ({
    elements: parts.map(([, text]) => text),
    text: `${mark}${margin}[${parts.map((part) => part.join('')).join(',')}${parts.length === 0 ? margin : ''}]${margin}`,
  }));

function edited(text: string, edit: (element: string) => LineEdit, options: ListEditorOptions = {}): string {
  const out = pass(createListEditor(edit, options), [Buffer.from(text)]).toString();
  expect(pass(createListEditor(edit, options), bytesOneByOne(Buffer.from(text))).toString()).toBe(out);
  return out;
}

describe('the elements of a list', () => {
  test('are reported verbatim, cut anywhere', () => {
    fc.assert(
      fc.property(list, places, ({ elements, text }, at) => {
        const told: string[] = [];
        const out = pass(
          createListEditor((each) => (told.push(each), 'same')),
          cutAt(Buffer.from(text), at),
        );
        expect(told).toEqual(elements);
        expect(out.toString()).toBe(text);
      }),
      { numRuns: rounds(1000) },
    );
  });

  test('leave with their last octet, and not before', () => {
    const editor = createListEditor(() => 'same');
    const left = bytesOneByOne(Buffer.from('[{"a":"}"}, [1] ,"b",2 ]\n')).map((octet) => editor.push(octet).toString());
    expect(left.filter((each) => each !== '')).toEqual([
      '[',
      '{"a":"}"}',
      ',',
      ' ',
      '[1]',
      ' ',
      ',',
      '"b"',
      ',',
      '2 ',
      ']',
      '\n',
    ]);
  });

  test('are changed in place, and the text between them stays', () => {
    expect(
      edited('[ {"a":1} ,\r\n{"b":2}\n]\n', (each) =>
        each.includes('a') ? { before: ['0', '"é"'], data: '{}' } : 'same',
      ),
    ).toBe('[ 0,"é",{} ,\r\n{"b":2}\n]\n');
    expect(edited('[1,{"b":2},3]', (each) => (each.startsWith('{') ? 'drop' : 'same'))).toBe('[1,{},3]');
  });

  test.each([
    ['[]', '["r",1]'],
    ['[{"a":1}]', '[{"a":1},"r",1]'],
    ['[{"a":1}\n]\n', '[{"a":1}\n,"r",1]\n'],
    ['[{"a":1}', '[{"a":1},"r",1'],
    ['[{"a":1},', '[{"a":1},"r",1'],
    ['[{"a":1},{"b', '[{"a":1},"r",1,{"b'],
    ['[', '["r",1'],
  ])('have others behind them at the end of %j', (text, expected) => {
    let left = ['"r"', '1'];
    const rest = (): readonly string[] => left.splice(0);
    expect(
      pass(
        createListEditor(() => 'same', { rest }),
        [Buffer.from(text)],
      ).toString(),
    ).toBe(expected);
    left = ['"r"', '1'];
    expect(
      pass(
        createListEditor(() => 'same', { rest }),
        bytesOneByOne(Buffer.from(text)),
      ).toString(),
    ).toBe(expected);
  });
});

describe('a text that is not a list', () => {
  test('goes on as it is, of whatever octets', () => {
    const octets = fc
      .array(fc.constantFrom(...Buffer.from('[]{},"\\ 1a\n'), 0xef, 0xbb, 0xbf, 0xff), { maxLength: 40 })
      .map((each) => Buffer.from(each));
    fc.assert(
      fc.property(octets, places, (bytes, at) => {
        expect(
          pass(
            createListEditor(() => 'same'),
            cutAt(bytes, at),
          ).equals(bytes),
        ).toBe(true);
      }),
      { numRuns: rounds(2000) },
    );
  });

  test('tells why it was not read', () => {
    const why: Unread[] = [];
    const onUnread = (each: Unread): void => void why.push(each);
    const text = Buffer.concat([
      Buffer.from('[{"a":"'),
      Buffer.of(0xff),
      Buffer.from('"},{"long":"aaaaaaaaaaaaaaaa"},{"b":1},{"c'),
    ]);
    const told: string[] = [];
    expect(
      pass(
        createListEditor((each) => (told.push(each), 'same'), { limit: 16, onUnread }),
        bytesOneByOne(text),
      ).equals(text),
    ).toBe(true);
    expect([told, why]).toEqual([['{"b":1}'], ['not-utf8', 'too-long', 'unfinished']]);
  });

  test('is 100,000 deep and read in no time', () => {
    const deep = `[${'['.repeat(100_000)}${']'.repeat(100_000)},1]`;
    const told: number[] = [];
    expect(edited(deep, (each) => (told.push(each.length), 'same'))).toBe(deep);
    expect(told.slice(0, 2)).toEqual([200_000, 1]);
  });
});
