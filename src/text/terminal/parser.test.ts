import { describe, expect, test } from 'vitest';
import { longestSequence, TerminalParser } from './parser.ts';
import type { TextSpan, Sequence } from './describe.ts';

/** Everything that is told, one line each: texts in quotes, sequences by kind with their place. */
function told(chunks: readonly string[], colours: 'told' | 'skipped' = 'told'): readonly string[] {
  const lines: string[] = [];
  const parser = new TerminalParser({
    text: (text) => lines.push(JSON.stringify(text)),
    sequence: (sequence, place) => lines.push(`${written(sequence)} ${at(place)}`),
    colours: colours === 'told' ? (parameters, place) => lines.push(`colours ${parameters} ${at(place)}`) : undefined,
  });
  for (const chunk of chunks) parser.push(chunk);
  parser.end();
  return lines;
}

function written(sequence: Sequence): string {
  switch (sequence.kind) {
    case 'control':
      return `control ${sequence.code.toString(16)}`;
    case 'escape':
      return `escape ${sequence.what}`;
    case 'csi':
      return `csi ${[sequence.parameters, sequence.intermediates, sequence.final].join(',')}`;
    case 'string':
      return `${sequence.introducer} ${JSON.stringify(sequence.payload)} ${sequence.length} ${sequence.end}`;
    case 'broken':
      return `broken ${sequence.what}`;
  }
}

const at = ({ start, end }: TextSpan): string => `${start}-${end}`;

describe('the events, with their places', () => {
  test.each([
    ['a\tb\nc', ['"a\\tb\\nc"']],
    ['a\x07b', ['"a"', 'control 7 1-2', '"b"']],
    ['a\x08\x08', ['"a"', 'control 8 1-2', 'control 8 2-3']],
    ['a\x7fb', ['"a"', 'control 7f 1-2', '"b"']],
    ['a\r\nb', ['"a"', '"\\nb"']],
    ['a\rb', ['"a"', 'control d 1-2', '"b"']],
    ['a\r\r\n', ['"a"', 'control d 1-2', '"\\n"']],
    ['a\x1bcb', ['"a"', 'escape c 1-3', '"b"']],
    ['a\x1b(Bb', ['"a"', 'escape (B 1-4', '"b"']],
    ['a\x1b( Bb', ['"a"', 'escape ( B 1-5', '"b"']],
    ['a\x1b0b', ['"a"', 'escape 0 1-3', '"b"']],
    ['a\x1b~b', ['"a"', 'escape ~ 1-3', '"b"']],
    ['a\x1b/]b', ['"a"', 'escape /] 1-4', '"b"']],
    ['a\x1b/[b', ['"a"', 'escape /[ 1-4', '"b"']],
    ['a\x80b', ['"a"', 'escape @ 1-2', '"b"']],
    ['a\x84b', ['"a"', 'escape D 1-2', '"b"']],
    ['a\x9ab', ['"a"', 'escape Z 1-2', '"b"']],
    ['a\xa0b', ['"a\u00a0b"']],
    ['a\x1b[2Jb', ['"a"', 'csi 2,,J 1-5', '"b"']],
    ['a\x9b2Jb', ['"a"', 'csi 2,,J 1-4', '"b"']],
    ['a\x1b[?1;2$pb', ['"a"', 'csi ?1;2,$,p 1-9', '"b"']],
    ['a\x1b[ qb', ['"a"', 'csi , ,q 1-5', '"b"']],
    ['a\x1b[~b', ['"a"', 'csi ,,~ 1-4', '"b"']],
    ['a\x1b[@b', ['"a"', 'csi ,,@ 1-4', '"b"']],
    ['a\x1b[1;31mb', ['"a"', 'colours 1;31 1-8', '"b"']],
    ['\x1b[mb', ['colours  0-3', '"b"']],
    ['\x1b[0123456789;m', ['colours 0123456789; 0-14']],
    ['\x1b[4:3m', ['csi 4:3,,m 0-6']],
    ['\x1b[>4m', ['csi >4,,m 0-5']],
    ['\x1b[1/m', ['csi 1,/,m 0-5']],
    ['\x9b31m', ['csi 31,,m 0-4']],
    ['\x1bZ1m', ['escape Z 0-2', '"1m"']],
    ['a\x1b]0;t\x07b', ['"a"', 'OSC "0;t" 3 terminated 1-7', '"b"']],
    ['a\x1b]0;t\x1b\\b', ['"a"', 'OSC "0;t" 3 terminated 1-8', '"b"']],
    ['a\x9d0\x9cb', ['"a"', 'OSC "0" 1 terminated 1-4', '"b"']],
    ['a\x1bPx\ny\x9cb', ['"a"', 'DCS "x\\ny" 3 terminated 1-7', '"b"']],
  ])('%j', (text, lines) => {
    expect(told([text])).toEqual(lines);
  });

  test('skips colours without a listener', () => {
    expect(told(['a\x1b[31mb\x1b[mc'], 'skipped')).toEqual(['"a"', '"b"', '"c"']);
  });
});

describe('inside an unfinished sequence', () => {
  test.each([
    ['\x1b[\t\n2J', ['"\\t"', '"\\n"', 'csi 2,,J 0-6']],
    ['\x1b[\x082J', ['control 8 2-3', 'csi 2,,J 0-5']],
    ['\x1b[2\x7fJ', ['csi 2,,J 0-5']],
    ['\x1b\x08c', ['control 8 1-2', 'escape c 0-3']],
    ['\x1b[2\x18J', ['broken CSI 0-4', '"J"']],
    ['\x1b[2\x1aJ', ['broken CSI 0-4', '"J"']],
    ['\x1b\x18c', ['broken ESC 0-2', '"c"']],
    ['\x1b[2\x1bc', ['broken CSI 0-3', 'escape c 3-5']],
    ['\x1b\x1bc', ['broken ESC 0-1', 'escape c 1-3']],
    ['\x1b[2\x80', ['broken CSI 0-3', 'escape @ 3-4']],
    ['\x1b[2\u00e9', ['broken CSI 0-3', '"\u00e9"']],
    ['\x1b\u00e9', ['broken ESC 0-1', '"\u00e9"']],
    ['\x1b[2', ['broken CSI 0-3']],
    ['\x1b', ['broken ESC 0-1']],
    ['\x1b((((((((B', ['broken ESC 0-9', '"B"']],
    ['\x1b(((((((B', ['escape (((((((B 0-9']],
    ['\x1b]a\nb', ['OSC "a" 1 cut 0-3', '"\\nb"']],
    ['\x1b]a\rb', ['OSC "a" 1 cut 0-3', 'control d 3-4', '"b"']],
    ['\x1b]a\x18b', ['OSC "a" 1 cut 0-4', '"b"']],
    ['\x1b]a\x1ab', ['OSC "a" 1 cut 0-4', '"b"']],
    ['\x1b]a\x1bcb', ['OSC "a" 1 cut 0-3', 'escape c 3-5', '"b"']],
    ['\x1b]a', ['OSC "a" 1 cut 0-3']],
    ['\x1b]a\x1b', ['OSC "a" 1 cut 0-4']],
    ['\x1bPa\nb\x18c', ['DCS "a\\nb" 3 cut 0-6', '"c"']],
    ['\x1bPa\x1ac', ['DCS "a" 1 cut 0-4', '"c"']],
    ['\x1b_a\x07b\x1b\\c', ['APC "ab" 3 terminated 0-7', '"c"']],
    ['\x1b^a\x9cc', ['PM "a" 1 terminated 0-4', '"c"']],
    ['\x1bXa\x9cc', ['SOS "a" 1 terminated 0-4', '"c"']],
  ])('%j', (text, lines) => {
    expect(told([text])).toEqual(lines);
  });
});

describe('chunks', () => {
  test('places continue from chunk to chunk', () => {
    expect(told(['ab\x1b', '[2', 'Jc', '\x07'])).toEqual(['"ab"', 'csi 2,,J 2-6', '"c"', 'control 7 7-8']);
    expect(told(['\x1b]0;', 'ab', '\x1b', '\\c'])).toEqual(['OSC "0;ab" 4 terminated 0-8', '"c"']);
    expect(told(['\x1b[3', '1m'])).toEqual(['csi 31,,m 0-5']);
    expect(told(['a\r', '\nb'])).toEqual(['"a"', 'control d 1-2', '"\\nb"']);
  });

  test('skipped text counts towards places', () => {
    const places: TextSpan[] = [];
    const parser = new TerminalParser({
      text: () => undefined,
      sequence: (_, place) => places.push(place),
      colours: undefined,
    });
    parser.push('ab');
    parser.skip(10);
    expect(parser.idle).toBe(true);
    parser.push('\x1b');
    expect(parser.idle).toBe(false);
    parser.push('c');
    expect(parser.idle).toBe(true);
    expect(places).toEqual([{ start: 12, end: 14 }]);
  });
});

describe('bounds', () => {
  test('allows 256 characters of a control sequence', () => {
    expect(told([`\x1b[${'1'.repeat(256)}J`])).toEqual([`csi ${'1'.repeat(256)},,J 0-259`]);
    expect(told([`\x1b[${'1'.repeat(257)}J`])).toEqual(['broken CSI 0-258', '"1J"']);
    expect(told([`\x1b[${'1'.repeat(254)}m`])[0]).toBe(`colours ${'1'.repeat(254)} 0-257`);
    expect(told([`\x1b[${'1'.repeat(255)}m`])[0]).toBe(`csi ${'1'.repeat(255)},,m 0-258`);
  });

  test('allows 64 Ki of a string, and passes on 4 Ki of them', () => {
    expect(told([`\x1b]${'x'.repeat(longestSequence - 1)}\x07`])[0]).toBe(
      `OSC "${'x'.repeat(4096)}" 65535 terminated 0-65538`,
    );
    expect(told([`\x1b]${'x'.repeat(longestSequence)}`, '\x07'])).toEqual([
      `OSC "${'x'.repeat(4096)}" 65536 cut 0-65538`,
      'control 7 65538-65539',
    ]);
  });
});
