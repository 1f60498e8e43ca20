import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { approval, scratchPaths, workspace } from '../testing/scratch.ts';
import { sha, trustEntry } from '../testing/values.ts';
import type { TrustEntry, TrustRecord } from '../types.ts';
import { approvedBytes } from './approvals-of.ts';
import { keepApprovals, revokeApprovals } from './change-trust.ts';
import { objectsDirectory, recordName, type TrustPaths } from './layout.ts';
import { parseRecord, recordText } from './parse-record.ts';
import { longestRecord, readTrust } from './read-trust.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const record: TrustRecord = { version: 1, workspace, entries: [trustEntry()] };
const plain = JSON.parse(recordText(record)) as { readonly entries: readonly [Readonly<Record<string, unknown>>] };

/** A record as Holdfast would write it, with one change. */
function written(change: Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify({ ...plain, ...change }, undefined, 1)}\n`;
}

function withEntry(change: Readonly<Record<string, unknown>>): string {
  return written({ entries: [{ ...plain.entries[0], ...change }] });
}

function withRecord(text: string | Buffer): { readonly paths: TrustPaths; readonly file: string } {
  const paths = scratchPaths();
  mkdirSync(paths.trust, { recursive: true, mode: 0o700 });
  const file = join(paths.trust, recordName(workspace));
  writeFileSync(file, text, { mode: 0o600 });
  return { paths, file };
}

const refused = (message: RegExp): unknown =>
  expect.objectContaining({
    code: 'HF_TRUST_INVALID',
    message: expect.stringMatching(message) as unknown,
    remedy: expect.stringContaining('holdfast trust add') as unknown,
  });

function expectRefused(paths: TrustPaths, message: RegExp): void {
  expect(() => readTrust(paths, workspace)).toThrow(refused(message));
}

const good = recordText(record);

const contents: Readonly<Record<string, readonly [string | Buffer, RegExp]>> = {
  nothing: ['', /is empty/u],
  'half of it': [good.slice(0, good.length / 2), /broken or cut off/u],
  'all but its last byte': [good.slice(0, -1), /is not in the form that Holdfast writes/u],
  'two of it': [good + good, /broken or cut off/u],
  'a byte order mark': [`\uFEFF${good}`, /broken or cut off/u],
  comments: [good.replace('{', '{ // mine\n'), /broken or cut off/u],
  'bytes that are not UTF-8': [Buffer.concat([Buffer.from(good), Buffer.from([0xff])]), /is not UTF-8/u],
  zeros: [Buffer.alloc(4096), /broken or cut off/u],
  'a newer version': [written({ version: 2 }), /newer version/u],
  'a newer version with unknown keys': ['{"version":2,"workspaces":{}}', /newer version/u],
  'an older version': [written({ version: 0 }), /is not in the form/u],
  'a version in words': [written({ version: '1' }), /is not in the form/u],
  null: ['null', /is not in the form/u],
  'a list': ['[]', /is not in the form/u],
  'no entries': [written({ entries: {} }), /is not in the form/u],
  'more keys': [written({ more: true }), /is not in the form/u],
  'an entry with more keys': [withEntry({ more: true }), /is not in the form/u],
  'a prototype': [good.replace('"entries"', '"__proto__": {"entries": []},\n "entries"'), /is not in the form/u],
  'a prototype of an entry': [
    good.replace('"surface"', '"__proto__": {"surface": "x"},\n   "surface"'),
    /is not in the form/u,
  ],
  'a key twice': [good.replace('"version": 1', '"version": 1,\n "version": 1'), /is not in the form/u],
  'other white space': [JSON.stringify(plain), /is not in the form/u],
  'an entry twice': [written({ entries: [plain.entries[0], plain.entries[0]] }), /names a file twice/u],
  'another workspace': [written({ workspace: '/home/dev/other' }), /is of another workspace, "\/home\/dev\/other"/u],
  'another level': [withEntry({ level: 'session' }), /is not in the form/u],
  'an unknown level': [withEntry({ level: 'everything' }), /is not in the form/u],
  'deep nesting': [`${'['.repeat(200_000)}${']'.repeat(200_000)}`, /is not in the form|broken/u],
  'deep nesting in an entry': [
    good.replace('"fields": [', `"fields": [${'['.repeat(100_000)}${']'.repeat(100_000)},`),
    /is not in the form|broken/u,
  ],
  'no time': [withEntry({ approvedAt: 'yesterday' }), /is not in the form/u],
  'a time of another form': [withEntry({ approvedAt: '2026-01-02' }), /is not in the form/u],
  'an unknown effect': [withEntry({ fields: [{ path: '', effect: 'toString', value: '' }] }), /is not in the form/u],
  'an escaped form of the same text': [
    good.replace('docs-server', String.raw`docs\u002dserver`),
    /is not in the form/u,
  ],
};

describe('a record is refused, and stays unchanged, if it holds', () => {
  test.each(Object.entries(contents))('%s', (_name, [text, message]) => {
    const { paths, file } = withRecord(text);
    const before = readFileSync(file);
    expectRefused(paths, message);
    expect(() =>
      keepApprovals(paths, { workspace, level: 'always', approvals: [approval('x')], journal: () => undefined }),
    ).toThrow(refused(message));
    expect(() => revokeApprovals(paths, { workspace, revoked: () => true, journal: () => undefined })).toThrow(
      refused(message),
    );
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test.each(['/etc/passwd', '../x', 'a/../../x', 'a/..', './a', 'a//b', 'a/', '', '.', '..', 'a\0b'])(
    'the path %j',
    (path) => {
      expectRefused(withRecord(withEntry({ path })).paths, /is not in the form/u);
      expectRefused(withRecord(withEntry({ scripts: [{ path }] })).paths, /is not in the form/u);
    },
  );

  test.each(['', 'abc', sha('x').toUpperCase(), `${sha('x')}0`, '../../../../etc/shadow'])('the hash %j', (sha256) => {
    expectRefused(withRecord(withEntry({ sha256 })).paths, /is not in the form/u);
    expectRefused(withRecord(withEntry({ scripts: [{ path: 'x', sha256 }] })).paths, /is not in the form/u);
  });
});

/** Kinds of files that someone else could have planted. */
const planted: Readonly<Record<string, readonly [(file: string) => void, RegExp]>> = {
  'a symlink': [(file) => (renameSync(file, `${file}.real`), symlinkSync(`${file}.real`, file)), /is a symlink/u],
  'a symlink to nowhere': [(file) => (rmSync(file), symlinkSync('nowhere', file)), /is a symlink/u],
  'a directory': [(file) => (rmSync(file), mkdirSync(file, 0o700)), /is not a regular file/u],
  'a FIFO': [(file) => (rmSync(file), void execFileSync('mkfifo', ['-m', '600', file])), /is not a regular file/u],
  'a file that the group may write': [(file) => chmodSync(file, 0o660), /may be written by others/u],
  'a file that anyone may write': [(file) => chmodSync(file, 0o602), /may be written by others/u],
  'a file of gigabytes': [
    (file) => truncateSync(file, longestRecord * 100),
    /more than anything that Holdfast writes/u,
  ],
};
/** Only root can give files away. */
const givenAway: typeof planted =
  process.geteuid?.() === 0
    ? { 'a file of another user': [(file) => chownSync(file, 65_534, 65_534), /belongs to another user/u] }
    : {};

describe('foreign files are refused in place of a record', () => {
  test.each(Object.entries({ ...planted, ...givenAway }))('%s', (_name, [plant, message]) => {
    const { paths, file } = withRecord(good);
    expect(readTrust(paths, workspace).entries).toHaveLength(1);
    plant(file);
    expectRefused(paths, message);
  });

  test.each(Object.entries({ ...planted, ...givenAway }))(
    '%s, in place of approved bytes',
    (_name, [plant, message]) => {
      const paths = scratchPaths();
      keepApprovals(paths, { workspace, level: 'always', approvals: [approval('x')], journal: () => undefined });
      plant(join(objectsDirectory(paths), sha('x')));
      expect(() => approvedBytes(paths, sha('x'))).toThrow(refused(message));
    },
  );

  test.each(['trust', 'objects', 'session'] as const)(
    'a directory of %s that others may write to, or that is a symlink',
    (which) => {
      const paths = scratchPaths();
      for (const level of ['always', 'session'] as const)
        keepApprovals(paths, { workspace, level, approvals: [approval('x', { level })], journal: () => undefined });
      const directory = { trust: paths.trust, objects: objectsDirectory(paths), session: join(paths.runtime, 'trust') }[
        which
      ];
      const use = (): unknown => (which === 'objects' ? approvedBytes(paths, sha('x')) : readTrust(paths, workspace));
      expect(use).not.toThrow();
      chmodSync(directory, 0o770);
      expect(use).toThrow(refused(/may be written by others/u));
      chmodSync(directory, 0o700);
      renameSync(directory, `${directory}.real`);
      symlinkSync(`${directory}.real`, directory);
      expect(use).toThrow(refused(/is not a directory/u));
    },
  );
});

const name = fc
  .string({ minLength: 1, maxLength: 8, unit: 'grapheme' })
  .filter((text) => !/[/\0]|^\.{1,2}$/u.test(text) && text.isWellFormed());
const place = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
const hash = fc.string().map(sha);
const entries: fc.Arbitrary<readonly TrustEntry[]> = fc.uniqueArray(
  fc.record({
    path: place,
    sha256: hash,
    surface: fc.string({ minLength: 1 }).filter((text) => text.isWellFormed()),
    level: fc.constant('always' as const),
    approvedAt: fc
      .date({ min: new Date(0), max: new Date(9_999, 0), noInvalidDate: true })
      .map((date) => date.toISOString()),
    fields: fc.array(
      fc.record({
        path: fc.string(),
        effect: fc.constantFrom('runs' as const, 'connects' as const, 'instructs' as const),
        value: fc.string({ unit: 'binary' }),
      }),
      { maxLength: 3 },
    ),
    scripts: fc.array(fc.oneof(fc.record({ path: place }), fc.record({ path: place, sha256: hash })), { maxLength: 2 }),
  }),
  { selector: ({ path }) => path, maxLength: 4 },
);

describe('laws', () => {
  test('a record survives a round trip in both directions', () => {
    fc.assert(
      fc.property(entries, (all) => {
        const text = recordText({ version: 1, workspace, entries: all });
        const back = parseRecord({ path: 'r', bytes: Buffer.from(text) }, 'always');
        expect(back.entries).toEqual(all);
        expect(recordText(back)).toBe(text);
      }),
    );
  });

  test('a changed record is refused, or has the same meaning for each file that it still names', () => {
    const bytes = Buffer.from(good);
    fc.assert(
      fc.property(
        fc.nat(bytes.length - 1),
        fc.integer({ min: 1, max: 255 }),
        fc.constantFrom('flip', 'cut', 'double'),
        (at, change, how) => {
          const broken =
            how === 'flip'
              ? flipped(bytes, at, change)
              : how === 'cut'
                ? bytes.subarray(0, at)
                : Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.max(0, at - change))]);
          if (broken.equals(bytes)) return;
          try {
            // The parsed text must be another, canonical one, so that nothing was overlooked.
            expect(recordText(parseRecord({ path: 'r', bytes: broken }, 'always'))).toBe(broken.toString());
          } catch (error) {
            expect(error).toMatchObject({ code: 'HF_TRUST_INVALID' });
          }
        },
      ),
      { numRuns: rounds(500) },
    );
  });
});

function flipped(bytes: Buffer, at: number, change: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ change;
  return copy;
}
