import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { longestKeptLine } from './line-filter.ts';
import { OutputFilter, type OutputFilterOptions, unfinishedBytes } from './output-filter.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

function shownOf(chunks: readonly (string | Uint8Array)[], options: OutputFilterOptions = {}): string {
  const filter = new OutputFilter(options);
  const parts = chunks.map((chunk) => filter.push(Buffer.from(chunk as string)));
  return Buffer.concat([...parts, filter.end()]).toString();
}

describe('plain output', () => {
  test('is passed without a copy', () => {
    const filter = new OutputFilter();
    const chunk = Buffer.from('some lines\nof a log\n');
    expect(filter.push(chunk)).toBe(chunk);
    expect(filter.push(chunk)).toBe(chunk);
    expect(filter.end()).toEqual(new Uint8Array(0));
  });

  test('even if it ends in the middle of a line', () => {
    const filter = new OutputFilter();
    const chunk = Buffer.from('half a');
    expect(filter.push(chunk)).toBe(chunk);
    expect(filter.push(Buffer.from(' line\n')).toString()).toBe(' line\n');
  });

  test('does not hold back a prompt', () => {
    const filter = new OutputFilter();
    expect(Buffer.from(filter.push(Buffer.from('Password: '))).toString()).toBe('Password: ');
  });

  test('nor a coloured one', () => {
    const filter = new OutputFilter({ for: 'person' });
    expect(Buffer.from(filter.push(Buffer.from('\x1b[32m~/project\x1b[0m $ '))).toString()).toBe(
      '\x1b[32m~/project\x1b[0m $ ',
    );
  });

  test('no input gives no output', () => {
    expect(shownOf([])).toBe('');
    expect(shownOf(['', ''])).toBe('');
  });
});

describe('the shown text', () => {
  test.each([
    ['hidden characters', 'a\u200bb\n', 'a⟦U+200B⟧b\n'],
    ['an escape sequence', 'a\x1b]0;t\x07b\n', 'a⟦OSC 0⟧b\n'],
    ['colours, for a model', '\x1b[31mred\x1b[0m\n', 'red\n'],
    ['emoji', '👨‍👩‍👧 1️⃣ ❤️ 🇫🇷\n', '👨‍👩‍👧 1️⃣ ❤️ 🇫🇷\n'],
    ['Persian', 'می‌خواهم\n', 'می‌خواهم\n'],
    ['a byte order mark, at the start', '\ufeffa\n', 'a\n'],
    ['a byte order mark, anywhere else', 'a\n\ufeffb\n', 'a\n⟦U+FEFF⟧b\n'],
    ['lines with CRLF', 'a\r\nb\r\n', 'a\nb\n'],
    ['no line feed at the end', 'é', 'é'],
  ])('%s', (_, text, expected) => {
    expect(shownOf([text])).toBe(expected);
    expect(shownOf(Array.from(Buffer.from(text), (byte) => Uint8Array.of(byte)))).toBe(expected);
  });

  test('keeps colours, for a person', () => {
    expect(shownOf(['\x1b[31mr\u200bed\x1b[0m é\n'], { for: 'person' })).toBe('\x1b[31mr⟦U+200B⟧ed\x1b[0m é\n');
    expect(shownOf(['\x1b[8mhidden\x1b[0m\n'], { for: 'person' })).toBe('hidden\x1b[0m\n');
  });

  test('strips or only reports on request', () => {
    expect(shownOf(['a\u200bb'], { mode: 'strip' })).toBe('ab');
    expect(shownOf(['a\u200bb'], { mode: 'report' })).toBe('a\u200bb');
  });
});

describe('bytes that are not UTF-8', () => {
  test.each([
    ['80', '\ufffd', 1],
    ['9b324a', '\ufffd2J', 1],
    ['c29b324a', '⟦ED⟧', 0],
    ['ff61fe', '\ufffda\ufffd', 2],
    ['e282', '\ufffd', 1],
    ['eda080', '\ufffd\ufffd\ufffd', 3],
    ['c0af', '\ufffd\ufffd', 2],
  ])('%s', (hex, expected, replaced) => {
    const filter = new OutputFilter();
    const out = Buffer.concat([filter.push(Buffer.from(hex, 'hex')), filter.end()]).toString();
    expect(out).toBe(expected);
    expect(filter.report().replaced).toBe(replaced);
  });
});

describe('withheld text', () => {
  test('the rest of a line with non-ASCII text, until the line ends or on request', () => {
    const filter = new OutputFilter();
    const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
    expect(text(filter.push(Buffer.from('Name of the caf\u00e9: ')))).toBe('Name of the caf');
    expect(text(filter.flush())).toBe('\u00e9: ');
    expect(text(filter.push(Buffer.from('x\u00e9\n')))).toBe('x\u00e9\n');
  });

  test('chunks may be overwritten after they were read', () => {
    const filter = new OutputFilter();
    const memory = Buffer.from('é€'.slice(0, 1) + '€');
    filter.push(memory.subarray(0, 3));
    memory.fill(0x41);
    expect(Buffer.concat([filter.push(Buffer.from([0x82, 0xac])), filter.end()]).toString()).toBe('é€');
  });

  test('an endless line takes bounded memory, and still passes', () => {
    const filter = new OutputFilter();
    let length = 0;
    for (let n = 0; n < 200; n += 1) length += filter.push(Buffer.from('é'.repeat(1000))).length;
    expect(length).toBeGreaterThan(2 * (200_000 - 2 * longestKeptLine));
    length += filter.end().length;
    expect(length).toBe(400_000);
  });
});

describe('the report', () => {
  test('lists findings with their places', () => {
    const filter = new OutputFilter();
    filter.push(Buffer.from('plain\n'));
    filter.push(Buffer.from('a\x1b[2Jb\n'));
    filter.push(Buffer.from('\u00e9\u202e\n'));
    filter.end();
    expect(filter.report()).toEqual({
      findings: [
        { kind: 'escape-sequence', start: 7, end: 11, what: 'ED' },
        { kind: 'bidi', start: 14, end: 15, what: 'U+202E' },
      ],
      omitted: 0,
      replaced: 0,
    });
  });

  test('is bounded', () => {
    const filter = new OutputFilter();
    filter.push(Buffer.from('a\u200bb\x1b[A\n'.repeat(3000)));
    filter.end();
    const { findings, omitted } = filter.report();
    expect(findings.length).toBe(2000);
    expect(omitted).toBe(4000);
  });
});

describe('laws', () => {
  const piece = fc.constantFrom(
    '\x1b[31m',
    '\x1b',
    '[',
    '\x07',
    '\r',
    '\n',
    '1',
    '#',
    '\ufe0f',
    '\u20e3',
    '\u200d',
    '👨',
    '👩',
    '🏴',
    '\u{e0067}',
    '\u{e007f}',
    'é',
    'ש',
    '\u2067',
    '\u2069',
    '\u200f',
    '\u200b',
    'plain text',
    '\t',
    '\ufeff',
    '⟦U+',
    'क',
    '\u094d',
    '\u115f',
    '\u{1f1eb}',
    '\u4e00',
    '\u{e0100}',
    '\u00ad',
  );
  const bytesOf = fc
    .array(
      fc.oneof(
        { weight: 12, arbitrary: piece.map((text) => Buffer.from(text)) },
        { weight: 1, arbitrary: fc.uint8Array({ maxLength: 3 }).map((bytes) => Buffer.from(bytes)) },
      ),
      { maxLength: 30 },
    )
    .map((parts) => Buffer.concat(parts));
  const audience = fc.constantFrom('model' as const, 'person' as const);

  function cut(bytes: Buffer, sizes: readonly number[]): readonly Buffer[] {
    const chunks: Buffer[] = [];
    let at = 0;
    for (const size of sizes) {
      chunks.push(bytes.subarray(at, at + size));
      at += size;
    }
    return [...chunks, bytes.subarray(at)];
  }

  test('any cuts of output give the same whole', () => {
    fc.assert(
      fc.property(bytesOf, fc.array(fc.nat({ max: 9 }), { maxLength: 20 }), audience, (bytes, sizes, reader) => {
        expect(shownOf(cut(bytes, sizes), { for: reader })).toBe(shownOf([bytes], { for: reader }));
      }),
      { numRuns: rounds(5000) },
    );
  });

  test('also with very long lines', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('x', '1', 'é', '😀', 'ש', '\u200b', '\n'), fc.nat({ max: 3000 })), {
          maxLength: 8,
        }),
        fc.array(fc.nat({ max: 5000 }), { maxLength: 8 }),
        (runs, sizes) => {
          const bytes = Buffer.from(runs.map(([text, count]) => text.repeat(count)).join(''));
          expect(shownOf(cut(bytes, sizes))).toBe(shownOf([bytes]));
        },
      ),
      { numRuns: rounds(300) },
    );
  });

  test('no sequence remains that a terminal obeys', () => {
    fc.assert(
      fc.property(bytesOf, (bytes) => {
        // oxlint-disable-next-line no-control-regex -- what must not be there
        expect(shownOf([bytes])).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u200b]/u);
      }),
      { numRuns: rounds(2000) },
    );
  });
});

describe('an incomplete character', () => {
  test.each([
    ['', 0],
    ['61', 0],
    ['c3', 1],
    ['61c3', 1],
    ['c3a9', 0],
    ['e2', 1],
    ['e282', 2],
    ['e282ac', 0],
    ['f0', 1],
    ['f09f', 2],
    ['f09f98', 3],
    ['f09f9880', 0],
    ['80', 0],
    ['808080', 0],
    ['e28261', 0],
    ['f5', 0],
    ['ff', 0],
    ['f59f', 0],
  ])('%s: %d bytes', (hex, expected) => {
    expect(unfinishedBytes(Uint8Array.from(Buffer.from(hex, 'hex')))).toBe(expected);
  });

  test('the two parts decode like the whole, for every text and every cut', () => {
    const bytes = Buffer.concat([
      Buffer.from('aé€😀'),
      Buffer.from([0xe2, 0x28, 0xf4, 0x90, 0x80, 0xc0, 0x80, 0xed, 0xa0, 0x80, 0xf0, 0x9f]),
      Buffer.from('z'),
    ]);
    const decode = (part: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(part);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const end = cut - unfinishedBytes(bytes.subarray(0, cut));
      expect(decode(bytes.subarray(0, end)) + decode(bytes.subarray(end))).toBe(decode(bytes));
    }
  });
});
