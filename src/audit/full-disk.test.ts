import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { appendAs, failureIn, inMountNamespace } from './testing/appender.ts';
import { whatIsWrong } from './testing/kill-writers.ts';
import { freshJournal } from './testing/scratch.ts';
import { rotatedParts } from './parts.ts';
import { verifyJournal } from './verify.ts';
import { appendEvents } from './journal.ts';
import { startEvent } from './testing/events.ts';

const namespaces = inMountNamespace('true').status === 0;
if (!namespaces) console.warn('skipped: full and read-only disks, because this host allows no user namespaces');

describe.skipIf(!namespaces)('a state directory on', () => {
  test('a full disk: one clear error, no half line, and it goes on when there is room again', async () => {
    const file = freshJournal();
    appendEvents(file, [startEvent('before')]);
    const { stdout, status, stderr } = inMountNamespace(`
      mkdir ${dirname(file)}/disk
      mount -t tmpfs -o size=64k tmpfs ${dirname(file)}/disk
      cd ${dirname(file)}/disk
      cp ../audit.key ../journal.* .
      $APPEND $PWD/journal.jsonl many 1000 || test $? = 1
      mkdir ../full
      cp * ../full
      test "$(echo $(ls -A))" = 'audit.key journal.head journal.jsonl'
    `);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(failureIn(stdout)).toMatchObject({ code: 'HF_DISK_FULL', remedy: expect.stringContaining('free') });
    const full = `${dirname(file)}/full/journal.jsonl`;
    expect(readFileSync(full, 'utf8')).toMatch(/"before".*\n.*"many-0"[^]*\}\n$/u);
    const { entries, problems } = await verifyJournal(full);
    expect(problems).toEqual([]);
    expect(entries).toBeGreaterThan(20);
    appendEvents(full, [startEvent('after')]);
    expect(await verifyJournal(full)).toEqual({ entries: entries + 1, unkeyed: 0, problems: [], omitted: 0 });
  });

  test('a disk that is full while files are rotated away: nothing that was acknowledged is lost', async () => {
    const file = freshJournal();
    mkdirSync(dirname(file), { mode: 0o700 });
    const { stdout, status } = inMountNamespace(`
      mkdir ${dirname(file)}/disk
      mount -t tmpfs -o size=64k tmpfs ${dirname(file)}/disk
      $ACKNOWLEDGE ${dirname(file)}/disk/journal.jsonl many 1000 5000 2> ${dirname(file)}/errors || test $? = 1
      cp ${dirname(file)}/disk/* ${dirname(file)}
    `);
    expect(status).toBe(0);
    expect(readFileSync(join(dirname(file), 'errors'), 'utf8')).toContain('HF_DISK_FULL');
    expect(rotatedParts(file).length).toBeGreaterThan(2);
    expect(await whatIsWrong(file, stdout)).toEqual([]);
    expect(stdout.split('\n').length).toBeGreaterThan(30);
  });

  test('a read-only disk', () => {
    const file = freshJournal();
    mkdirSync(dirname(file));
    const { stdout } = inMountNamespace(`mount -t tmpfs -o ro tmpfs ${dirname(file)}; $APPEND ${file} x 1`);
    expect(failureIn(stdout)).toMatchObject({
      code: 'HF_STATE_UNWRITABLE',
      message: expect.stringContaining('EROFS'),
      remedy: expect.stringContaining('XDG_STATE_HOME'),
    });
  });
});

const nobody = 65_534;

describe.skipIf(process.getuid?.() !== 0)('a state directory of someone else', () => {
  test('cannot be used', async () => {
    const file = freshJournal();
    appendEvents(file, [startEvent('a')]);
    expect(appendAs(nobody, file)).toMatchObject({
      code: 'HF_STATE_UNWRITABLE',
      message: expect.stringContaining('EACCES'),
    });
    expect(await verifyJournal(file)).toEqual({ entries: 1, unkeyed: 0, problems: [], omitted: 0 });
  });
});
