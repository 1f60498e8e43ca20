import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { headPath } from './head.ts';
import { appendEvents } from './journal.ts';
import { keyPath } from './chain.ts';
import { rotatedPath } from './parts.ts';
import { readEvents } from './entries.ts';
import { repairJournal } from './repair.ts';
import { endEvent, startEvent } from './testing/events.ts';
import { freshJournal } from './testing/scratch.ts';
import { writeVersionOne } from './testing/version-one.ts';
import { verifyJournal } from './verify.ts';

/** Three files of a journal. */
function journal(): string {
  const file = freshJournal();
  for (const session of ['a', 'b', 'c']) appendEvents(file, [startEvent(session), endEvent(session)], { rotateAt: 1 });
  return file;
}

function files(directory: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    readdirSync(directory).map((name) => [name, readFileSync(join(directory, name), 'latin1')]),
  );
}

const damages = [
  ['garbage behind its end', (file: string) => appendFileSync(file, 'garbage\n')],
  ['a cut end', (file: string) => truncateSync(file, 700)],
  ['no end at all', (file: string) => truncateSync(file, 0)],
  [
    'an edit in the first file',
    (file: string) =>
      writeFileSync(rotatedPath(file, 1), readFileSync(rotatedPath(file, 1), 'utf8').replace('/srv', '/lie')),
  ],
  ['a file that is gone', (file: string) => rmSync(rotatedPath(file, 2))],
  [
    'all files gone',
    (file: string) => {
      rmSync(rotatedPath(file, 1));
      rmSync(rotatedPath(file, 2));
      rmSync(file);
    },
  ],
  ['a head that is gone', (file: string) => rmSync(headPath(file))],
  ['a key that is gone', (file: string) => rmSync(keyPath(file))],
  ['a key that is no key', (file: string) => writeFileSync(keyPath(file), 'no key')],
  ['a key that others may read', (file: string) => chmodSync(keyPath(file), 0o644)],
  ['a newer version', (file: string) => appendFileSync(file, '{"v":3,"seq":7,"sum":"x"}\n')],
] as const;

describe('repairJournal', () => {
  test('does nothing to a whole journal, nor to none', async () => {
    const file = journal();
    const before = files(dirname(file));
    expect(await repairJournal(file)).toEqual({ kind: 'whole' });
    expect(files(dirname(file))).toEqual(before);
    expect(await repairJournal(freshJournal())).toEqual({ kind: 'whole' });
  });

  test.each(damages)(
    '%s: appending is refused or goes on, and never resets; repaired, every byte is kept, and a new journal says where',
    async (name, damage) => {
      const file = journal();
      damage(file);
      const before = files(dirname(file));
      const repair = await repairJournal(file);
      if (repair.kind !== 'begun') throw new Error(repair.kind);
      const { 'audit.key': oldKey, ...old } = before;
      expect(files(repair.aside)).toMatchObject(old);
      const isUsable = !name.startsWith('a key');
      expect(readFileSync(keyPath(file), 'latin1') === oldKey).toBe(isUsable);
      expect(existsSync(join(repair.aside, 'audit.key'))).toBe(!isUsable && oldKey !== undefined);
      expect(readEvents(file)).toMatchObject([
        { seq: 1, type: 'journal.begun', aside: basename(repair.aside), reason: repair.reason },
      ]);
      appendEvents(file, [startEvent('after')]);
      expect((await verifyJournal(file)).problems).toEqual([]);
      expect(await repairJournal(file)).toEqual({ kind: 'whole' });
    },
  );

  test.each([
    ['a link', (path: string) => symlinkSync('/etc/passwd', path)],
    ['a link to nothing', (path: string) => symlinkSync('/nowhere', path)],
    ['a directory', (path: string) => mkdirSync(path)],
    ['a pipe', (path: string) => spawnSync('mkfifo', [path])],
  ])('%s in the place of any of its files is refused, and moved aside as it is', async (_name, make) => {
    for (const path of [(file: string) => file, keyPath, headPath]) {
      const file = journal();
      renameSync(path(file), join(dirname(file), 'was'));
      make(path(file));
      expect(() => appendEvents(file, [startEvent('b')])).toThrow(
        expect.objectContaining({
          code: 'HF_JOURNAL_FAILED',
          message: `the journal ${path(file)} cannot be used: it is a link, a directory or another thing that is not a regular file`,
        }),
      );
      const repair = await repairJournal(file);
      expect(readdirSync((repair as { aside: string }).aside)).toContain(basename(path(file)));
      appendEvents(file, [startEvent('after')]);
      expect((await verifyJournal(file)).problems).toEqual([]);
    }
    expect(readFileSync('/etc/passwd', 'utf8')).toContain('root:');
  });

  test('goes on where it was killed', async () => {
    const file = journal();
    truncateSync(file, 0);
    const names = readdirSync(dirname(file))
      .filter((name) => name !== 'audit.key')
      .toSorted((a, b) => Number(a.endsWith('.head')) - Number(b.endsWith('.head')));
    for (let moved = 1; moved <= names.length; moved++) {
      const half = freshJournal();
      mkdirSync(join(dirname(half), 'aside'), { recursive: true });
      for (const [index, name] of ['audit.key', ...names].entries())
        writeFileSync(
          join(dirname(half), index > 0 && index <= moved ? 'aside' : '', name),
          readFileSync(join(dirname(file), name)),
          { mode: 0o600 },
        );
      expect(() => appendEvents(half, [startEvent('b')])).toThrow(
        expect.objectContaining({ code: 'HF_JOURNAL_FAILED' }),
      );
      expect(await repairJournal(half)).toMatchObject({ kind: 'begun' });
      expect((await verifyJournal(half)).problems).toEqual([]);
    }
  });

  test('keeps a journal of version 1 that was changed', async () => {
    const file = freshJournal();
    writeVersionOne(file, [startEvent('a'), endEvent('a')]);
    writeFileSync(file, readFileSync(file, 'utf8').replace('/srv', '/lie'));
    const before = readFileSync(file);
    const repair = await repairJournal(file);
    expect(readFileSync(join((repair as { aside: string }).aside, 'journal.jsonl'))).toEqual(before);
  });
});
