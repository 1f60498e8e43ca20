import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { approval, scratchPaths, workspace } from '../testing/scratch.ts';
import { sha } from '../testing/values.ts';
import type { TrustEntry, TrustLevel } from '../types.ts';
import { approvedBytes } from './approvals-of.ts';
import { type TrustGrant, keepApprovals, revokeApprovals } from './change-trust.ts';
import { recordName, type TrustPaths } from './layout.ts';
import { readTrust } from './read-trust.ts';

const nothing = (): undefined => undefined;

function keep(paths: TrustPaths, approvals: readonly TrustGrant[], level: TrustLevel = 'always'): void {
  keepApprovals(paths, { workspace, level, approvals, journal: nothing });
}

function revoke(paths: TrustPaths, revoked: (entry: TrustEntry) => boolean): readonly TrustEntry[] {
  return revokeApprovals(paths, { workspace, revoked, journal: nothing });
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o7777;
}

describe('the record of approvals', () => {
  test('is empty at first, and creates no file', () => {
    const paths = scratchPaths();
    expect(readTrust(paths, workspace)).toEqual({ version: 1, workspace, entries: [] });
    expect(readdirSync(paths.root)).toEqual([]);
  });

  test('is read as it was written, with the bytes', () => {
    const paths = scratchPaths();
    const [one, two] = [
      approval('one', { path: 'b' }),
      approval('two', { path: 'a', scripts: [{ path: 's/x.sh', sha256: sha('s') }, { path: 'gone.sh' }] }),
    ];
    keep(paths, [one, two]);
    expect(readTrust(paths, workspace).entries).toEqual([two.entry, one.entry]);
    expect(approvedBytes(paths, sha('one')).toString()).toBe('one');
  });

  test('is readable by its user alone', () => {
    const paths = scratchPaths();
    keep(paths, [approval('one')]);
    keep(paths, [approval('two', { level: 'session' })], 'session');
    const name = recordName(workspace);
    expect([paths.trust, join(paths.trust, 'objects'), join(paths.runtime, 'trust')].map(modeOf)).toEqual([
      0o700, 0o700, 0o700,
    ]);
    expect(
      [join(paths.trust, name), join(paths.runtime, 'trust', name), join(paths.trust, 'objects', sha('one'))].map(
        modeOf,
      ),
    ).toEqual([0o600, 0o600, 0o400]);
  });

  test('belongs to one workspace', () => {
    const paths = scratchPaths();
    keep(paths, [approval('one')]);
    expect(readTrust(paths, '/home/dev/other').entries).toEqual([]);
  });

  test('replaces an approval of the same path at the same level', () => {
    const paths = scratchPaths();
    keep(paths, [approval('one')]);
    keep(paths, [approval('two')]);
    keep(paths, [approval('three', { level: 'session' })], 'session');
    expect(readTrust(paths, workspace).entries.map(({ sha256, level }) => [sha256, level])).toEqual([
      [sha('three'), 'session'],
      [sha('two'), 'always'],
    ]);
  });

  test('is not written when the journal cannot be written', () => {
    const paths = scratchPaths();
    const journal = (): never => {
      throw new Error('full');
    };
    expect(() => keepApprovals(paths, { workspace, level: 'always', approvals: [approval('one')], journal })).toThrow();
    expect(readTrust(paths, workspace).entries).toEqual([]);
    keep(paths, [approval('one')]);
    expect(() => revokeApprovals(paths, { workspace, revoked: () => true, journal })).toThrow();
    expect(readTrust(paths, workspace).entries).toHaveLength(1);
  });
});

describe('revoking', () => {
  test('removes entries and bytes of both levels, and returns the entries', () => {
    const paths = scratchPaths();
    keep(paths, [approval('one', { path: 'a' }), approval('two', { path: 'b' })]);
    keep(paths, [approval('three', { path: 'a', level: 'session' })], 'session');
    expect(revoke(paths, ({ path }) => path === 'a').map(({ sha256 }) => sha256)).toEqual([sha('three'), sha('one')]);
    expect(readTrust(paths, workspace).entries.map(({ path }) => path)).toEqual(['b']);
    expect(readdirSync(join(paths.trust, 'objects'))).toEqual([sha('two')]);
  });

  test('leaves no record without entries', () => {
    const paths = scratchPaths();
    keep(paths, [approval('one')]);
    revoke(paths, () => true);
    expect(readdirSync(paths.trust)).toEqual(['objects']);
    expect(() => approvedBytes(paths, sha('one'))).toThrow(expect.objectContaining({ code: 'HF_TRUST_INVALID' }));
  });

  test('of an unapproved file returns nothing, and leaves no trace', () => {
    const paths = scratchPaths();
    expect(revoke(paths, () => true)).toEqual([]);
    expect(readdirSync(paths.root)).toEqual([]);
  });

  test('keeps bytes that another workspace has approved', () => {
    const paths = scratchPaths();
    keep(paths, [approval('shared')]);
    keepApprovals(paths, {
      workspace: '/home/dev/other',
      level: 'always',
      approvals: [approval('shared')],
      journal: nothing,
    });
    revoke(paths, () => true);
    expect(approvedBytes(paths, sha('shared')).toString()).toBe('shared');
  });

  test('removes no bytes while a record cannot be read', () => {
    const paths = scratchPaths();
    keep(paths, [approval('one', { path: 'a' }), approval('two', { path: 'b' })]);
    writeFileSync(join(paths.trust, `${'0'.repeat(32)}.json`), 'half a rec', { mode: 0o600 });
    revoke(paths, ({ path }) => path === 'a');
    expect(readdirSync(join(paths.trust, 'objects')).toSorted()).toEqual([sha('one'), sha('two')].toSorted());
  });

  test('of a file removes the bytes of its scripts', () => {
    const paths = scratchPaths();
    const { entry, contents } = approval('one', { scripts: [{ path: 'x.sh', sha256: sha('echo') }] });
    keep(paths, [{ entry, contents: new Map([...contents, [sha('echo'), Buffer.from('echo')]]) }]);
    expect(approvedBytes(paths, sha('echo')).toString()).toBe('echo');
    revoke(paths, () => true);
    expect(readdirSync(join(paths.trust, 'objects'))).toEqual([]);
  });
});

describe('a crash', () => {
  test.each(['record', 'object'])(
    'in the middle of a %s leaves the old state, and the next change cleans up',
    (what) => {
      const paths = scratchPaths();
      keep(paths, [approval('one', { path: 'a' })]);
      writeFileSync(
        what === 'record'
          ? join(paths.trust, `${recordName(workspace)}.new`)
          : join(paths.trust, 'objects', `${sha('two')}.new`),
        '{"ver',
        { mode: 0o600 },
      );
      expect(readTrust(paths, workspace).entries).toHaveLength(1);
      keep(paths, [approval('two', { path: 'b' })]);
      expect(readTrust(paths, workspace).entries).toHaveLength(2);
      expect(
        [...readdirSync(paths.trust), ...readdirSync(join(paths.trust, 'objects'))].filter((name) =>
          name.endsWith('.new'),
        ),
      ).toEqual([]);
    },
  );
});

test('concurrent approvals of several processes lose nothing', async () => {
  const paths = scratchPaths();
  const [processes, each] = [4, 5];
  const program = join(import.meta.dirname, '../testing/approver.ts');
  const children = Array.from({ length: processes }, (_, index) =>
    spawn(process.execPath, [program, paths.trust, paths.runtime, `p${index}`, String(each)], { stdio: 'inherit' }),
  );
  expect(await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0] as unknown))).toEqual(
    children.map(() => 0),
  );
  const expected = Array.from({ length: processes }, (_, index) =>
    Array.from({ length: each }, (_unused, at) => `p${index}-${at}.md`),
  ).flat();
  const { entries } = readTrust(paths, workspace);
  expect(entries.map(({ path }) => path)).toEqual(expected.toSorted());
  expect(entries.map(({ sha256 }) => approvedBytes(paths, sha256).toString())).toEqual(entries.map(({ path }) => path));
});

test('changed bytes are never returned', () => {
  const paths = scratchPaths();
  keep(paths, [approval('one')]);
  const object = join(paths.trust, 'objects', sha('one'));
  chmodSync(object, 0o600);
  writeFileSync(object, 'two');
  expect(() => approvedBytes(paths, sha('one'))).toThrow(/other bytes than were approved/u);
  expect(readFileSync(object, 'utf8')).toBe('two');
  // Approving the same bytes again restores them.
  keep(paths, [approval('one')]);
  expect(approvedBytes(paths, sha('one')).toString()).toBe('one');
});

test.each(['../../../etc/passwd', '', sha('x').toUpperCase(), `${sha('x')}\n`, `objects/${sha('x')}`])(
  '%j names no approved bytes',
  (name) => {
    const paths = scratchPaths();
    mkdirSync(join(paths.trust, 'objects'), { recursive: true, mode: 0o700 });
    expect(() => approvedBytes(paths, name)).toThrow(/is not a SHA-256/u);
  },
);

test('a file in place of a directory is named in the error', () => {
  const paths = scratchPaths();
  writeFileSync(join(paths.root, 'run'), '');
  expect(() => keep(paths, [approval('one', { level: 'session' })], 'session')).toThrow(
    expect.objectContaining({
      code: 'HF_TRUST_INVALID',
      message: expect.stringContaining(join(paths.root, 'run')) as unknown,
    }),
  );
});
