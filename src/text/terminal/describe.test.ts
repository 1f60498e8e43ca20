import { describe, expect, test } from 'vitest';
import { filterTerminal } from './filter.ts';
import {
  controlNames,
  csiNames,
  escapeNames,
  lineControls,
  lineEscapes,
  paintingModes,
  silentControls,
  silentEscapes,
  silentOsc,
} from './sequence-names.ts';

const shown = (text: string): string => filterTerminal(text, { for: 'model' }).text;

/** `NAME sequence` each, as ECMA-48 and xterm's list write them. */
function pairs(written: string): readonly (readonly [name: string, sequence: string])[] {
  return written
    .trim()
    .split(/\s+/u)
    .map((pair) => pair.split('=', 2) as [string, string]);
}

describe('C0', () => {
  const inOrder =
    'NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US'.split(
      ' ',
    );
  const without = ['BEL', 'HT', 'LF', 'VT', 'FF', 'CR', 'ESC'];

  test.each(inOrder.flatMap((name, code) => (without.includes(name) ? [] : [[name, code] as const])))(
    '%s is shown by its name',
    (name, code) => {
      expect(shown(`a${String.fromCharCode(code)}b`)).toBe(`a⟦${name}⟧b`);
    },
  );

  test('DEL is the only other one, and no name occurs twice', () => {
    expect(shown('a\x7fb')).toBe('a⟦DEL⟧b');
    expect(Object.keys(controlNames)).toHaveLength(inOrder.length - without.length + 1);
  });

  test('the silent controls, and those that end a line', () => {
    expect([silentControls, lineControls, lineEscapes]).toEqual([[7], [11, 12], ['D', 'E']]);
  });
});

describe('escapes', () => {
  const named = pairs(
    'DECBI=6 DECSC=7 DECRC=8 DECFI=9 RIS=c HPML=l HPMU=m LS2=n LS3=o LS3R=| LS2R=} LS1R=~ HPLL=F HTS=H RI=M SS2=N SS3=O SPA=V EPA=W DECID=Z DECALN=#8 DECDHL=#3 DECDHL=#4 DECSWL=#5 DECDWL=#6',
  );

  test.each(named)('%s is ESC %s', (name, sequence) => {
    expect(shown(`a\x1b${sequence}b`)).toBe(`a⟦${name}⟧b`);
  });

  test.each(['(0', ')0'])('line drawing by ESC %s', (sequence) => {
    expect(shown(`a\x1b${sequence}b`)).toBe(`a⟦SCS ${sequence}⟧b`);
  });

  test('the list has no others', () => {
    expect(Object.keys(escapeNames)).toHaveLength(named.length + 2);
  });

  test.each(silentEscapes)('ESC %s leaves nothing', (sequence) => {
    expect(shown(`a\x1b${sequence}b`)).toBe('ab');
  });

  test('the silent ones are keypad modes, the usual character sets, UTF-8 and the width of controls', () => {
    expect(silentEscapes.toSorted()).toEqual([' F', ' G', '%@', '%G', '(B', ')B', '=', '>', '\\']);
  });

  test.each([...'DHMNOVWZ'])('the C1 form of ESC %s is the same', (final) => {
    expect(shown(`a${String.fromCharCode(final.charCodeAt(0) + 0x40)}b`)).toBe(shown(`a\x1b${final}b`));
  });
});

describe('control sequences', () => {
  const moving = pairs(
    'CUU=1A CUD=1B CUF=1C CUB=1D CNL=1E CPL=1F CHA=1G CUP=1H CHT=1I CBT=1Z HPA=1` HPR=1a VPA=1d VPR=1e HVP=1f SCOSC=1s SCORC=1u',
  );
  const changing = pairs(
    'ICH=1@ ED=1J EL=1K IL=1L DL=1M DCH=1P SU=1S SD=1T ECH=1X REP=1b DECSED=?1J DECSEL=?1K DECCARA=1$r DECFRA=1$x DECERA=1$z DECCRA=1$v',
  );
  const setting = pairs(
    'TBC=1g SM=1h RM=1l MC=1i MC=?1i DECSTBM=1r XTWINOPS=1t XTMODKEYS=>1m DECSTR=1!p XTSMPOINTER=>1p XTPUSHSGR=1#p',
  );
  const answering = pairs('DA=1c DA2=>1c DSR=1n DSR=?1n XTVERSION=>1q DECRQM=?1$p DECRQM=1$p DECRQCRA=1*y');

  test.each([...moving, ...changing, ...setting, ...answering])('%s is CSI %s', (name, sequence) => {
    expect(shown(`a\x1b[${sequence}b`)).toBe(`a⟦${name}⟧b`);
    expect(shown(`a\x9b${sequence}b`)).toBe(`a⟦${name}⟧b`);
  });

  test('DA3 has its own prefix', () => {
    expect(shown('a\x1b[=1cb')).toBe('a⟦DA3⟧b');
  });

  test.each([...'<=>?'])('the keyboard protocol, with %s', (prefix) => {
    expect(shown(`a\x1b[${prefix}1ub`)).toBe('a⟦keyboard protocol⟧b');
  });

  test('the list has no others but the private modes', () => {
    expect(Object.keys(csiNames)).toHaveLength([...moving, ...changing, ...setting, ...answering].length + 1 + 4 + 2);
  });

  test.each(['3', '5', '6', '47', '1047', '1048', '1049'])('the private mode %s changes the picture', (mode) => {
    expect(shown(`a\x1b[?${mode}hb\x1b[?${mode}lc`)).toBe(`a⟦DECSET ${mode}⟧b⟦DECRST ${mode}⟧c`);
    expect(paintingModes).toHaveLength(7);
  });

  test.each(['1', '4', '7', '9', '12', '25', '66', '1000', '1002', '1004', '1006', '2004', '2026', '1046', '1050'])(
    'the private mode %s does not',
    (mode) => {
      expect(shown(`a\x1b[?${mode}hb\x1b[?${mode}lc`)).toBe('abc');
    },
  );

  test('of many modes only the painting ones are named, four at most', () => {
    expect(shown('a\x1b[?25;47;5hb')).toBe('a⟦DECSET 47;5⟧b');
    expect(shown('a\x1b[?3;5;6;47;1049hb')).toBe('a⟦DECSET 3;5;6;47⟧b');
  });

  test.each([
    ['\x1b[200~', '⟦paste start⟧'],
    ['\x1b[201~', '⟦paste end⟧'],
    ['\x1b[202~', '⟦CSI ~⟧'],
    ['\x1b[1200~', '⟦CSI ~⟧'],
    ['\x1b[2011~', '⟦CSI ~⟧'],
    ['\x1b[3~', '⟦CSI ~⟧'],
    ['\x1b[201z', '⟦CSI z⟧'],
    ['\x1b[0K', ''],
    ['\x1b[00K', ''],
    ['\x1b[10K', '⟦EL⟧'],
    ['\x1b[01K', '⟦EL⟧'],
    ['\x1b[?K', '⟦DECSEL⟧'],
    ['\x1b[1?h', '⟦SM⟧'],
  ])('%j leaves %j', (sequence, left) => {
    expect(shown(`a${sequence}b`)).toBe(`a${left}b`);
  });
});

describe('OSC', () => {
  test.each(['7', '133', '633', '697', '1337;CurrentDir', '3008'])(
    '%s reports a place, and leaves nothing',
    (command) => {
      expect(silentOsc).toHaveLength(6);
      for (const payload of [command, `${command};x`, `${command}=x`])
        expect(shown(`a\x1b]${payload}\x07b`)).toBe('ab');
    },
  );

  test.each([
    ['0', '⟦OSC 0⟧'],
    ['1', '⟦OSC 1⟧'],
    ['4;1;rgb:00/00/00', '⟦OSC 4⟧'],
    ['9;a notification', '⟦OSC 9⟧'],
    ['10;?', '⟦OSC 10⟧'],
    ['11;#000000', '⟦OSC 11⟧'],
    ['50;font', '⟦OSC 50⟧'],
    ['52;c;?', '⟦OSC 52⟧'],
    ['71', '⟦OSC 71⟧'],
    ['77;x', '⟦OSC 77⟧'],
    ['777;notify;x', '⟦OSC 777⟧'],
    ['1337;SetMark', '⟦OSC 1337⟧'],
    ['1337;CurrentDirectory', '⟦OSC 1337⟧'],
    ['5113;ac=send', '⟦OSC 5113⟧'],
    ['x7', '⟦OSC⟧'],
    ['123456', '⟦OSC 12345⟧'],
  ])('%s is shown', (payload, left) => {
    expect(shown(`a\x1b]${payload}\x1b\\b`)).toBe(`a${left}b`);
  });

  test.each([
    ['\x1bP7;x\x1b\\', '⟦DCS⟧'],
    ['\x1b_133;A\x1b\\', '⟦APC⟧'],
    ['\x1b^8;;https://example.com\x1b\\', '⟦PM⟧'],
    ['\x1bX7\x1b\\', '⟦SOS⟧'],
  ])('another kind of string is not taken for an OSC: %j', (sequence, left) => {
    expect(shown(`a${sequence}b`)).toBe(`a${left}b`);
  });
});
