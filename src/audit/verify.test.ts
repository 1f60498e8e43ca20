import { createHash, createHmac } from 'node:crypto';
import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keyPath, splitLine } from './chain.ts';
import { headPath } from './head.ts';
import { appendEvents } from './journal.ts';
import { rotatedPath } from './parts.ts';
import { readEvents } from './entries.ts';
import { endEvent, refusalEvent, startEvent } from './testing/events.ts';
import { freshJournal } from './testing/scratch.ts';
import { verifyJournal } from './verify.ts';
import { rounds } from '../../scripts/testing/extent.ts';

const count = 6;

/** A journal of six entries of two sessions, and a function that changes its lines and returns the findings. */
function journal(name = 'a'): {
  readonly lines: readonly string[];
  readonly file: string;
  readonly locate: (lines: readonly string[]) => Promise<readonly number[]>;
} {
  const file = freshJournal();
  appendEvents(file, [
    startEvent(name),
    refusalEvent(name),
    endEvent(name),
    startEvent('z'),
    refusalEvent('z'),
    endEvent('z'),
  ]);
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  const locate = async (changed: readonly string[]): Promise<readonly number[]> => {
    writeFileSync(file, changed.map((line) => `${line}\n`).join(''));
    return [...new Set((await verifyJournal(file)).problems.map(({ line }) => line))];
  };
  return { lines, file, locate };
}

/** An entry with another content and a matching MAC, made with this journal's key or another one. */
function forge(line: string, change: (body: string) => string, key: Buffer): string {
  const signed = change(splitLine(line)?.body ?? '').slice(0, -1);
  return `${signed},"mac":"${createHmac('sha256', key).update(signed).digest('hex')}"}`;
}

/** The entry in version 1, with a hash that anyone can compute. */
function unkeyed(line: string): string {
  const body = splitLine(line)?.body.replace('"v":2', '"v":1').replace('/srv', '/lies') ?? '';
  const { prev } = JSON.parse(body) as { prev: string };
  return `${body.slice(0, -1)},"hash":"${createHash('sha256').update(`${prev}\n${body}`).digest('hex')}"}`;
}

describe('verifyJournal', () => {
  test('finds nothing in an untouched journal, nor in a missing one', async () => {
    const { file } = journal();
    expect(await verifyJournal(file)).toEqual({ entries: count, unkeyed: 0, problems: [], omitted: 0 });
    expect(await verifyJournal(freshJournal())).toEqual({ entries: 0, unkeyed: 0, problems: [], omitted: 0 });
  });

  test.each([0, 1, 2, 3, 4, 5])('locates an edit of entry %i', async (at) => {
    const { lines, locate } = journal();
    expect(await locate(lines.with(at, lines[at]?.replace('"workspace":"/srv', '"workspace":"/lies') ?? ''))).toEqual([
      at + 1,
    ]);
  });

  test.each([0, 1, 2, 3, 4, 5])(
    'locates an edit of entry %i by someone who has another key, or remembers the old one',
    async (at) => {
      const { lines, locate } = journal();
      const forged = forge(lines[at] ?? '', (body) => body.replace('/srv', '/lies'), Buffer.alloc(32, 1));
      expect((await locate(lines.with(at, forged)))[0]).toBe(at + 1);
      expect(await locate(lines.with(at, unkeyed(lines[at] ?? '')))).toEqual(
        [at + 1, at + 2].filter((line) => line <= count && line > (at === 0 ? 1 : 0)),
      );
    },
  );

  test.each([0, 1, 2, 3, 4])(
    'locates an edit of entry %i by someone who has the key, and did not write the rest again',
    async (at) => {
      const { lines, file, locate } = journal();
      const forged = forge(
        lines[at] ?? '',
        (body) => body.replace('/srv', '/lies'),
        readFileSync(join(dirname(file), 'audit.key')),
      );
      expect(await locate(lines.with(at, forged))).toEqual([at + 2]);
    },
  );

  test.each([0, 1, 2, 3, 4])('locates the removal of entry %i', async (at) => {
    const { lines, locate } = journal();
    expect(await locate(lines.toSpliced(at, 1))).toEqual([at + 1]);
  });

  test.each([0, 2, 4])('locates two entries that were exchanged, from entry %i on', async (at) => {
    const { lines, locate } = journal();
    expect((await locate(lines.toSpliced(at, 2, lines[at + 1] ?? '', lines[at] ?? '')))[0]).toBe(at + 1);
  });

  test.each([1, 3, 6])('locates a copy of the first entry, put in as line %i', async (line) => {
    const { lines, locate } = journal();
    expect((await locate(lines.toSpliced(line, 0, lines[0] ?? '')))[0]).toBe(line + 1);
  });

  test.each([0, 3, 6])('locates a line that is not an entry, put in before line %i, and nothing else', async (at) => {
    const { lines, locate } = journal();
    for (const garbage of ['', 'garbage', '{}', `{oops,"hash":"${'0'.repeat(64)}"}`])
      expect(await locate(lines.toSpliced(at, 0, garbage))).toEqual([at + 1]);
  });

  test('locates another beginning', async () => {
    const { lines, locate } = journal();
    expect(await locate(lines.slice(2))).toEqual([1]);
  });

  test('locates a tail that was taken from another journal', async () => {
    const [a, b] = [journal('a'), journal('b')];
    expect(await a.locate([...a.lines.slice(0, 3), ...b.lines.slice(3)])).toEqual([4, 5, 6]);
  });

  test('names the damage', async () => {
    const { lines, file, locate } = journal();
    await locate(lines.toSpliced(1, 1));
    expect((await verifyJournal(file)).problems.map(({ message }) => message)).toEqual([
      'expected entry 2, found 3: entries were removed, added or moved',
      'the entry does not follow the one before it',
    ]);
  });

  test.each([0, 1, 3, 5])('locates an end that was cut off behind entry %i', async (kept) => {
    const { lines, file, locate } = journal();
    expect(await locate(lines.slice(0, kept))).toEqual([kept + 1]);
    expect((await verifyJournal(file)).problems).toEqual([
      { file, line: kept + 1, message: `entries ${kept + 1} to ${count} are gone from the end` },
    ]);
  });

  test('locates a journal that was removed', async () => {
    const { file } = journal();
    rmSync(file);
    expect(await verifyJournal(file)).toMatchObject({
      entries: 0,
      problems: [{ file, line: 1, message: 'entries 1 to 6 are gone from the end' }],
    });
  });

  test('finds nothing where the head is behind, because its writer was killed before it wrote that', async () => {
    const { file } = journal();
    const head = readFileSync(headPath(file));
    appendEvents(file, [startEvent('more'), endEvent('more')]);
    writeFileSync(headPath(file), head);
    expect((await verifyJournal(file)).problems).toEqual([]);
  });

  test('finds every changed byte, in its line', async () => {
    const { file } = journal();
    const bytes = readFileSync(file);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 2), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
        expect(await lineOfFlip(file, bytes, { at, flip })).toBe(lineAt(bytes, at));
        expect(() => readEvents(file)).not.toThrow();
      }),
      { numRuns: rounds(400) },
    );
  });

  test('finds one changed bit, at every position', async () => {
    const { file, lines } = journal();
    const bytes = Buffer.from(`${lines.slice(0, 2).join('\n')}\n`);
    for (let at = 0; at < bytes.length; at++)
      expect(await lineOfFlip(file, bytes, { at, flip: 1 << (at % 8) })).toBe(lineAt(bytes, at));
  });
});

function lineAt(bytes: Buffer, at: number): number {
  return bytes.subarray(0, at).toString('latin1').split('\n').length;
}

async function lineOfFlip(
  file: string,
  bytes: Buffer,
  { at, flip }: { readonly at: number; readonly flip: number },
): Promise<number | undefined> {
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ flip;
  writeFileSync(file, changed);
  return (await verifyJournal(file)).problems[0]?.line;
}

describe('the key and the head of a journal', () => {
  const beside = [
    [
      'the key is gone',
      keyPath,
      (path: string) => rmSync(path),
      'the key is gone: nobody can tell whether entries were changed',
    ],
    ['the key is another', keyPath, (path: string) => writeFileSync(path, Buffer.alloc(32)), undefined],
    ['the key is cut short', keyPath, (path: string) => writeFileSync(path, 'short'), 'it is not a key'],
    ['the key is too long', keyPath, (path: string) => writeFileSync(path, Buffer.alloc(33)), 'it is not a key'],
    ['others may read the key', keyPath, (path: string) => chmodSync(path, 0o640), 'others may read it'],
    [
      'the head is gone',
      headPath,
      (path: string) => rmSync(path),
      'this file is gone: nobody can tell whether the end of the journal is still there',
    ],
    [
      'the head was changed',
      headPath,
      (path: string) => writeFileSync(path, readFileSync(path, 'utf8').replace('"seq":6', '"seq":5')),
      'it was changed, or it was written with another key',
    ],
    [
      'the head is empty',
      headPath,
      (path: string) => writeFileSync(path, ''),
      'it was changed, or it was written with another key',
    ],
    [
      'the head is huge',
      headPath,
      (path: string) => writeFileSync(path, Buffer.alloc(1_000_000)),
      'it was changed, or it was written with another key',
    ],
  ] as const;

  test.each(beside)('%s: verify says so, and nothing is written', async (...[, path, change, message]) => {
    const { file } = journal();
    change(path(file));
    const before = readFileSync(file);
    expect((await verifyJournal(file)).problems).toContainEqual(
      message === undefined ? expect.objectContaining({ file, line: 1 }) : { file: path(file), line: 1, message },
    );
    expect(() => appendEvents(file, [startEvent('b')])).toThrow(
      expect.objectContaining({
        code: 'HF_JOURNAL_FAILED',
        message: expect.stringContaining(path === keyPath && message === undefined ? headPath(file) : path(file)),
      }),
    );
    expect(readFileSync(file)).toEqual(before);
  });
});

describe('a large journal', () => {
  test('is verified in pieces by threads, which still locate the damage', { timeout: 60_000 }, async () => {
    const file = freshJournal();
    const many = Array.from({ length: 45_000 }, (_, index) => startEvent(`s-${index}`));
    for (let round = 0; round < 2; round++) appendEvents(file, many, { rotateAt: 20_000_000 });
    expect(statSync(rotatedPath(file, 1)).size).toBeGreaterThan(16_000_000);
    const { entries, problems } = await verifyJournal(file);
    expect(problems).toEqual([]);
    expect(entries).toBe(90_001);
    const bytes = readFileSync(rotatedPath(file, 1));
    for (const at of [100, Math.floor(bytes.length / 2), bytes.length - 100]) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      writeFileSync(rotatedPath(file, 1), changed);
      expect((await verifyJournal(file)).problems[0]).toMatchObject({
        file: rotatedPath(file, 1),
        line: lineAt(bytes, at),
      });
    }
  });
});
