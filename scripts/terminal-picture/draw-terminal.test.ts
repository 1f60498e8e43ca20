import { describe, expect, test } from 'vitest';
import { drawTerminal } from './draw-terminal.ts';

const textsOf = (svg: string): readonly string[] =>
  [...svg.matchAll(/<text [^>]*>(.*)<\/text>/gu)].map(([, text = '']) => text);

describe('a terminal as a picture', () => {
  test('shows each line from its time on', () => {
    const svg = drawTerminal('two', [
      { text: 'one', at: 1000 },
      { text: 'two', at: 4000 },
    ]);
    expect(textsOf(svg)).toEqual(['<tspan>one</tspan>', '<tspan>two</tspan>']);
    // 4 s and 6 s without a change.
    expect(svg).toContain('@keyframes k0 { 0%, 10.00% { opacity: 0 } 10.01%, 100% { opacity: 1 } }');
    expect(svg).toContain('@keyframes k1 { 0%, 40.00% { opacity: 0 }');
  });

  test('keeps colours and bold, and drops every other sequence', () => {
    const [line] = textsOf(
      drawTerminal('', [{ text: '\u001B[1;31mno\u001B[0m \u001B[2K\u001B]0;title\u0007yes\r', at: 0 }]),
    );
    expect(line).toBe('<tspan class="bold red">no</tspan><tspan> yes</tspan>');
  });

  test('escapes text that would be markup', () => {
    expect(textsOf(drawTerminal('<&"', [{ text: '</text><script>', at: 0 }]))).toEqual([
      '<tspan>&lt;/text&gt;&lt;script&gt;</tspan>',
    ]);
    expect(drawTerminal('<&"', [])).toContain('aria-label="&lt;&amp;&quot;"');
  });

  test('wraps at spaces, under the indent', () => {
    const lines = textsOf(
      drawTerminal('', [
        { text: `  ${'word '.repeat(30)}`, at: 0 },
        { text: 'x'.repeat(250), at: 1 },
      ]),
    );
    expect(lines.map((line) => line.replaceAll(/<[^>]*>/gu, '').length)).toEqual([101, 51, 104, 104, 42]);
    expect(lines[1]).toMatch(/^<tspan> {2}word/u);
  });
});
