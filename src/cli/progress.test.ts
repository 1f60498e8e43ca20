import { describe, expect, test } from 'vitest';
import { lineProgress, progressOf } from './progress.ts';

function line(options: { readonly colours?: 'coloured' | 'plain'; readonly columns?: number } = {}) {
  const written: string[] = [];
  let time = 0;
  const progress = lineProgress({
    write: (text) => written.push(text),
    columns: () => options.columns ?? 80,
    colours: options.colours ?? 'plain',
    now: () => time,
  });
  return { progress, written, later: (milliseconds: number) => (time += milliseconds) };
}

describe('a line of progress', () => {
  test('is written over, at most ten times a second, and gone at the end', () => {
    const { progress, written, later } = line();
    progress.tell('1 entry');
    progress.tell('2 entries');
    later(99);
    progress.tell('3 entries');
    later(1);
    progress.tell('4 entries');
    progress[Symbol.dispose]();
    expect(written).toEqual(['\rholdfast: 1 entry\u001B[K', '\rholdfast: 4 entries\u001B[K', '\r\u001B[K']);
  });

  test('says at once what begins', () => {
    const { progress, written } = line();
    progress.begin('reading');
    progress.begin('writing');
    progress.tell('1 entry');
    expect(written).toEqual(['\rholdfast: reading\u001B[K', '\rholdfast: writing\u001B[K']);
  });

  test('has a colour where colours are', () => {
    const { progress, written } = line({ colours: 'coloured' });
    progress.tell('1 entry');
    expect(written).toEqual(['\r\u001B[2mholdfast: 1 entry\u001B[m\u001B[K']);
  });

  test('stays one line, whatever a name in it holds', () => {
    const { progress, written } = line({ columns: 24 });
    progress.tell('a\nb\u001B[2J and a long rest of it');
    const [shown = ''] = written;
    expect(shown).toBe('\rholdfast: a b\\u{1b}[2J \u001B[K');
  });

  test('leaves nothing where nothing was told', () => {
    const { progress, written } = line();
    progress[Symbol.dispose]();
    expect(written).toEqual([]);
  });

  test('is not written without a reader', () => {
    const written: string[] = [];
    const output = { write: (text: string) => written.push(text) };
    for (const json of [true, false]) {
      using progress = progressOf({
        values: { json },
        io: { stdout: output, stderr: output, cwd: '/', environment: { TERM: 'xterm' } },
      });
      progress.tell('1 entry');
    }
    expect(written).toEqual([]);
  });
});
