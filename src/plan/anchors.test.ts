import { describe, expect, test } from 'vitest';
import { isWithin } from './anchors.ts';
import { host, type HostOptions } from './testing/host.ts';

/** `access path` for every anchor at or below one of the paths. */
function accessIn(options: HostOptions, ...places: readonly string[]): readonly string[] {
  return host(options)
    .anchors()
    .flatMap(({ path, access }) => (places.some((place) => isWithin(path, place)) ? [`${access} ${path}`] : []));
}

describe('isWithin', () => {
  test.each([
    ['/a', '/a', true],
    ['/a/b', '/a', true],
    ['/ab', '/a', false],
    ['/a', '/a/b', false],
    ['/a', '/', true],
    ['/', '/', true],
  ])('%s in %s: %s', (path, directory, expected) => {
    expect(isWithin(path, directory)).toBe(expected);
  });
});

describe('resolveAnchors', () => {
  test('gives existing paths, parents before children, with the access of the policy', () => {
    const policy = '[files]\nread = ["/srv/a"]\nwrite = ["/srv/a/b"]\ndeny = ["/srv/a/b/c", "/srv/missing"]\n';
    const tree = { '/srv/a/b/c': 'directory', '/srv/a/file': 'file' } as const;
    expect(accessIn({ policy, tree }, '/srv')).toEqual(['read-only /srv/a', 'read-write /srv/a/b', 'none /srv/a/b/c']);
  });

  test('the workspace is writable, and the home around it is no anchor', () => {
    expect(accessIn({}, '/home/me')).toEqual(['read-write /home/me/project']);
  });

  test('caches are ephemeral where they exist', () => {
    expect(accessIn({ tree: { '/home/me/.npm': 'directory' } }, '/home/me/.npm')).toEqual(['ephemeral /home/me/.npm']);
  });

  test('credential stores are hidden even where their directory is granted', () => {
    const policy = '[files]\nread = ["~"]\n';
    const tree = { '/home/me/.ssh': 'directory', '/home/me/.aws': 'directory' } as const;
    expect(accessIn({ policy, tree }, '/home/me')).toEqual(
      expect.arrayContaining(['read-only /home/me', 'none /home/me/.ssh', 'none /home/me/.aws']),
    );
  });

  test('own directories are hidden anywhere', () => {
    const policy = '[files]\nwrite = ["~/.local"]\n';
    expect(accessIn({ policy, tree: { '/home/me/.local/state/holdfast': 'directory' } }, '/home/me/.local')).toContain(
      'none /home/me/.local/state/holdfast',
    );
  });

  test('a project narrows and cannot widen', () => {
    const tree = { '/srv/a': 'directory', '/srv/b': 'directory' } as const;
    const policy = '[files]\nread = ["/srv/a"]\n';
    expect(accessIn({ tree, policy, project: '[files]\ndeny = ["/srv/a"]\n' }, '/srv')).toEqual(['none /srv/a']);
    expect(accessIn({ tree, policy, project: '[files]\nread = ["/srv/b"]\n' }, '/srv/b')).not.toContain(
      'read-only /srv/b',
    );
  });

  test('the git directory of a linked worktree is writable, and the box cannot replace it', () => {
    const workspace = { root: '/home/me/tree', cwd: '/home/me/tree', gitDirectories: ['/home/me/main/.git'] };
    expect(
      accessIn({ workspace, tree: { '/home/me/tree': 'directory', '/home/me/main/.git': 'directory' } }, '/home/me'),
    ).toEqual(['read-write /home/me/main/.git', 'read-write /home/me/tree']);
  });

  test('directories that every box gets of its own never come from the host', () => {
    const policy = '[files]\nwrite = ["/tmp", "/dev", "/run", "/proc", "/var/tmp"]\n';
    const tree = {
      '/tmp': 'directory',
      '/dev': 'directory',
      '/run': 'directory',
      '/proc': 'directory',
      '/var/tmp': 'directory',
    } as const;
    const { plan } = host({ policy, tree });
    expect(plan().mounts.filter(({ kind, target }) => kind === 'bind' && Object.keys(tree).includes(target))).toEqual(
      [],
    );
  });

  // Attack: every layer allows writing to the box's own /tmp, so a project could name a host directory in /tmp and get
  // it.
  test.each(['/tmp/victim', '/var/tmp/victim', '/dev/shm', '/run/user/1000/bus', '/proc/1'])(
    'a project that names %s does not bring the host’s directory into the box',
    (victim) => {
      const project = `[files]\nread = ["${victim}"]\nwrite = ["${victim}", "."]\n`;
      expect(
        host({ project, tree: { [victim]: 'directory' } })
          .at(victim)
          .filter(({ kind }) => kind === 'bind' || kind === 'overlay'),
      ).toEqual([]);
    },
  );

  test('a project may narrow a user’s grant inside them', () => {
    const tree = { '/tmp/data/secret': 'directory' } as const;
    const { at } = host({
      policy: '[files]\nread = ["/tmp/data"]\n',
      project: '[files]\ndeny = ["/tmp/data/secret"]\n',
      tree,
    });
    expect(at('/tmp/data')).toMatchObject([{ kind: 'bind', access: 'read-only' }]);
    expect(at('/tmp/data/secret')).toMatchObject([{ kind: 'mask' }]);
  });

  test('a grant inside them is mounted', () => {
    const policy = '[files]\nread = ["/tmp/data"]\n';
    expect(accessIn({ policy, tree: { '/tmp/data': 'directory' } }, '/tmp')).toEqual(['read-only /tmp/data']);
  });
});

describe('links', () => {
  test('a grant that names a link is mounted at the link’s target', () => {
    const { plan } = host({
      policy: '[files]\nread = ["/srv/link"]\n',
      tree: { '/srv/link': '-> ../data/real', '/data/real': 'directory' },
    });
    expect(plan().mounts).toContainEqual(
      expect.objectContaining({ kind: 'bind', target: '/data/real', access: 'read-only' }),
    );
    expect(plan().mounts).toContainEqual({ kind: 'symlink', target: '/srv/link', to: '../data/real' });
  });

  // Attack: a careless grant names a link to a credential store.
  test('a grant through a link to a denied path grants nothing', () => {
    expect(
      accessIn(
        {
          policy: '[files]\nread = ["/srv/link"]\n',
          tree: { '/srv/link': '-> /home/me/.ssh', '/home/me/.ssh': 'directory' },
        },
        '/srv',
      ),
    ).toEqual(['none /srv/link']);
  });

  // Attack: the grant is a link to a directory that contains a name that is denied by its real path.
  test('a denial holds inside the target of a granted link', () => {
    const { at } = host({
      policy: '[files]\nread = ["/srv/link"]\ndeny = ["/data/secret"]\n',
      tree: { '/srv/link': '-> /data', '/data/secret': 'directory' },
    });
    expect(at('/data')).toMatchObject([{ kind: 'bind', access: 'read-only' }]);
    expect(at('/data/secret')).toEqual([{ kind: 'mask', target: '/data/secret', type: 'directory' }]);
  });

  // Attack: a credential store in a repository of settings is open while that repository is the workspace.
  test('a store that is a link into the workspace is hidden there', () => {
    const { at } = host({ tree: { '/home/me/.aws': '-> project/aws', '/home/me/project/aws': 'directory' } });
    expect(at('/home/me/project/aws')).toEqual([{ kind: 'mask', target: '/home/me/project/aws', type: 'directory' }]);
  });

  // Attack, in two runs: the first box turns a directory into a link, so that the second one mounts the link's target.
  test.each([
    [
      'in the workspace',
      '~/project/data',
      { '/home/me/project/data': '-> /home/me/private', '/home/me/private': 'directory' },
    ],
    [
      'on the way',
      '~/project/a/data',
      { '/home/me/project/a': '-> /home/me/private', '/home/me/private/data': 'directory' },
    ],
  ] as const)('a link %s, which a box could have made, is refused by name', (_where, path, tree) => {
    expect(() => host({ policy: `[files]\nread = ["${path}"]\n`, tree }).plan()).toThrow(
      expect.objectContaining({
        code: 'HF_ROOT_CHANGED',
        message: expect.stringContaining('/home/me/project/'),
        remedy: expect.stringContaining('/home/me/private'),
      }),
    );
  });

  test('also in a writable root that has itself the name of a link', () => {
    const tree = {
      '/home/me/link': '-> /data/w',
      '/data/w/x': '-> /home/me/private',
      '/home/me/private': 'directory',
    } as const;
    expect(() => host({ policy: '[files]\nwrite = ["~/link"]\nread = ["/data/w/x"]\n', tree }).plan()).toThrow(
      expect.objectContaining({ code: 'HF_ROOT_CHANGED' }),
    );
    expect(() => host({ policy: '[files]\nwrite = ["~/link"]\nread = ["~/link/x"]\n', tree }).plan()).toThrow(
      expect.objectContaining({ code: 'HF_ROOT_CHANGED' }),
    );
  });

  test('a link in a cache is accepted: writes there end with the box', () => {
    const tree = { '/home/me/.npm': 'directory', '/home/me/.npm/x': '-> /srv/x', '/srv/x': 'directory' } as const;
    expect(() => host({ policy: '[files]\nread = ["~/.npm/x"]\n', tree }).plan()).not.toThrow();
  });

  test('of two names for one place, the stricter holds', () => {
    const tree = { '/srv/one': '-> /data', '/data': 'directory' } as const;
    const { at } = host({ policy: '[files]\nwrite = ["/srv/one"]\nread = ["/data"]\n', tree });
    expect(at('/data')).toMatchObject([{ kind: 'bind', access: 'read-only' }]);
  });
});
