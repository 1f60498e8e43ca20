import { describe, expect, test } from 'vitest';
import type { JsonPath } from '../types.ts';
import { createJsonEditor, editJson, editJsonText } from './edit-json.ts';
import { peekJson } from './peek-json.ts';

const secret = 'ghp_0123456789abcdef';
const redact = (text: string): string | undefined =>
  text.includes(secret) ? text.replaceAll(secret, '[redacted]') : undefined;
const fields = ['system', 'messages.*.content', 'messages.*.content.*.text', 'messages.*.content.*.input.**'];

const edit = (
  text: string,
  options: { readonly fields?: readonly string[]; readonly except?: readonly string[] } = {},
): string => {
  const edited = editJson(Buffer.from(text), { fields, ...options, edit: redact });
  if (edited.kind === 'unreadable') throw new Error(edited.why);
  return edited.bytes.toString();
};

describe('a request is redacted in place', () => {
  test('numbers, keys, order, white space and the spelling of other texts stay', () => {
    const request = (text: string): string =>
      `\ufeff{ "model" : "m\\u006f", "seed":12345678901234567890123 ,"temperature":1.0e0,\r\n\t"messages":[ {"role":"user","content":[{"type":"text","text":${text}} , {"type":"text","text":"\\u0061\\/b"}]}],"z":{},"a":[ ] } \n`;
    expect(edit(request(`"key: ${secret}, é"`))).toBe(request('"key: [redacted], é"'));
  });

  test('texts that no field names stay, whatever is in them', () => {
    for (const request of [
      `{"model":"${secret}"}`,
      `{"messages":{"content":"${secret}"}}`,
      `{"messages":[{"content":{"text":"${secret}"}}]}`,
      `{"${secret}":1}`,
      `"${secret}"`,
    ])
      expect(edit(request)).toBe(request);
  });

  test('edit gets the name of the place; fields precede others, and exceptions both', () => {
    const told: string[] = [];
    editJson(Buffer.from('{"a":"1","B":"2","c":"3","d":"4","e":"5"}'), {
      fields: ['a', 'c', 'd'],
      others: ['b', 'c', 'e'],
      except: ['d', 'e'],
      edit: (text, _path, of) => void told.push(`${text} ${of}`),
    });
    expect(told).toEqual(['1 field', '2 other', '3 field']);
  });

  test('exceptions are not looked at', () => {
    const request = `{"a":{"signature":"${secret}","text":"x"}}`;
    expect(edit(request, { fields: ['a.**'], except: ['**.signature'] })).toBe(request);
    expect(edit(request, { fields: ['a.**'], except: ['**.text'] })).toBe(
      '{"a":{"signature":"[redacted]","text":"x"}}',
    );
  });

  test('edits are counted, and edit gets the place of the text', () => {
    const asked: JsonPath[] = [];
    const edited = editJson(Buffer.from('{"messages":[{"content":"a"},{"content":[{"input":{"k":["b",1,"c"]}}]}]}'), {
      fields,
      edit(text, path) {
        asked.push(path);
        return text === 'b' ? undefined : '';
      },
    });
    expect(edited).toEqual({
      kind: 'json',
      bytes: Buffer.from('{"messages":[{"content":""},{"content":[{"input":{"k":["b",1,""]}}]}]}'),
      edits: 2,
    });
    expect(asked).toEqual([
      ['messages', 0, 'content'],
      ['messages', 1, 'content', 0, 'input', 'k', 0],
      ['messages', 1, 'content', 0, 'input', 'k', 2],
    ]);
  });

  test('a text at the top is a field of `**`', () => {
    expect(edit(`"${secret}"`, { fields: ['**'] })).toBe('"[redacted]"');
  });

  test('errors of edit are passed on', () => {
    const failing = (): string => {
      throw new Error('a rule broke');
    };
    expect(() => editJson(Buffer.from('{"system":"a"}'), { fields, edit: failing })).toThrow('a rule broke');
  });
});

describe('ways around the fields', () => {
  const escaped = (text: string): string =>
    [...text].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

  test.each([
    ['a key in escapes', `{"\\u0073ystem":"${secret}"}`],
    ['all of it in escapes', `{"${escaped('system')}":"${secret}"}`],
    ['a value in escapes', `{"system":"\\u0067hp_0123456789abcdef"}`],
    ['all of a value in escapes', `{"system":"${escaped(secret)}"}`],
    ['the first of two keys', `{"system":"${secret}","system":"a"}`],
    ['the last of two keys', `{"system":"a","system":"${secret}"}`],
    ['two keys on the way', `{"messages":[{"content":"${secret}"}],"messages":[]}`],
    ['two keys, one in escapes', `{"system":"a","s\\u0079stem":"${secret}"}`],
    ['a key in another case, which Go reads', `{"System":"${secret}"}`],
    ['a key with a long s, which Go reads', `{"\u017fystem":"${secret}"}`],
    ['a key with a long s in an escape', `{"\\u017fYSTEM":"${secret}"}`],
    ['keys in another case on the way', `{"Messages":[{"CONTENT":"${secret}"}]}`],
    ['a byte order mark', `\ufeff{"system":"${secret}"}`],
    ['an object where an array is expected', `{"messages":{"0":{"content":"${secret}"}}}`],
  ])('%s: found', (_, request) => {
    const edited = edit(request);
    expect(edited).toContain('[redacted]');
    expect(edited).not.toContain(secret);
    expect(JSON.stringify(JSON.parse(edited.replace('\ufeff', '')))).not.toContain(secret);
  });

  test('an exception counts in its own spelling only', () => {
    expect(edit(`{"System":"${secret}"}`, { except: ['system'] })).toBe('{"System":"[redacted]"}');
    expect(edit(`{"s\\u0079stem":"${secret}"}`, { except: ['system'] })).toContain('ghp_');
  });

  test('a key with a Kelvin sign is one with a k', () => {
    expect(edit(`{"\u212aey":"${secret}"}`, { fields: ['key'] })).toContain('[redacted]');
  });

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('%s is a key like others', (key) => {
    expect(edit(`{"${key}":"${secret}"}`)).toContain(secret);
    expect(edit(`{"${key}":{"${key}":"${secret}"}}`, { fields: [`*.${key}`] })).toContain('[redacted]');
  });

  test('text that is not UTF-8 JSON is unchanged: UTF-16 and UTF-32 of either order', () => {
    const text = `{"system":"${secret}"}`;
    const little = Buffer.from(text, 'utf16le');
    for (const bytes of [
      little,
      Buffer.from(little).swap16(),
      Buffer.concat([Buffer.from([0xff, 0xfe]), little]),
      Buffer.from([...text].flatMap((character) => [0, 0, 0, character.charCodeAt(0)])),
    ])
      expect(editJson(bytes, { fields: ['**'], edit: () => '' }).kind).toBe('unreadable');
  });
});

describe('lone surrogates', () => {
  test('survive where nothing is changed, and come out as escapes where something is', () => {
    expect(edit('{"system":"\\ud83d \\UD83D"}'.replace('U', 'u'))).toBe('{"system":"\\ud83d \\uD83D"}');
    expect(edit(`{"system":"\\uD83D ${secret} \\ude00"}`)).toBe('{"system":"\\ud83d [redacted] \\ude00"}');
  });

  test('halves that an edit brings together are a character', () => {
    const edited = editJson(Buffer.from('["\\ud83d-\\ude00"]'), {
      fields: ['*'],
      edit: (text) => text.replace('-', ''),
    });
    expect(edited).toEqual({ kind: 'json', bytes: Buffer.from('["😀"]'), edits: 1 });
  });
});

describe('sizes', () => {
  const arrays = (depth: number, inner = ''): Buffer => Buffer.from('['.repeat(depth) + inner + ']'.repeat(depth));
  const objects = (depth: number, inner: string): Buffer =>
    Buffer.from('{"a":'.repeat(depth) + inner + '}'.repeat(depth));
  const all = { fields: ['**'], edit: (text: string) => `${text}!` };

  test.each([10_000, 100_000])('%i containers in one another', (depth) => {
    expect(editJson(arrays(depth, '"x"'), all)).toEqual({ kind: 'json', bytes: arrays(depth, '"x!"'), edits: 1 });
    expect(editJson(objects(depth, '"x"'), all)).toEqual({ kind: 'json', bytes: objects(depth, '"x!"'), edits: 1 });
  });

  test('over 100,000 are too deep, whether they end or not', () => {
    for (const bytes of [
      arrays(100_001),
      objects(100_001, '0'),
      Buffer.from('['.repeat(5_000_000)),
      Buffer.from('[{"a":'.repeat(60_000)),
    ])
      expect(editJson(bytes, all)).toEqual({ kind: 'unreadable', why: 'too-deep' });
  });

  test('a path is cut at 64 keys', () => {
    const paths: JsonPath[] = [];
    for (const depth of [63, 64, 65, 200])
      editJson(objects(depth, '["x",{"b":"y"}]'), { fields: ['**'], edit: (_, path) => void paths.push(path) });
    expect(paths.map(({ length }) => length)).toEqual([64, 64, 64, 64, 64, 64, 64, 64]);
    expect(paths.slice(0, 3).map((path) => path.slice(62))).toEqual([
      ['a', 0],
      ['a', 1],
      ['a', 'a'],
    ]);
  });

  /** Would be ten billion steps if each leaf cost its depth. */
  test('many leaves far down cost no more than at the top', () => {
    const edited = editJson(arrays(99_000, `${'"a",'.repeat(100_000)}"a"`), { fields: ['**'], edit: () => undefined });
    expect(edited.kind).toBe('json');
  });

  /** Would be as many steps again if each leaf decoded the key above it. */
  test('many leaves under a key of a megabyte', () => {
    const edited = editJson(Buffer.from(`{"${'k\\n'.repeat(300_000)}":[${'"a",'.repeat(100_000)}"a"]}`), {
      fields: ['**'],
      edit: () => undefined,
    });
    expect(edited).toMatchObject({ kind: 'json', edits: 0 });
  });

  test('100,000 keys, half of them changed', () => {
    const of = (odd: string): Buffer =>
      Buffer.from(
        `{${Array.from({ length: 100_000 }, (_, index) => `"k${index}":"${index % 2 === 0 ? 'even' : odd}"`).join(',')}}`,
      );
    expect(
      editJson(of('odd'), {
        fields: ['*'],
        edit: (text) => (text === 'odd' ? 'a longer text than before' : undefined),
      }),
    ).toEqual({ kind: 'json', bytes: of('a longer text than before'), edits: 50_000 });
  });

  test('a text that is too long for a string of V8 is unreadable where a field names it, and passes elsewhere', () => {
    const bytes = Buffer.alloc(0x1000_0010, 'a');
    bytes.write('["');
    bytes.write('"]', bytes.length - 2);
    expect(editJson(bytes, all)).toEqual({ kind: 'unreadable', why: 'too-long' });
    expect(editJson(bytes, { ...all, fields: [] })).toMatchObject({ kind: 'json', edits: 0 });
    expect(peekJson(bytes, [[0]])).toEqual([undefined]);
  });

  test('a text of megabytes', () => {
    const of = (end: string): Buffer => Buffer.from(`{"system":"${'\\n漢é\\ud800'.repeat(200_000)}${end}"}`);
    expect(
      editJson(of('a'), {
        fields,
        edit: (text) => (text.endsWith('a') && text.length === 800_001 ? 'short' : undefined),
      }),
    ).toMatchObject({ kind: 'json', edits: 1, bytes: Buffer.from('{"system":"short"}') });
  });
});

describe('a text', () => {
  test('is edited as its bytes are', () => {
    expect(editJsonText(`\ufeff{"system":"é ${secret}","n":1e400}`, { fields, edit: redact })).toEqual({
      kind: 'json',
      text: '\ufeff{"system":"é [redacted]","n":1e400}',
      edits: 1,
    });
    expect(editJsonText('{"system":"a"}', { fields, edit: redact })).toEqual({
      kind: 'json',
      text: '{"system":"a"}',
      edits: 0,
    });
    expect(editJsonText('{"system":', { fields, edit: redact })).toEqual({ kind: 'unreadable', why: 'not-json' });
  });

  test('with a lone surrogate is no UTF-8', () => {
    expect(editJsonText('{"system":"\ud800"}', { fields, edit: redact })).toEqual({
      kind: 'unreadable',
      why: 'not-utf8',
    });
  });

  test('an editor keeps nothing of a document for the next one', () => {
    const editor = createJsonEditor({ fields });
    for (const text of [
      `{"system":"${secret}"`,
      `{"messages":[{"content":"${secret}"}]}`,
      `{"System":"${secret}"}`,
      `{"system":"${secret}"}`,
    ]) {
      expect(editor.editText(text, redact)).toEqual(editJsonText(text, { fields, edit: redact }));
      expect(editor.edit(Buffer.from(text), redact)).toEqual(editJson(Buffer.from(text), { fields, edit: redact }));
    }
  });
});
