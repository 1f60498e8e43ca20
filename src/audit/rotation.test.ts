import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { journalEntries, readEvents } from './entries.ts';
import { followJournal } from './follow.ts';
import { appendEvents } from './journal.ts';
import { rotatedParts, rotatedPath } from './parts.ts';
import { endEvent, startEvent } from './testing/events.ts';
import { exitOf, startAppender } from './testing/appender.ts';
import { freshJournal } from './testing/scratch.ts';
import { verifyJournal } from './verify.ts';

const sessions = ['a', 'b', 'c', 'd'];

/** A journal of four files with two events each. */
function journal(): string {
  const file = freshJournal();
  for (const session of sessions) appendEvents(file, [startEvent(session), endEvent(session)], { rotateAt: 1 });
  return file;
}

async function problemsOf(file: string): Promise<readonly (readonly [string, number])[]> {
  return (await verifyJournal(file)).problems.map((problem) => [problem.file, problem.line]);
}

function linesOf(path: string): readonly string[] {
  return readFileSync(path, 'utf8').split('\n').slice(0, -1);
}

function write(path: string, lines: readonly string[]): void {
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
}

describe('a journal that is rotated', () => {
  test('is one chain through all of its files, each of which begins by joining the one before', async () => {
    const file = journal();
    expect(rotatedParts(file)).toEqual([1, 2, 3].map((part) => ({ part, path: rotatedPath(file, part) })));
    expect(rotatedPath(file, 1)).toBe(join(dirname(file), 'journal-000001.jsonl'));
    const found = [...journalEntries(file)].map(({ part, line, entry }) => [
      part,
      line,
      entry.seq,
      entry.type === 'journal.rotated' ? entry.part : 'session' in entry && entry.session,
    ]);
    expect(found).toEqual([
      [1, 1, 1, 'a'],
      [1, 2, 2, 'a'],
      [2, 1, 3, 2],
      [2, 2, 4, 'b'],
      [2, 3, 5, 'b'],
      [3, 1, 6, 3],
      [3, 2, 7, 'c'],
      [3, 3, 8, 'c'],
      [4, 1, 9, 4],
      [4, 2, 10, 'd'],
      [4, 3, 11, 'd'],
    ]);
    expect(await verifyJournal(file)).toEqual({ entries: 11, unkeyed: 0, problems: [], omitted: 0 });
  });

  test('keeps to its size, within one write and within many', () => {
    const file = freshJournal();
    for (let round = 0; round < 30; round++) appendEvents(file, [startEvent(`r${round}`)], { rotateAt: 3000 });
    for (const { path } of rotatedParts(file)) expect(statSync(path).size).toBeLessThan(4000);
    appendEvents(
      file,
      Array.from({ length: 40_000 }, (_, index) => startEvent(`m${index}`)),
      { rotateAt: 5_000_000 },
    );
    expect(Math.max(...rotatedParts(file).map(({ path }) => statSync(path).size))).toBeLessThan(9_000_000);
    expect(readEvents(file).filter(({ type }) => type === 'session.start')).toHaveLength(40_030);
  });

  test('takes 64 MB by default', () => {
    const file = freshJournal();
    appendEvents(file, [startEvent('a')]);
    expect(rotatedParts(file)).toEqual([]);
  });

  test.each([
    'journal-1.jsonl',
    'journal-000000.jsonl',
    'journal-0000001.jsonl',
    'other-000001.jsonl',
    'journal-000001.jsonl.old',
  ])('leaves out %s, which is not one of its files', (name) => {
    const file = freshJournal();
    appendEvents(file, [startEvent('a')]);
    writeFileSync(join(dirname(file), name), '');
    expect(rotatedParts(file)).toEqual([]);
  });

  test.each([
    ['behind the rename', (file: string) => renameSync(file, rotatedPath(file, 4))],
    [
      'before the first entry of the new file',
      (file: string) => {
        renameSync(file, rotatedPath(file, 4));
        writeFileSync(file, '', { mode: 0o600 });
      },
    ],
    [
      'within that entry',
      (file: string) => {
        renameSync(file, rotatedPath(file, 4));
        writeFileSync(file, '{"v":2,"seq":12,"ti', { mode: 0o600 });
      },
    ],
  ])('goes on where a rotation was killed %s', async (_name, kill) => {
    const file = journal();
    kill(file);
    appendEvents(file, [startEvent('e')]);
    expect(readEvents(file)[11]).toMatchObject({ seq: 12, type: 'journal.rotated', part: 5 });
    expect(readEvents(file).at(-1)).toMatchObject({ session: 'e' });
    expect(await problemsOf(file)).toEqual([]);
  });

  test('is refused when the file before has lost its end', () => {
    const file = journal();
    rmSync(file);
    truncateSync(rotatedPath(file, 3), 100);
    expect(() => appendEvents(file, [startEvent('e')])).toThrow(
      expect.objectContaining({ code: 'HF_JOURNAL_FAILED', message: expect.stringContaining('its end is missing') }),
    );
  });
});

describe('tampering with the files of a journal is located', () => {
  test.each([1, 2, 3])('file %i is gone', async (part) => {
    const file = journal();
    rmSync(rotatedPath(file, part));
    expect((await verifyJournal(file)).problems).toContainEqual({
      file: rotatedPath(file, part),
      line: 1,
      message: 'this file is gone',
    });
  });

  test('several are gone', async () => {
    const file = journal();
    for (const part of [1, 2, 3]) rmSync(rotatedPath(file, part));
    appendFileSync(file, '');
    expect(await problemsOf(file)).toContainEqual([file, 1]);
  });

  test.each([
    [1, 2],
    [2, 3],
    [1, 3],
  ])('files %i and %i were exchanged', async (one, other) => {
    const file = journal();
    renameSync(rotatedPath(file, one), `${file}.aside`);
    renameSync(rotatedPath(file, other), rotatedPath(file, one));
    renameSync(`${file}.aside`, rotatedPath(file, other));
    expect((await problemsOf(file))[0]).toEqual([rotatedPath(file, one), 1]);
  });

  test('a file of another journal is in the place of one', async () => {
    const [file, other] = [journal(), journal()];
    copyFileSync(rotatedPath(other, 2), rotatedPath(file, 2));
    expect((await problemsOf(file))[0]).toEqual([rotatedPath(file, 2), 1]);
  });

  test('the border between two files was moved', async () => {
    const file = journal();
    const [one, two] = [linesOf(rotatedPath(file, 1)), linesOf(rotatedPath(file, 2))];
    write(rotatedPath(file, 1), one.slice(0, 1));
    write(rotatedPath(file, 2), [...one.slice(1), ...two]);
    expect(await problemsOf(file)).toEqual([[rotatedPath(file, 2), 1]]);
  });

  test('a file was taken in by the one before', async () => {
    const file = journal();
    write(rotatedPath(file, 1), [...linesOf(rotatedPath(file, 1)), ...linesOf(rotatedPath(file, 2))]);
    renameSync(rotatedPath(file, 3), rotatedPath(file, 2));
    expect(await problemsOf(file)).toEqual([
      [rotatedPath(file, 2), 1],
      [rotatedPath(file, 3), 1],
    ]);
  });

  test.each([1, 2, 3])('the end of file %i was cut off, by a line and by half a one', async (part) => {
    const file = journal();
    const path = rotatedPath(file, part);
    const lines = linesOf(path);
    write(path, lines.slice(0, -1));
    expect((await problemsOf(file))[0]).toEqual([part === 3 ? file : rotatedPath(file, part + 1), 1]);
    writeFileSync(path, `${lines.slice(0, -1).join('\n')}\n${lines.at(-1)?.slice(0, 50)}`);
    expect((await problemsOf(file))[0]).toEqual([path, lines.length]);
  });

  test('an entry was put in, and one was edited', async () => {
    const file = journal();
    const path = rotatedPath(file, 2);
    const lines = linesOf(path);
    write(path, lines.toSpliced(1, 0, lines[1] ?? ''));
    expect((await problemsOf(file))[0]).toEqual([path, 3]);
    write(path, lines.with(2, lines[2]?.replace('"exitCode":0', '"exitCode":1') ?? ''));
    expect(await problemsOf(file)).toEqual([[path, 3]]);
  });
});

describe('journalEntries', () => {
  test('goes on from any entry, also when its file has been rotated away since', () => {
    const file = journal();
    const all = [...journalEntries(file)];
    appendEvents(file, [startEvent('e')], { rotateAt: 1 });
    for (const [index, { next }] of all.entries()) {
      const rest = [...journalEntries(file, { from: next })].map(({ entry }) => entry.seq);
      expect(rest).toEqual(Array.from({ length: 13 - index - 1 }, (_, at) => index + 2 + at));
    }
  });

  test('gives the place of every entry', () => {
    const file = journal();
    for (const { file: path, offset, line, next, entry } of journalEntries(file)) {
      expect(JSON.parse(readFileSync(path).subarray(offset, next.offset).toString())).toMatchObject({
        seq: entry.seq,
        mac: entry.mac,
      });
      expect(linesOf(path)[line - 1]).toContain(`"seq":${entry.seq},`);
    }
  });

  test.each([[{ part: 4, offset: 1_000_000, line: 9 }], [{ part: 9, offset: 0, line: 1 }]])(
    'finds nothing behind the end: %j',
    (from) => {
      expect([...journalEntries(journal(), { from })]).toEqual([]);
    },
  );

  test('leaves out lines that are longer than any entry, without holding them', () => {
    const file = journal();
    appendFileSync(rotatedPath(file, 1), Buffer.alloc(70 * 1_048_576, 'x'));
    appendFileSync(rotatedPath(file, 1), '\n');
    expect([...journalEntries(file)].map(({ entry }) => entry.seq)).toHaveLength(11);
  });

  test.each([
    [
      'a link',
      (path: string) => {
        renameSync(path, `${path}.was`);
        spawnSync('ln', ['-s', `${path}.was`, path]);
      },
    ],
    [
      'a pipe',
      (path: string) => {
        rmSync(path);
        spawnSync('mkfifo', [path]);
      },
    ],
    [
      'a directory',
      (path: string) => {
        rmSync(path);
        mkdirSync(path);
      },
    ],
  ])('refuses %s', (_name, make) => {
    for (const path of [(file: string) => rotatedPath(file, 2), (file: string) => file]) {
      const file = journal();
      make(path(file));
      expect(() => [...journalEntries(file)]).toThrow(
        expect.objectContaining({ code: 'HF_JOURNAL_FAILED', message: expect.stringContaining('not a regular file') }),
      );
    }
  });
});

describe('followJournal', () => {
  test('gives present and future entries, of other processes and through rotations, until the signal', async () => {
    const file = journal();
    const end = new AbortController();
    const seen: number[] = [];
    const following = (async () => {
      for await (const { entry } of followJournal(file, { signal: end.signal })) seen.push(entry.seq);
    })();
    await expect.poll(() => seen.length).toBe(11);
    const child = startAppender(file, 'more', 10);
    appendEvents(file, [startEvent('x')], { rotateAt: 1 });
    appendEvents(file, [startEvent('y')], { rotateAt: 1 });
    expect(await exitOf(child)).toBe(0);
    await expect.poll(() => seen.length).toBeGreaterThanOrEqual(25);
    end.abort();
    await following;
    expect(seen).toEqual(Array.from({ length: seen.length }, (_, index) => index + 1));
  });

  test('ends at once when nothing comes', async () => {
    const file = journal();
    const end = new AbortController();
    // The wait ends by itself after a second. If the signal did not end it, the timer of half a second would win.
    const late = Promise.withResolvers<string>();
    setTimeout(() => {
      end.abort();
      setTimeout(() => late.resolve('late'), 500);
    }, 50);
    const followed = (async () => {
      for await (const { next } of followJournal(file, {
        from: { part: 4, offset: statSync(file).size, line: 4 },
        signal: end.signal,
      }))
        expect(next).toBeUndefined();
      return 'at once';
    })();
    expect(await Promise.race([followed, late.promise])).toBe('at once');
    await followed;
  });
});
