import { describe, expect, test } from 'vitest';
import { filterTerminal, TerminalFilter } from './filter.ts';

const shown = (text: string): string => filterTerminal(text, { for: 'person' }).text;

describe('for a person', () => {
  test.each([
    ['\x1b[31mred', '\x1b[31mred\x1b[0m'],
    ['\x1b[31mred\x1b[0m', '\x1b[31mred\x1b[0m'],
    ['\x1b[31mred\x1b[m', '\x1b[31mred\x1b[m'],
    ['\x1b[10m', ''],
    ['\x1b[31m\x1b[8mx', '\x1b[31mx\x1b[0m'],
    ['\x1b[4:3mx', '\x1b[4:3mx\x1b[0m'],
    ['\x1b[A\x1b[31mx\x1b[m', '⟦CUU⟧\x1b[31mx\x1b[m'],
    ['a\r\x1b[31mb\x1b[m', 'a\x1b[31m\nb\x1b[m'],
    ['\x1b]8;;https://example.com\x07 https://example.com \x1b]8;;\x07', ' https://example.com '],
  ])('%j becomes %j', (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  test('changed colours are reported, others are not', () => {
    const findings = (text: string): readonly string[] =>
      filterTerminal(text, { for: 'person' }).findings.map(({ what }) => what);
    expect(findings('\x1b[1;8mx')).toEqual(['CSI 1;8m']);
    expect(findings('\x1b[31;41mx')).toEqual(['CSI 31;41m']);
    expect(findings('\x1b[1;31mx\x1b[m\x1b[4:3m')).toEqual([]);
    expect(filterTerminal('\x1b[1;8mx\x1b[4:9my', { for: 'model' })).toEqual({ text: 'xy', findings: [] });
  });
});

describe('findings', () => {
  test.each([
    ['\x07', 'U+0007', undefined],
    ['\x0b', 'U+000B', undefined],
    ['\x08', 'BS', undefined],
    ['\x1b(B', 'ESC (B', undefined],
    ['\x1bD', 'ESC D', undefined],
    ['\x1b[0K', 'CSI 0K', undefined],
    ['\x1b[?25l', 'CSI ?25l', undefined],
    ['\x1b]7;file:///x\x07', 'OSC 7', '7;file:///x'],
    ['\x1b]1337;CurrentDir=/x\x07', 'OSC 1337', '1337;CurrentDir=/x'],
    ['\x1b]8;;x\x07', 'OSC 8', '8;;x'],
    ['\x1b]52;;aGk=\x07', 'OSC 52', 'hi'],
    ['\x1b]52;pc;aGk\x07', 'OSC 52', 'hi'],
    ['\x1b]52;c;aGkhb\x07', 'OSC 52', 'hi!'],
    ['\x1b]52;c;a\x07', 'OSC 52', '52;c;a'],
    ['\x1b]52;c;a+/b\x07', 'OSC 52', 'k\\u{ef}\\u{db}'],
    ['\x1b]52;c;aGkx!\x07', 'OSC 52', '52;c;aGkx!'],
    ['\x1b]152;c;aGk=\x07', 'OSC 152', '152;c;aGk='],
    ['\x1bP\x1b\\', 'DCS', undefined],
  ])('%j is told as %s', (text, what, decoded) => {
    const [finding] = filterTerminal(text, { for: 'model' }).findings;
    expect([finding?.what, finding?.decoded]).toEqual([what, decoded]);
    expect([finding?.start, finding?.end]).toEqual([0, text.length]);
  });

  test('a return is not a finding', () => {
    expect(filterTerminal('a\rb', { for: 'model' }).findings).toEqual([]);
  });

  test('a payload is reported up to 200 characters', () => {
    const decoded = (length: number): string | undefined =>
      filterTerminal(`\x1b]2${'x'.repeat(length - 1)}\x07`, { for: 'model' }).findings[0]?.decoded;
    expect(decoded(200)).toBe(`2${'x'.repeat(199)}`);
    expect(decoded(201)).toBe(`2${'x'.repeat(199)}...`);
  });

  test('the number of omitted findings is reported for a whole text', () => {
    expect(filterTerminal('\x1b[A'.repeat(1000), { for: 'model' })).not.toHaveProperty('omitted');
    expect(filterTerminal('\x1b[A'.repeat(1001), { for: 'model' }).omitted).toBe(1);
  });
});

describe('whether text may bypass the filter', () => {
  test.each([
    ['', true],
    ['text', true],
    ['text\n', true],
    ['\x1b[31m', true],
    ['a\r', false],
    ['\r', true],
    ['\x1b[A', false],
    ['\x1b', false],
    ['\x1b]0;', false],
    ['\x1b]8;;x\x07', false],
    ['\x1b]8;;x\x07y\x1b]8;;\x07', true],
    ['\x07', true],
  ])('after %j: %s', (text, idle) => {
    const filter = new TerminalFilter({ for: 'person' });
    filter.push(text);
    expect(filter.idle).toBe(idle);
  });

  test.each([
    ['other', 'x\nb'],
    ['line-feed', 'xb'],
  ] as const)('bypassed text counts: its last character was %s', (last, expected) => {
    const filter = new TerminalFilter({ for: 'model' });
    filter.passed(7, last);
    expect(filter.push('\rb').replace(/^/u, 'x')).toBe(expected);
    filter.push('\x1b[A');
    expect(filter.findings[0]?.start).toBe(9);
  });
});

describe('is as new after its end', () => {
  test.each([
    ['a\r', 'b', 'b'],
    ['a', '\rb', 'b'],
    ['\x1b[31m', 'x', 'x'],
    ['\x1b[31m', '\x1b[41mx', '\x1b[41mx\x1b[0m'],
    ['\x1b]8;;x\x07', 'y', 'y'],
    ['\x1b', 'c', 'c'],
    ['\x1b[A', '\x1b[A', '⟦CUU⟧'],
  ])('after %j and the end, %j', (first, second, expected) => {
    const filter = new TerminalFilter({ for: 'person' });
    filter.push(first);
    filter.end();
    expect(filter.push(second) + filter.end()).toBe(expected);
  });
});

test('the text of a link is compared up to the longest target', () => {
  const target = `https://example.com/${'a'.repeat(480)}`;
  const link = (text: string): string =>
    filterTerminal(`\x1b]8;;${target}\x07${text}\x1b]8;;\x07`, { for: 'model' }).text;
  expect(link(target)).toBe(target);
  expect(link(`${target}a`)).toContain('(→ https://example.com/');
  expect(filterTerminal(`\x1b]8;;${'a'.repeat(300)}\x07x`, { for: 'model' }).text).toBe(`x (→ ${'a'.repeat(300)})`);
  expect(filterTerminal(`\x1b]8;;${'a'.repeat(301)}\x07x`, { for: 'model' }).text).toBe(`x (→ ${'a'.repeat(300)}...)`);
});
