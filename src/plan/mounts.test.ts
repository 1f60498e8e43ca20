import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isWithin } from './anchors.ts';
import { mountFinder } from './mount-finder.ts';
import type { Mount } from './mount.ts';
import { host } from './testing/host.ts';
import { rounds } from '../../scripts/testing/extent.ts';

const project = '/home/me/project';

describe('planMounts', () => {
  test('begins with the mounts that every box gets', () => {
    const { mounts } = host().plan();
    expect(mounts.slice(0, 8).map(({ kind, target }) => `${kind} ${target}`)).toEqual([
      'proc /proc',
      'devices /dev',
      'tmpfs /tmp',
      'tmpfs /var/tmp',
      'directory /run',
      'directory /run/lock',
      'symlink /var/run',
      'symlink /var/lock',
    ]);
    expect(mounts).toContainEqual(expect.objectContaining({ kind: 'tmpfs', target: '/tmp', mode: 0o1777 }));
  });

  test('ends with a home and the session file', () => {
    expect(host().plan().mounts.slice(-2)).toEqual([
      { kind: 'directory', target: '/home/me', mode: 0o755 },
      { kind: 'file', target: '/run/holdfast/session.json', mode: 0o444, content: '{}' },
    ]);
  });

  test('binds the workspace by its inode', () => {
    const { at, facts } = host();
    const fact = facts.paths.get(project);
    expect(at(project)).toEqual([
      {
        kind: 'bind',
        source: project,
        target: project,
        access: 'read-write',
        ownership: 'as-is',
        identity: fact?.kind === 'present' ? fact.identity : undefined,
        presence: 'required',
      },
    ]);
  });

  test('mounts of the system may vanish before the box starts, and those that the user named may not', () => {
    const { plan } = host({ policy: '[files]\nread = ["/srv/a"]\n', tree: { '/srv/a': 'directory' } });
    const presence = Object.fromEntries(
      plan().mounts.flatMap((mount) => (mount.kind === 'bind' ? [[mount.target, mount.presence]] : [])),
    );
    expect(presence).toMatchObject({
      '/usr': 'optional',
      '/etc': 'optional',
      '/srv/a': 'required',
      [project]: 'required',
    });
  });

  test.each([
    [0, 'foreign'],
    [1000, 'as-is'],
  ])('for uid %i system directories are shown %s', (uid, ownership) => {
    const { at } = host({
      uid,
      policy: '[files]\nread = ["/srv/a"]\n',
      tree: { '/srv/a': 'directory', '/sys/devices/system/cpu': 'directory' },
    });
    expect(at('/etc')).toMatchObject([{ kind: 'bind', ownership, access: 'read-only' }]);
    // Either the user named it, or the file system cannot be shown otherwise.
    for (const target of ['/srv/a', '/sys/devices/system/cpu'])
      expect(at(target)).toMatchObject([{ ownership: 'as-is' }]);
    expect(at(project)).toMatchObject([{ ownership: uid === 0 ? 'as-root' : 'as-is' }]);
  });

  test('caches are overlays, or empty where users cannot mount overlays', () => {
    const tree = { '/home/me/.npm': 'directory' } as const;
    expect(host({ tree }).at('/home/me/.npm')).toMatchObject([{ kind: 'overlay', lower: '/home/me/.npm' }]);
    expect(host({ tree, overlay: 'unavailable' }).at('/home/me/.npm')).toEqual([
      { kind: 'tmpfs', target: '/home/me/.npm', mode: 0o755, size: 0 },
    ]);
  });

  test('makes /bin the same link as on the host', () => {
    const tree = { '/bin': '-> usr/bin', '/sbin': '-> usr/bin' } as const;
    expect(host({ tree }).at('/bin')).toEqual([{ kind: 'symlink', target: '/bin', to: 'usr/bin' }]);
    expect(host({ tree }).at('/usr')).toMatchObject([{ kind: 'bind' }]);
  });

  test('makes no link inside a mount that already contains it', () => {
    const { at } = host({
      policy: '[files]\nread = ["/srv", "/srv/link"]\n',
      tree: { '/srv/link': '-> /data', '/data': 'directory' },
    });
    expect(at('/srv/link')).toEqual([]);
    expect(at('/data')).toHaveLength(1);
  });

  test('hides a path with a mask of its own kind', () => {
    const tree = { '/srv/a/file': 'file', '/srv/a/directory': 'directory', '/srv/a/socket': 'other' } as const;
    const { at } = host({
      policy: '[files]\nread = ["/srv/a"]\ndeny = ["/srv/a/file", "/srv/a/directory", "/srv/a/socket"]\n',
      tree,
    });
    for (const [target, type] of Object.entries(tree)) expect(at(target)).toEqual([{ kind: 'mask', target, type }]);
  });

  test('gives /tmp and /dev/shm the size that the policy allows', () => {
    const { at } = host({ policy: '[limits]\ntmp = "1MiB"\n' });
    expect(at('/tmp')).toMatchObject([{ size: 1 << 20 }]);
    expect(at('/var/tmp')).toMatchObject([{ size: 1 << 20 }]);
    expect(at('/dev')).toMatchObject([{ shmSize: 1 << 20 }]);
  });
});

/** The mount that the box sees at a path after all mounts, by their order. */
function seen(mounts: readonly Mount[], path: string): string {
  const over = mountFinder(mounts)(path);
  if (over === undefined || over.kind === 'mask' || over.kind === 'directory') return 'none';
  return over.kind === 'bind' ? over.access : over.kind === 'overlay' ? 'ephemeral' : over.kind;
}

describe('a grant inside a path that is closed as a whole', () => {
  const rules = (decision: string): string =>
    `[[file]]\nname = "a"\ndecision = "allow"\npaths = ["notes/today"]\n[[file]]\nname = "b"\ndecision = "${decision}"\npaths = ["notes"]\n`;
  const tree = { [`${project}/notes`]: 'directory', [`${project}/notes/today`]: 'file' } as const;

  test.each(['deny', 'ask'])('is refused with a message, before a box is built: %s', (decision) => {
    expect(() => host({ policy: rules(decision), tree }).plan()).toThrow(
      expect.objectContaining({
        code: 'HF_POLICY_INVALID',
        message: `${project}/notes/today is granted, but the policy denies or asks about all of ${project}/notes: a box cannot get a part of it`,
      }),
    );
  });

  test('is accepted where reading is open, or where the closed path is not mounted anyway', () => {
    const written = rules('ask').replaceAll('paths', 'operations = ["write"]\npaths');
    expect(host({ policy: written, tree }).at(`${project}/notes/today`)).toMatchObject([
      { kind: 'bind', access: 'read-write' },
    ]);
    const elsewhere = rules('deny').replaceAll('notes', '/srv/notes');
    expect(
      host({ policy: elsewhere, tree: { '/srv/notes': 'directory', '/srv/notes/today': 'file' } }).at(
        '/srv/notes/today',
      ),
    ).toMatchObject([{ kind: 'bind' }]);
  });
});

describe('for any policy', () => {
  const names = ['a', 'b', 'c'];
  const path = fc
    .array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 })
    .map((parts) => `/srv/${parts.join('/')}`);
  const list = fc.uniqueArray(path, { maxLength: 4 });
  const tree = Object.fromEntries(
    names.flatMap((x) => names.flatMap((y) => names.map((z) => [`/srv/${x}/${y}/${z}`, 'directory'] as const))),
  );

  test('every place has exactly the access of its nearest named ancestor', () => {
    fc.assert(
      fc.property(list, list, list, (read, write, deny) => {
        const covers = (paths: readonly string[], place: string) => paths.some((named) => isWithin(place, named));
        // A policy whose denial covers a whole grant is invalid. Another test covers that.
        fc.pre([...read, ...write].every((granted) => !covers(deny, granted)));
        const { mounts } = host({
          tree,
          policy: `[files]\nread = ${JSON.stringify(read)}\nwrite = ${JSON.stringify(write)}\ndeny = ${JSON.stringify(deny)}\n`,
        }).plan();
        for (const place of Object.keys(tree)) {
          const expected = covers(deny, place)
            ? 'none'
            : covers(write, place)
              ? 'read-write'
              : covers(read, place)
                ? 'read-only'
                : 'none';
          expect([place, seen(mounts, place)]).toEqual([place, expected]);
        }
        expectParentsFirst(mounts);
      }),
      { numRuns: rounds(200) },
    );
  });
});

/** A later mount around an earlier one would hide it. The home and the files may be made only where no mount is. */
function expectParentsFirst(mounts: readonly Mount[]): void {
  const targets = mounts.flatMap(({ kind, target }) => (kind === 'directory' || kind === 'file' ? [] : [target]));
  expect(new Set(targets).size).toBe(targets.length);
  for (const [index, target] of targets.entries())
    expect(targets.slice(0, index).filter((earlier) => isWithin(earlier, target))).toEqual([]);
}
