import { describe, expect, test } from 'vitest';
import type { TextForm } from '../types.ts';
import { eachRun, type HiddenRun } from './each-run.ts';

function runsOf(text: string, form: TextForm = 'prose'): readonly HiddenRun[] {
  const runs: HiddenRun[] = [];
  eachRun(text, form, (run) => {
    runs.push(run);
    return 'on';
  });
  return runs;
}

describe('runs', () => {
  test.each([
    ['', []],
    ['plain', []],
    ['a\u200b\u200cb', [{ kind: 'invisible', start: 1, end: 3 }]],
    ['\u200b\u202e', [{ kind: 'invisible', start: 0, end: 1 }, { kind: 'bidi', start: 1, end: 2 }]],
    ['\u{e0041}\u{e0042}', [{ kind: 'tag', start: 0, end: 4 }]],
    ['a\u200b', [{ kind: 'invisible', start: 1, end: 2 }]],
    ['é\u200b', [{ kind: 'invisible', start: 1, end: 2 }]],
    ['😀\u200b😀', [{ kind: 'invisible', start: 2, end: 3 }]],
    ['\ud83d\ud83d\ude00', [{ kind: 'surrogate', start: 0, end: 1 }]],
    ['\ude00\ud83d', [{ kind: 'surrogate', start: 0, end: 2 }]],
    ['\0\u0001\u0002', [{ kind: 'control', start: 0, end: 3 }]],
    ['\r\r\n', [{ kind: 'control', start: 0, end: 1 }]],
    ['\r', [{ kind: 'control', start: 0, end: 1 }]],
    ['⟦U+x', [{ kind: 'bracket', start: 0, end: 1 }]],
    ['⟦⟦U+', [{ kind: 'bracket', start: 1, end: 2 }]],
    ['⟦u+', []],
    // A run ends where something that is meant begins.
    ['\u200cब्\u200cक', [{ kind: 'invisible', start: 0, end: 1 }]],
    ['\u{1fffe}\u{1ffff}', [{ kind: 'noncharacter', start: 0, end: 4 }]],
  ])('%j', (text, runs) => {
    expect(runsOf(text)).toEqual(runs);
  });

  test.each([
    ['name', 'a\tb\n', 2],
    ['command', 'a\tb\n', 0],
    ['command', 'a\r\n', 1],
    ['name', 'a\u00a0b\u3000', 2],
    ['prose', 'a\u00a0b\u3000', 0],
  ] as const)('as %s, %j has %i', (form, text, count) => {
    expect(runsOf(text, form)).toHaveLength(count);
  });

  test('whoever has enough is asked no more', () => {
    let count = 0;
    eachRun('a\u200b'.repeat(100), 'prose', () => (++count === 3 ? 'stop' : 'on'));
    expect(count).toBe(3);
  });
});
