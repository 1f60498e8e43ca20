import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { appendEvents } from '../journal.ts';
import { rotatedPath } from '../parts.ts';
import { readEvents } from '../entries.ts';
import { refusalEvent, startEvent } from '../testing/events.ts';
import { everyEvent } from '../testing/every-event.ts';
import { freshJournal } from '../testing/scratch.ts';
import { indexPath, moveAside, openIndex } from './index-file.ts';
import { queryJournal, type QueryOptions } from './query-journal.ts';
import { updateIndex } from './update-index.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

interface Asked {
  readonly types: readonly string[];
  readonly told: readonly string[];
}

function ask(journal: string, options: Partial<QueryOptions> = {}): Asked {
  const told: string[] = [];
  const { entries } = queryJournal(journal, {
    filter: {},
    limit: 1000,
    tell: (message) => told.push(message),
    ...options,
  });
  return { types: entries.map(({ type }) => type), told };
}

/** A journal with an index, and its entries. */
function indexed(): { readonly journal: string; readonly index: string; readonly types: readonly string[] } {
  const journal = freshJournal();
  appendEvents(journal, everyEvent('s', 'x'));
  const { types, told } = ask(journal);
  expect(told).toEqual([]);
  expect(types).toEqual(readEvents(journal).map(({ type }) => type));
  return { journal, index: indexPath(journal), types };
}

test("the index is its owner's alone, also when someone widened it", () => {
  const { journal, index } = indexed();
  expect(statSync(index).mode & 0o777).toBe(0o600);
  chmodSync(index, 0o666);
  ask(journal);
  expect(statSync(index).mode & 0o777).toBe(0o600);
});

describe('an index that is', () => {
  const foreign =
    (sql: string) =>
    (index: string): void => {
      rmSync(index);
      const database = new DatabaseSync(index);
      database.exec(sql);
      database.close();
    };
  const sql =
    (text: string) =>
    (index: string): void => {
      const database = new DatabaseSync(index);
      database.exec(text);
      database.close();
    };

  test.each<readonly [string, (index: string) => void, RegExp]>([
    [
      'text',
      (index) => writeFileSync(index, 'no database at all, but long enough for the header of one'.repeat(10)),
      /is not a database/u,
    ],
    ['a few bytes', (index) => writeFileSync(index, 'SQLite format 3\0'), /was cut short/u],
    [
      'cut in its middle',
      (index) => truncateSync(index, Math.floor(statSync(index).size / 8192) * 4096),
      /was cut short/u,
    ],
    ['cut to its header', (index) => truncateSync(index, 100), /was cut short/u],
    [
      'of zeros behind its header',
      (index) => writeFileSync(index, readFileSync(index).fill(0, 100)),
      /damaged|not ours/u,
    ],
    ['of another version', sql('PRAGMA user_version = 999'), /of another version/u],
    [
      'of another program',
      foreign('CREATE TABLE bookmarks(url TEXT); PRAGMA application_id = 7'),
      /of another program/u,
    ],
    ['of another program that says nothing of itself', foreign('CREATE TABLE events(id)'), /of another program/u],
    ['without one of its tables', sql('DROP TABLE names'), /not ours/u],
    ['ahead of the journal', sql('UPDATE progress SET next_offset = next_offset + 1'), /another journal/u],
    ['of wrong places', sql('UPDATE events SET offset = offset + 7'), /does not fit/u],
    ['of exchanged entries', sql('UPDATE events SET seq = seq + 1'), /does not fit/u],
    ...[
      'size = 9007199254740000',
      'size = 3000000000',
      'size = -1',
      'size = 0',
      'offset = -5',
      "offset = 'a'",
      "part = '../../etc/passwd'",
      'part = 1e300',
    ].map((set) => [`of impossible places, ${set}`, sql(`UPDATE events SET ${set}`), /does not fit/u] as const),
    ['of numbers that are none here', sql('UPDATE events SET part = 123456789012345678'), /is damaged/u],
    ['of a progress that is none', sql('UPDATE progress SET part = 123456789012345678'), /is damaged/u],
  ])('%s is moved aside and built again, with a notice', (_name, spoil, why) => {
    const { journal, index, types } = indexed();
    spoil(index);
    const spoilt = readFileSync(index);
    const again = ask(journal);
    expect(again.types).toEqual(types);
    expect(again.told).toEqual([expect.stringMatching(why)]);
    expect(again.told[0]).toContain(`${index}.old`);
    expect(readFileSync(`${index}.old`).length).toBe(spoilt.length);
    expect(ask(journal)).toEqual({ types, told: [] });
  });

  test('with exchanged names never returns unrequested entries', () => {
    const { journal, index, types } = indexed();
    const swap = (one: string, other: string): string =>
      `UPDATE names SET text = CASE text WHEN '${one}' THEN '${other} ' ELSE '${one} ' END WHERE text IN ('${one}', '${other}'); UPDATE names SET text = rtrim(text)`;
    sql(swap('refusal', 'session.start'))(index);
    const { types: found, told } = ask(journal, { filter: { types: ['refusal'] } });
    expect(found).toEqual(types.filter((type) => type === 'refusal'));
    expect(told).toEqual([expect.stringContaining('does not fit')]);
  });

  test('moved aside by another process accepts nothing more: its successor would lose its journal', () => {
    const { journal, index } = indexed();
    const open = openIndex(index);
    try {
      moveAside(index);
      writeFileSync(index, '');
      appendEvents(journal, [startEvent('later')]);
      expect(() => updateIndex(open, journal)).toThrow('was moved aside meanwhile');
    } finally {
      open.database.close();
    }
  });

  test('without FTS5, as another build of Node may leave it, answers all the same', () => {
    const { journal, index } = indexed();
    sql('DROP TABLE words')(index);
    appendEvents(journal, [startEvent('later', ['needle'])]);
    expect(ask(journal, { filter: { words: [{ words: ['need'], end: 'prefix' }] }, limit: 1 })).toEqual({
      types: ['session.start'],
      told: [],
    });
  });

  test('empty is filled, as a new one', () => {
    const { journal, index, types } = indexed();
    writeFileSync(index, '');
    expect(ask(journal)).toEqual({ types, told: [] });
  });

  test('damaged anywhere gives the right answer, or is built again: it makes up no entry', () => {
    const { journal, index, types } = indexed();
    const whole = readFileSync(index);
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.uint8Array({ minLength: 1, maxLength: 64 }), (at, bytes) => {
        const spoilt = Buffer.from(whole);
        spoilt.set(bytes.subarray(0, whole.length - at), at);
        writeFileSync(index, spoilt);
        const found = ask(journal).types;
        expect(types).toEqual(expect.arrayContaining([...found]));
      }),
      { numRuns: rounds(150) },
    );
  });

  test('missing entries that its journal has, because a transaction was cut off, gets them', () => {
    const { journal, index, types } = indexed();
    appendEvents(journal, [startEvent('later')]);
    const copy = `${index}.copy`;
    copyFileSync(index, copy);
    ask(journal);
    renameSync(copy, index);
    expect(ask(journal)).toEqual({ types: [...types, 'session.start'], told: [] });
  });
});

describe('a journal that is', () => {
  test('another one has another index', () => {
    const { journal } = indexed();
    renameSync(dirname(journal), `${dirname(journal)}.before`);
    mkdirSync(dirname(journal), { mode: 0o700 });
    copyFileSync(join(`${dirname(journal)}.before`, 'journal.db'), indexPath(journal));
    appendEvents(journal, [refusalEvent('new')]);
    const { types, told } = ask(journal);
    expect(types).toEqual(readEvents(journal).map(({ type }) => type));
    expect(told).toEqual([expect.stringContaining('was made of another journal')]);
  });

  test('cut is noticed', () => {
    const { journal, types } = indexed();
    const lines = readFileSync(journal, 'utf8').split('\n');
    writeFileSync(journal, `${lines.slice(0, -3).join('\n')}\n`);
    expect(ask(journal)).toMatchObject({
      types: types.slice(0, -2),
      told: [expect.stringContaining('another journal')],
    });
  });

  test('gone leaves nothing to find', () => {
    const { journal } = indexed();
    rmSync(journal);
    expect(ask(journal)).toMatchObject({ types: [], told: [expect.stringContaining('another journal')] });
  });
});

test('a pipe in the place of a file that is indexed is refused, and not waited for', () => {
  const journal = freshJournal();
  for (const session of ['a', 'b']) appendEvents(journal, [startEvent(session)], { rotateAt: 1 });
  ask(journal);
  rmSync(rotatedPath(journal, 1));
  spawnSync('mkfifo', [rotatedPath(journal, 1)]);
  const script = `const { queryJournal } = await import(${JSON.stringify(join(import.meta.dirname, 'query-journal.ts'))}); queryJournal(${JSON.stringify(journal)}, { filter: {} });`;
  const { status, stderr } = spawnSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], {
    encoding: 'utf8',
    timeout: 25_000,
  });
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('not a regular file') as string });
});

describe('a path with the name of the index that is', () => {
  test.each<readonly [string, (index: string) => void, string]>([
    ['a link to a file', (index) => symlinkSync(join(dirname(index), 'victim'), index), 'it is a symbolic link'],
    ['a link to nowhere', (index) => symlinkSync(join(dirname(index), 'missing'), index), 'it is a symbolic link'],
    ['another name of a file', (index) => linkSync(join(dirname(index), 'victim'), index), 'it has another hard link'],
    ['a directory', (index) => mkdirSync(index), 'it is not a regular file'],
  ])('%s is refused, and nothing is written', (_name, put, why) => {
    const { journal, index } = indexed();
    const victim = join(dirname(index), 'victim');
    writeFileSync(victim, 'precious', { mode: 0o644 });
    rmSync(index);
    put(index);
    expect(() => ask(journal)).toThrow(
      expect.objectContaining({
        code: 'HF_INDEX_FAILED',
        message: expect.stringContaining(why),
        remedy: expect.stringContaining('remove it'),
      }),
    );
    expect(readFileSync(victim, 'utf8')).toBe('precious');
    expect(statSync(victim).mode & 0o777).toBe(0o644);
    expect(existsSync(join(dirname(index), 'missing'))).toBe(false);
  });
});

describe('an index that another process', () => {
  const hold = `const { DatabaseSync } = require('node:sqlite'); const d = new DatabaseSync(process.argv[1]); d.exec('BEGIN EXCLUSIVE'); console.log('held'); setTimeout(() => {}, 60000);`;

  test('holds for long is left to it, and a new one is built', async () => {
    const { journal, index, types } = indexed();
    appendEvents(journal, [startEvent('later')]);
    const holder = spawn(process.execPath, ['--no-warnings', '-e', hold, index], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void holder.kill('SIGKILL'));
    await once(holder.stdout, 'data');
    const { told, ...again } = ask(journal, { patience: 300 });
    expect(again.types).toEqual([...types, 'session.start']);
    expect(told).toEqual([expect.stringContaining('is held by another process')]);
    expect(ask(journal)).toEqual({ types: [...types, 'session.start'], told: [] });
  });

  test('fills at the same time is filled once', async () => {
    const { journal, index } = indexed();
    rmSync(index);
    for (let round = 0; round < 20; round += 1) appendEvents(journal, everyEvent(`r${round}`, 'x'));
    const script = `const { queryJournal } = await import(${JSON.stringify(join(import.meta.dirname, 'query-journal.ts'))}); const { entries } = queryJournal(${JSON.stringify(journal)}, { filter: {}, limit: 10000, tell: console.error }); console.log(entries.length);`;
    const children = Array.from({ length: 3 }, () =>
      spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
    const outputs = await Promise.all(
      children.map(async ({ stdout, stderr }) => ({ stdout: await textOf(stdout), stderr: await textOf(stderr) })),
    );
    expect(outputs).toEqual(children.map(() => ({ stdout: `${readEvents(journal).length}\n`, stderr: '' })));
  });
});

async function textOf(stream: AsyncIterable<unknown>): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}
