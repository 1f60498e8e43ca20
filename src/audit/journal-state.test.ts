import {
  appendFileSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import type { JournalEvent } from './events.ts';
import { clockJump, headPath, type Moment, thisMoment } from './head.ts';
import { appendEvents } from './journal.ts';
import { keyName, keyPath } from './chain.ts';
import { readEvents } from './entries.ts';
import { exitOf, startAppender } from './testing/appender.ts';
import { endEvent, refusalEvent, startEvent } from './testing/events.ts';
import { freshJournal } from './testing/scratch.ts';
import { writeVersionOne } from './testing/version-one.ts';
import { verifyJournal } from './verify.ts';

const whole = { unkeyed: 0, problems: [], omitted: 0 };
const types = (file: string): readonly string[] => readEvents(file).map(({ type }) => type);

describe('a journal that began without a key', () => {
  test('goes on in its file, and an entry says from where on there is one', async () => {
    const file = freshJournal();
    writeVersionOne(file, [startEvent('a'), endEvent('a')]);
    expect(await verifyJournal(file)).toEqual({ ...whole, entries: 2, unkeyed: 2 });
    appendEvents(file, [startEvent('b')]);
    appendEvents(file, [endEvent('b')]);
    expect(readEvents(file).map(({ v, type }) => [v, type])).toEqual([
      [1, 'session.start'],
      [1, 'session.end'],
      [2, 'journal.keyed'],
      [2, 'session.start'],
      [2, 'session.end'],
    ]);
    expect(readEvents(file)[2]).toMatchObject({
      key: keyName(readFileSync(keyPath(file))),
      prev: readEvents(file)[1]?.mac,
    });
    expect(await verifyJournal(file)).toEqual({ ...whole, entries: 5, unkeyed: 2 });
  });

  test('is rotated only behind that entry', () => {
    const file = freshJournal();
    writeVersionOne(file, [startEvent('a')]);
    appendEvents(file, [startEvent('b')], { rotateAt: 1 });
    appendEvents(file, [startEvent('c')], { rotateAt: 1 });
    expect(types(file)).toEqual([
      'session.start',
      'journal.keyed',
      'session.start',
      'journal.rotated',
      'session.start',
    ]);
  });

  test.each([
    ['an edit before it', (lines: string[]) => lines.with(0, lines[0]?.replace('/srv', '/lie') ?? ''), 1],
    ['that entry is gone', (lines: string[]) => lines.toSpliced(2, 1), 3],
    ['an entry without a key behind it', (lines: string[]) => [...lines, lines[0] ?? ''], 5],
  ])('%s is located', async (_name, change, line) => {
    const file = freshJournal();
    writeVersionOne(file, [startEvent('a'), endEvent('a')]);
    appendEvents(file, [startEvent('b')]);
    writeFileSync(
      file,
      change(readFileSync(file, 'utf8').split('\n').slice(0, -1))
        .map((text) => `${text}\n`)
        .join(''),
    );
    expect((await verifyJournal(file)).problems[0]).toMatchObject({ file, line });
  });

  test('was written by an old Holdfast while a new one had begun: refused', () => {
    const file = freshJournal();
    appendEvents(file, [startEvent('a')]);
    writeVersionOne(`${file}.old`, [startEvent('a'), endEvent('a')]);
    appendFileSync(file, readFileSync(`${file}.old`, 'utf8').split('\n')[1] ?? '');
    appendFileSync(file, '\n');
    expect(() => appendEvents(file, [startEvent('b')])).toThrow(expect.objectContaining({ code: 'HF_JOURNAL_FAILED' }));
  });
});

describe('the first key', () => {
  test('is made once, by however many processes', async () => {
    const file = freshJournal();
    const children = Array.from({ length: 6 }, (_, index) => startAppender(file, `p${index}`, 2));
    expect(await Promise.all(children.map(exitOf))).toEqual(children.map(() => 0));
    expect(await verifyJournal(file)).toEqual({ ...whole, entries: 12 });
    expect(statSync(keyPath(file)).size).toBe(32);
    expect(statSync(keyPath(file)).nlink).toBe(1);
  });

  test('differs in every journal, and appears in none', () => {
    const [a, b] = [freshJournal(), freshJournal()];
    for (const file of [a, b]) appendEvents(file, [startEvent('a')]);
    const key = readFileSync(keyPath(a));
    expect(key).not.toEqual(readFileSync(keyPath(b)));
    for (const text of [key.toString('hex'), key.toString('base64')])
      expect(readFileSync(a, 'utf8') + readFileSync(headPath(a), 'utf8')).not.toContain(text);
  });

  test('goes on where it was killed between the head and the key', async () => {
    const file = freshJournal();
    mkdirSync(dirname(file));
    writeFileSync(headPath(file), 'of a key that never came', { mode: 0o600 });
    writeFileSync(`${keyPath(file)}.new`, 'half', { mode: 0o600 });
    appendEvents(file, [startEvent('a')]);
    expect(await verifyJournal(file)).toEqual({ ...whole, entries: 1 });
  });
});

const hour = 3_600_000;

describe('a clock that is set', () => {
  const jumps = [
    ['back by a minute', { time: -60_000 }, -60_000],
    ['ahead by two days', { time: 48 * hour }, 48 * hour],
    ['back by a minute, and the machine restarted', { time: -60_000, uptime: -hour, boot: 'another' }, -60_000],
    [
      'ahead, and the machine restarted: nobody can tell that from a pause',
      { time: 48 * hour, uptime: -hour, boot: 'another' },
      0,
    ],
    ['not at all, for two days', { time: 48 * hour, uptime: 48 * hour }, 0],
    ['slowly, by four minutes in a week', { time: 168 * hour + 240_000, uptime: 168 * hour }, 0],
    ['by a second', { time: 1000 }, 0],
  ] as const;

  test.each(jumps)('%s', async (_name, change, jump) => {
    const file = freshJournal();
    const before = { time: Date.parse('2026-03-01T12:00:00Z'), uptime: 100 * hour, boot: 'one' };
    const moved: { readonly time: number; readonly uptime?: number; readonly boot?: string } = change;
    const after: Moment = {
      time: before.time + moved.time,
      uptime: before.uptime + (moved.uptime ?? 0),
      boot: moved.boot ?? before.boot,
    };
    expect(clockJump(before, after)).toBe(jump);
    appendEvents(file, [startEvent('a')], { clock: () => before });
    appendEvents(file, [endEvent('a')], { clock: () => after });
    expect(readEvents(file).slice(1)).toMatchObject([
      ...(jump === 0 ? [] : [{ type: 'journal.clock', jump }]),
      { type: 'session.end' },
    ]);
    expect((await verifyJournal(file)).problems).toEqual([]);
  });

  test('is detected by the clocks of this machine, which agree', async () => {
    const before = thisMoment();
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(clockJump(before, thisMoment())).toBe(0);
  });
});

describe('a machine that stopped', () => {
  const at = (boot: string) => () => ({ ...thisMoment(), boot });

  /** Two entries on the disk, and two that are not there yet. Then the disk as the next process finds it. */
  function stopped(kept: number): string {
    const file = freshJournal();
    appendEvents(file, [startEvent('a'), refusalEvent('a')], { clock: at('one') });
    appendEvents(file, [startEvent('b'), endEvent('b')], { clock: at('one') });
    const lines = readFileSync(file, 'utf8').split('\n');
    truncateSync(file, Buffer.byteLength(`${lines.slice(0, kept).join('\n')}\n`));
    return file;
  }

  test.each([2, 3])(
    'before its last entries were on the disk, of which none was awaited: an entry says how many',
    async (kept) => {
      const file = stopped(kept);
      expect((await verifyJournal(file)).problems).toMatchObject([
        {
          line: kept + 1,
          message: expect.stringContaining('stopped before they were on the disk, or someone removed them') as string,
        },
      ]);
      appendEvents(file, [startEvent('c')], { clock: at('two') });
      expect(readEvents(file).slice(kept)).toMatchObject([
        { type: 'journal.lost', entries: 4 - kept },
        { session: 'c' },
      ]);
      expect((await verifyJournal(file)).problems).toEqual([]);
    },
  );

  test.each([0, 1])('never loses awaited entries: with %i entries left, someone removed them', (kept) => {
    const file = stopped(kept);
    expect(() => appendEvents(file, [startEvent('c')], { clock: at('two') })).toThrow(
      expect.objectContaining({
        code: 'HF_JOURNAL_FAILED',
        message: expect.stringContaining(`entries ${kept + 1} to 4 are gone from its end`),
      }),
    );
  });

  test('does not excuse a forged entry: the rest must come from the holder of the key', () => {
    const file = stopped(3);
    writeFileSync(file, readFileSync(file, 'latin1').replace('"session":"b"', '"session":"x"'));
    expect(() => appendEvents(file, [startEvent('c')], { clock: at('two') })).toThrow(
      expect.objectContaining({
        code: 'HF_JOURNAL_FAILED',
        message: expect.stringContaining('entries 4 to 4 are gone from its end'),
      }),
    );
  });

  test('loses nothing while it runs: someone removed them', () => {
    const file = stopped(3);
    expect(() => appendEvents(file, [startEvent('c')], { clock: at('one') })).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('entries 4 to 4 are gone'),
        remedy: expect.stringContaining('audit repair'),
      }),
    );
  });
});

describe('the disk before appendEvents returns', () => {
  const approval = { session: 'a', workspace: '/srv/project', hash: 'ab'.repeat(32) };
  const enforced = { ...refusalEvent('a'), type: 'enforcement' } as const;
  const request = {
    type: 'request',
    session: 'a',
    workspace: '/srv/project',
    method: 'GET',
    scheme: 'https',
    host: 'example.org',
    port: 443,
    path: '/',
    status: 200,
  } as const;
  const cases: readonly (readonly [JournalEvent, boolean])[] = [
    [refusalEvent('a'), true],
    [{ ...enforced, outcome: 'approved' }, true],
    [{ ...enforced, outcome: 'audited' }, false],
    [{ type: 'approval.resolved', ...approval, decision: 'once', waited: 1 }, true],
    [{ type: 'trust.decided', workspace: '/srv/project', action: 'approve', files: [] }, true],
    [
      {
        type: 'alarm',
        session: 'a',
        workspace: '/srv/project',
        alarm: 'secret-outbound',
        credential: 'x',
        host: 'example.org',
        port: 443,
        place: 'body',
      },
      true,
    ],
    [request, false],
    [{ ...request, decision: 'deny' }, true],
    [{ ...request, refusal: { code: 'rule', message: 'no' } }, true],
    [startEvent('a'), false],
    [endEvent('a'), false],
  ];

  /** The number of synced entries in the head. */
  const synced = (file: string): number =>
    (JSON.parse(readFileSync(headPath(file), 'utf8')) as { synced: number }).synced;

  test.each(cases)('%j', (event, isAwaited) => {
    const file = freshJournal();
    appendEvents(file, [startEvent('before')]);
    expect(synced(file)).toBe(0);
    appendEvents(file, [event]);
    expect(synced(file)).toBe(isAwaited ? 2 : 0);
    appendEvents(file, [startEvent('after')], { durability: 'all' });
    expect(synced(file)).toBe(3);
  });

  test('keeps the fields of an event that has a hash of its own', () => {
    const file = freshJournal();
    appendEvents(file, [{ type: 'approval.resolved', ...approval, decision: 'once', waited: 1 }]);
    expect(readEvents(file)).toMatchObject([
      { hash: 'ab'.repeat(32), mac: expect.stringMatching(/^[0-9a-f]{64}$/u) as string },
    ]);
  });
});

describe('a journal of another', () => {
  test('version, newer than this Holdfast: refused, and named', async () => {
    const file = freshJournal();
    appendEvents(file, [startEvent('a')]);
    appendFileSync(file, '{"v":3,"seq":2,"sum":"whatever"}\n');
    expect(() => appendEvents(file, [startEvent('b')])).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('a newer Holdfast wrote its last line (version 3 of the format)'),
      }),
    );
    expect((await verifyJournal(file)).problems).toMatchObject([
      { line: 2, message: expect.stringContaining('a newer Holdfast') as string },
    ]);
  });

  test.skipIf(process.getuid?.() !== 0)('user: refused, whichever of its files it is', () => {
    for (const path of [(file: string) => file, keyPath, headPath]) {
      const file = freshJournal();
      appendEvents(file, [startEvent('a')]);
      chownSync(path(file), 65_534, 65_534);
      expect(() => appendEvents(file, [startEvent('b')])).toThrow(
        expect.objectContaining({
          code: 'HF_JOURNAL_FAILED',
          message: `the journal ${path(file)} cannot be used: it belongs to user 65534`,
        }),
      );
    }
  });

  test('state: an older journal and its older head look whole, which is said in the documentation', async () => {
    const file = freshJournal();
    appendEvents(file, [startEvent('a')]);
    for (const path of [file, headPath(file)]) copyFileSync(path, `${path}.old`);
    appendEvents(file, [startEvent('b')]);
    for (const path of [file, headPath(file)]) copyFileSync(`${path}.old`, path);
    expect((await verifyJournal(file)).problems).toEqual([]);
  });
});
