import * as fc from 'fast-check';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { chainHash, joinLine, splitLine } from './chain.ts';
import { appendEvents } from './journal.ts';
import { readEvents } from './read.ts';
import { endEvent, refusalEvent, startEvent } from './testing/events.ts';
import { freshJournal } from './testing/scratch.ts';
import { verifyJournal } from './verify.ts';

const count = 6;

/** A journal of six entries of two sessions, and a way to see what is found after its lines were changed. */
function journal(name = 'a'): { readonly lines: readonly string[]; readonly file: string; readonly locate: (lines: readonly string[]) => readonly number[] } {
  const file = freshJournal();
  appendEvents(file, [startEvent(name), refusalEvent(name), endEvent(name), startEvent('z'), refusalEvent('z'), endEvent('z')]);
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  const locate = (changed: readonly string[]): readonly number[] => {
    writeFileSync(file, changed.map((line) => `${line}\n`).join(''));
    return [...new Set(verifyJournal(file).problems.map(({ line }) => line))];
  };
  return { lines, file, locate };
}

/** An entry with another content and a hash that fits it. */
function forge(line: string, change: (body: string) => string): string {
  const body = change(splitLine(line)?.body ?? '');
  return joinLine(body, chainHash((JSON.parse(body) as { prev: string }).prev, body)).trimEnd();
}

describe('verifyJournal', () => {
  test('finds nothing in a journal that nobody touched, nor in a missing one', () => {
    const { file } = journal();
    expect(verifyJournal(file)).toEqual({ entries: count, problems: [] });
    expect(verifyJournal(`${file}.missing`)).toEqual({ entries: 0, problems: [] });
  });

  test.each([0, 1, 2, 3, 4, 5])('locates an edit of entry %i', (at) => {
    const { lines, locate } = journal();
    expect(locate(lines.with(at, lines[at]?.replace('"workspace":"/srv', '"workspace":"/lies') ?? ''))).toEqual([at + 1]);
  });

  test.each([0, 1, 2, 3, 4])('locates an edit of entry %i whose hash was made to fit', (at) => {
    const { lines, locate } = journal();
    expect(locate(lines.with(at, forge(lines[at] ?? '', (body) => body.replace('/srv', '/lies'))))).toEqual([at + 2]);
  });

  test.each([0, 1, 2, 3, 4])('locates the removal of entry %i', (at) => {
    const { lines, locate } = journal();
    expect(locate(lines.toSpliced(at, 1))).toEqual([at + 1]);
  });

  test.each([0, 2, 4])('locates two entries that were exchanged, from entry %i on', (at) => {
    const { lines, locate } = journal();
    expect(locate(lines.toSpliced(at, 2, lines[at + 1] ?? '', lines[at] ?? ''))[0]).toBe(at + 1);
  });

  test.each([1, 3, 6])('locates a copy of the first entry, put in as line %i', (line) => {
    const { lines, locate } = journal();
    expect(locate(lines.toSpliced(line, 0, lines[0] ?? ''))[0]).toBe(line + 1);
  });

  test.each([0, 3, 6])('locates a line that is no entry, put in before line %i, and nothing else', (at) => {
    const { lines, locate } = journal();
    for (const garbage of ['', 'garbage', '{}', `{oops,"hash":"${'0'.repeat(64)}"}`]) expect(locate(lines.toSpliced(at, 0, garbage))).toEqual([at + 1]);
  });

  test('locates another beginning', () => {
    const { lines, locate } = journal();
    expect(locate(lines.slice(2))).toEqual([1]);
  });

  test('locates a tail that was taken from another journal', () => {
    const [a, b] = [journal('a'), journal('b')];
    expect(a.locate([...a.lines.slice(0, 3), ...b.lines.slice(3)])).toEqual([4]);
  });

  test('names what is wrong', () => {
    const { lines, file, locate } = journal();
    locate(lines.toSpliced(1, 1));
    expect(verifyJournal(file).problems.map(({ message }) => message)).toEqual(['expected entry 2, found 3: entries were removed, added or moved', 'the entry does not follow the one before it']);
  });

  // Stated in its docstring: without a hash kept elsewhere, nobody can tell a cut end from a shorter run.
  test('cannot see that the last entries are gone', () => {
    const { lines, locate } = journal();
    expect(locate(lines.slice(0, 4))).toEqual([]);
  });

  test('finds every changed byte, in its line or the next', () => {
    const { file } = journal();
    const bytes = readFileSync(file);
    fc.assert(
      fc.property(fc.nat(bytes.length - 2), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ flip;
        writeFileSync(file, changed);
        const line = bytes.subarray(0, at).toString().split('\n').length;
        expect(verifyJournal(file).problems[0]?.line).toBe(line);
        expect(() => readEvents(file)).not.toThrow();
      }),
      { numRuns: 400 },
    );
  });
});
