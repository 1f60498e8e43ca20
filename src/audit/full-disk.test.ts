import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { appendAs, failureIn, inMountNamespace } from './testing/appender.ts';
import { freshJournal } from './testing/scratch.ts';
import { verifyJournal } from './verify.ts';
import { appendEvents } from './journal.ts';
import { startEvent } from './testing/events.ts';

const namespaces = inMountNamespace('true').status === 0;
if (!namespaces) console.warn('skipped: full and read-only disks, because this host allows no user namespaces');

describe.skipIf(!namespaces)('a state directory on', () => {
  test('a full disk: one clear error, no half line, and it goes on when there is room again', () => {
    const file = freshJournal();
    appendEvents(file, [startEvent('before')]);
    const { stdout, status, stderr } = inMountNamespace(`
      mkdir ${dirname(file)}/disk
      mount -t tmpfs -o size=64k tmpfs ${dirname(file)}/disk
      cd ${dirname(file)}/disk
      cp ../journal.jsonl .
      $APPEND $PWD/journal.jsonl many 1000 || test $? = 1
      cp journal.jsonl ../full.jsonl
      test "$(ls -A)" = journal.jsonl
    `);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(failureIn(stdout)).toMatchObject({ code: 'HF_DISK_FULL', remedy: expect.stringContaining('free') });
    const full = `${dirname(file)}/full.jsonl`;
    expect(readFileSync(full, 'utf8')).toMatch(/"before".*\n.*"many-0"[^]*\}\n$/u);
    const { entries, problems } = verifyJournal(full);
    expect(problems).toEqual([]);
    expect(entries).toBeGreaterThan(20);
    appendEvents(full, [startEvent('after')]);
    expect(verifyJournal(full)).toEqual({ entries: entries + 1, problems: [] });
  });

  test('a read-only disk', () => {
    const file = freshJournal();
    mkdirSync(dirname(file));
    const { stdout } = inMountNamespace(`mount -t tmpfs -o ro tmpfs ${dirname(file)}; $APPEND ${file} x 1`);
    expect(failureIn(stdout)).toMatchObject({ code: 'HF_STATE_UNWRITABLE', message: expect.stringContaining('EROFS'), remedy: expect.stringContaining('XDG_STATE_HOME') });
  });
});

const nobody = 65_534;

describe.skipIf(process.getuid?.() !== 0)('a state directory of somebody else', () => {
  test('cannot be used', () => {
    const file = freshJournal();
    appendEvents(file, [startEvent('a')]);
    expect(appendAs(nobody, file)).toMatchObject({ code: 'HF_STATE_UNWRITABLE', message: expect.stringContaining('EACCES') });
    expect(verifyJournal(file)).toEqual({ entries: 1, problems: [] });
  });
});
