import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import process from 'node:process';
import { describe, expect, test, vi } from 'vitest';
import { appendEvents } from './journal.ts';
import { withLock } from './lock.ts';
import { readEvents } from './entries.ts';
import { exitOf, startAppender } from './testing/appender.ts';
import { startEvent } from './testing/events.ts';
import { freshJournal } from './testing/scratch.ts';
import { verifyJournal } from './verify.ts';

const here = placeOfLocks();
const processes = 8;
const each = 30;

/** The start of the text of this process's locks. */
function placeOfLocks(): string {
  const file = join(mkdtempSync(join(tmpdir(), 'holdfast-lock-')), 'lock');
  const [place = ''] = withLock(file, () => readlinkSync(file)).split('.');
  rmSync(dirname(file), { recursive: true });
  return place;
}

/** The text of a lock whose holder has ended. */
function deadHolder(nonce = '1'): string {
  const { pid } = spawnSync('true');
  return `${here}.${pid}.12345.${nonce}`;
}

function lockFile(): string {
  const file = freshJournal();
  mkdirSync(dirname(file));
  return `${file}.lock`;
}

/** Takes a lock, and fails if that would pause, however briefly. */
function takeWithoutPause(file: string): void {
  const pause = vi.spyOn(Atomics, 'wait').mockImplementation(() => {
    throw new Error('it waits');
  });
  try {
    withLock(file, () => undefined);
  } finally {
    pause.mockRestore();
  }
}

async function appendAtOnce(file: string): Promise<void> {
  const children = Array.from({ length: processes }, (_, index) => startAppender(file, `p${index}`, each));
  expect(await Promise.all(children.map(exitOf))).toEqual(children.map(() => 0));
}

async function expectEveryEvent(file: string): Promise<void> {
  expect((await verifyJournal(file)).problems).toEqual([]);
  const expected = Array.from({ length: processes }, (_, index) =>
    Array.from({ length: each }, (_unused, at) => `p${index}-${at}`),
  ).flat();
  const found = readEvents(file).flatMap((entry) => (entry.type === 'session.start' ? [entry.session] : []));
  expect(found.toSorted()).toEqual(expected.toSorted());
  expect(readdirSync(dirname(file))).toEqual(['audit.key', 'journal.head', 'journal.jsonl']);
}

describe('many processes that append at once', () => {
  test('keep one whole chain with every event in it', async () => {
    const file = freshJournal();
    await appendAtOnce(file);
    await expectEveryEvent(file);
  });

  // Attack on the lock itself: several processes notice the dead holder, and a slow one removes the lock of a quick
  // one.
  test('also when the one before them died with the lock, and one died while it took that over', async () => {
    const file = freshJournal();
    mkdirSync(dirname(file));
    const dead = deadHolder();
    symlinkSync(dead, `${file}.lock`);
    symlinkSync(deadHolder('2'), `${file}.lock.${dead}`);
    await appendAtOnce(file);
    await expectEveryEvent(file);
  });

  test('also when some are killed on the way', async () => {
    const file = freshJournal();
    for (let round = 0; round < 6; round += 1) {
      const victim = startAppender(file, 'victim', 100_000);
      const other = startAppender(file, `other-${round}`, each);
      await once(victim.stdout ?? victim, 'data');
      await sleep(20 + round * 7);
      victim.kill('SIGKILL');
      expect(await exitOf(other)).toBe(0);
      await exitOf(victim);
    }
    appendEvents(file, [startEvent('last')]);
    expect((await verifyJournal(file)).problems).toEqual([]);
    const others = readEvents(file).filter(
      (entry) => entry.type === 'session.start' && entry.session.startsWith('other'),
    );
    expect(others).toHaveLength(6 * each);
  });
});

describe('withLock', () => {
  test('holds the lock during the work, names its holder, and gives it back', () => {
    const file = lockFile();
    const holder = withLock(file, () => readlinkSync(file));
    expect(holder).toMatch(new RegExp(`^${here}\\.${process.pid}\\.\\d+\\.\\d+$`, 'u'));
    expect(readdirSync(dirname(file))).toEqual([]);
  });

  test('gives it back when the work throws', () => {
    const file = lockFile();
    expect(() =>
      withLock(file, () => {
        throw new Error('work');
      }),
    ).toThrow('work');
    expect(readdirSync(dirname(file))).toEqual([]);
  });

  test('takes over at once from a process that is gone', () => {
    const file = lockFile();
    symlinkSync(deadHolder(), file);
    takeWithoutPause(file);
  });

  test('takes over at once from a process whose number now belongs to another', () => {
    const file = lockFile();
    symlinkSync(`${here}.${process.pid}.1.1`, file);
    takeWithoutPause(file);
  });

  test('takes over from a zombie, whose parent never asked for its end', async () => {
    const file = lockFile();
    // The shell becomes a sleep that never reaps its child. If the child ended sooner, the shell would reap it.
    const child = 'until grep -q sleep /proc/$PPID/comm; do sleep 0.01; done';
    const parent = spawn('sh', ['-c', `sh -c '${child}' & echo $!; exec sleep 60`], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [pid] = (await once(parent.stdout, 'data')) as [Buffer];
    await expect.poll(() => readFileSync(`/proc/${Number(String(pid))}/stat`, 'utf8')).toMatch(/\) Z /u);
    symlinkSync(`${here}.${String(pid).trim()}.12345.1`, file);
    takeWithoutPause(file);
    parent.kill('SIGKILL');
    await exitOf(parent);
  });

  test('waits for a process that lives', async () => {
    const file = freshJournal();
    mkdirSync(dirname(file));
    const own = withLock(`${file}.lock`, () => readlinkSync(`${file}.lock`));
    symlinkSync(own, `${file}.lock`);
    const child = startAppender(file, 'waiting', 1);
    await once(child.stdout ?? child, 'data');
    await sleep(300);
    expect(child.exitCode).toBeNull();
    expect(readEvents(file)).toEqual([]);
    unlinkSync(`${file}.lock`);
    expect(await exitOf(child)).toBe(0);
    expect(readEvents(file)).toHaveLength(1);
  });

  test('waits for a live process, even if its number means another one or none, as in a container', async () => {
    const file = freshJournal();
    mkdirSync(dirname(file));
    const appender = join(import.meta.dirname, 'testing/append-many.ts');
    const child = withLock(`${file}.lock`, () => {
      const started = spawn(
        'unshare',
        [
          '--user',
          '--map-root-user',
          '--pid',
          '--fork',
          '--mount-proc',
          process.execPath,
          '--no-warnings',
          appender,
          file,
          'contained',
          '1',
        ],
        { stdio: ['ignore', 'ignore', 'inherit'] },
      );
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
      expect(readEvents(file)).toEqual([]);
      return started;
    });
    expect(await exitOf(child)).toBe(0);
    expect(readEvents(file)).toHaveLength(1);
  });

  test('takes over from another machine only when its lock is old', async () => {
    const file = freshJournal();
    mkdirSync(dirname(file));
    symlinkSync(`elsewhere.${process.pid}.1.1`, `${file}.lock`);
    const child = startAppender(file, 'waiting', 1);
    await once(child.stdout ?? child, 'data');
    await sleep(300);
    expect(child.exitCode).toBeNull();
    const past = Date.now() / 1000 - 60;
    lutimesSync(`${file}.lock`, past, past);
    expect(await exitOf(child)).toBe(0);
  });

  test.each([
    ['a file', (path: string) => writeFileSync(path, '1')],
    ['a directory', (path: string) => mkdirSync(path)],
  ])('says so when %s is there', (_name, make) => {
    const file = lockFile();
    make(file);
    expect(() => withLock(file, () => undefined)).toThrow('not a lock');
  });
});

test('a clock that jumps ahead ends no wait', () => {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-lock-'));
  const file = join(directory, 'lock');
  // This process holds the lock, and is alive.
  symlinkSync(
    withLock(file, () => readlinkSync(file)),
    file,
  );
  spawn('sh', ['-c', 'sleep 0.2; rm "$1"', 'release', file], { stdio: 'ignore' });
  const clock = vi.spyOn(Date, 'now').mockReturnValueOnce(0).mockReturnValue(1e12);
  expect(withLock(file, () => 'done')).toBe('done');
  clock.mockRestore();
  rmSync(directory, { recursive: true });
});
