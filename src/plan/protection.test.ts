import { describe, expect, test } from 'vitest';
import type { BindMount, Mount } from './mount.ts';
import { holdNames } from './protection.ts';
import { host } from './testing/host.ts';

const names = (policy?: string) => host(policy === undefined ? {} : { policy }).plan().protection.names;
const chain = (components: string, policy?: string) =>
  names(policy).filter((name) => name.components.join('/') === components && name.effect !== 'suspect');

describe('planProtection', () => {
  test('protects git, agents, editors and shells, and hides secrets, by default', () => {
    for (const components of ['.git/hooks', '.git/config', '.claude', '.vscode', '.github/workflows', '.envrc'])
      expect(chain(components)).toMatchObject([{ effect: 'read-only' }]);
    expect(chain('.git')).toMatchObject([{ effect: 'pinned' }]);
    expect(
      names().filter(({ effect, components }) => effect === 'hidden' && components.join('/').startsWith('.env')),
    ).not.toEqual([]);
  });

  test('the launcher accepts every name: one to eight components, none empty and none with a slash', () => {
    for (const { components, except } of names()) {
      expect(components.length).toBeGreaterThan(0);
      expect(components.length).toBeLessThanOrEqual(8);
      expect(except.length).toBeLessThanOrEqual(8);
      expect(components.every((component) => component !== '' && !component.includes('/') && component !== '**')).toBe(
        true,
      );
    }
  });

  test('searches every writable directory of the host, once', () => {
    const policy = '[files]\nwrite = ["/srv/a", "/srv/a/b", "/srv/ab", "/srv/file"]\nread = ["/srv/c"]\n';
    const tree = {
      '/srv/a/b': 'directory',
      '/srv/ab': 'directory',
      '/srv/file': 'file',
      '/srv/c': 'directory',
      '/home/me/.npm': 'directory',
    } as const;
    expect(host({ policy, tree }).plan().protection.roots.toSorted()).toEqual([
      '/home/me/project',
      '/srv/a',
      '/srv/ab',
    ]);
  });

  test('searches a writable directory below a read-only one', () => {
    const policy = '[files]\nread = ["/srv/a"]\nwrite = ["/srv/a/b"]\n';
    expect(host({ policy, tree: { '/srv/a/b': 'directory' } }).plan().protection.roots).toContain('/srv/a/b');
  });

  test('a glob of the user is searched by its components', () => {
    expect(chain('secrets/*.key', '[files]\ndeny = ["**/secrets/*.key"]\n')).toEqual([
      {
        components: ['secrets', '*.key'],
        effect: 'hidden',
        except: [],
        scope: 'anywhere',
        reason: expect.stringContaining('files.deny'),
      },
    ]);
    expect(chain('generated', '[files]\nprotect = ["**/generated/**"]\n')).toMatchObject([{ effect: 'read-only' }]);
  });

  test('a glob that the kernel cannot enforce is refused, with an alternative', () => {
    for (const [pattern, instead] of [
      ['~/project/*/x', '**/project/*/x'],
      ['**/a/**/b', '**/b'],
      ['/srv/*/x', '**/srv/*/x'],
    ] as const) {
      expect(() => names(`[files]\ndeny = ["${pattern}"]\n`)).toThrow(
        expect.objectContaining({
          code: 'HF_POLICY_INVALID',
          message: expect.stringContaining(
            `"${pattern}" in files.deny[0] cannot be enforced by the kernel; write "${instead}"`,
          ),
        }),
      );
      expect(chain(instead.slice('**/'.length), `[files]\ndeny = ["${instead}"]\n`)).toHaveLength(1);
    }
  });

  test('an escaped wildcard is literal in the search, or matches a little more', () => {
    expect(chain('{a}/b?', "[files]\ndeny = ['**/\\{a\\}/b\\*']\n")).toMatchObject([{ effect: 'hidden' }]);
  });

  test('a release removes a name or one path', () => {
    expect(chain('.vscode', '[files]\nrelease = ["**/.vscode"]\n')).toEqual([]);
    const { released, names: kept } = host({ policy: '[files]\nrelease = ["~/project/.vscode"]\n' }).plan().protection;
    expect(released).toEqual(['/home/me/project/.vscode']);
    expect(kept.map(({ components }) => components.join('/'))).toContain('.vscode');
  });
});

describe('a release', () => {
  const released = (policy: string, project?: string) =>
    host(project === undefined ? { policy } : { policy, project }).plan().protection.released;

  // Attack: a user's release of a protected name would lift the denial by a project or an administrator of the same
  // name.
  test.each([
    '[files]\ndeny = ["**/.env"]\n',
    '[files]\nprotect = ["**/.env"]\n',
    '[[file]]\nname = "r"\ndecision = "deny"\npaths = ["**/.env"]\n',
    '[[file]]\nname = "r"\ndecision = "deny"\npaths = ["**/.env"]\noperations = ["write"]\n',
  ])('does not undo a denial by another policy: %j', (project) => {
    expect(released('[files]\nrelease = [".env", ".vscode"]\n')).toEqual([
      '/home/me/project/.env',
      '/home/me/project/.vscode',
    ]);
    expect(released('[files]\nrelease = [".env", ".vscode"]\n', project)).toEqual(['/home/me/project/.vscode']);
  });

  test('of a policy file is refused', () => {
    for (const name of ['holdfast.toml', 'sub/holdfast.toml', '.holdfast'])
      expect(() => released(`[files]\nrelease = ["${name}"]\n`)).toThrow(
        expect.objectContaining({ message: expect.stringContaining('policy files are never released') }),
      );
  });
});

describe('a path that the user shows read-only', () => {
  const tree = {
    '/srv/shown': 'directory',
    '/home/me/.npm': 'directory',
    '/home/me/.rustup': 'directory',
    '/srv/file': 'file',
  } as const;

  test('is searched for hidden names too, and never swept', () => {
    const { protection } = host({ tree, policy: '[files]\nread = ["/srv/shown", "/srv/file"]\n' }).plan();
    expect(protection.shownRoots).toEqual(['/srv/shown']);
    expect(protection.roots).not.toContain('/srv/shown');
  });

  test('is searched too when its writes are discarded', () => {
    expect(host({ tree, policy: '[files]\nephemeral = ["/srv/shown"]\n' }).plan().protection.shownRoots).toEqual([
      '/srv/shown',
    ]);
  });

  test('is not a default path, nor one in a writable root', () => {
    expect(host({ tree }).plan().protection.shownRoots).toEqual([]);
    expect(host({ tree, policy: '[files]\nread = ["~/project/sub"]\n' }).plan().protection.shownRoots).toEqual([]);
  });

  test.each(['write = []', 'write = ["out"]', 'protect = ["~/project"]'])(
    'and the workspace, when %s makes it read-only',
    (line) => {
      const { protection } = host({
        tree: { ...tree, '/home/me/project/out': 'directory' },
        policy: `[files]\n${line}\n`,
      }).plan();
      expect([...protection.roots, ...protection.shownRoots]).toContain('/home/me/project');
    },
  );

  test('the whole home, with every store and history that a pattern names', () => {
    const { protection } = host({ tree, policy: '[files]\nread = ["~"]\n' }).plan();
    expect(protection.shownRoots).toEqual(['/home/me']);
    const hidden = protection.names.flatMap(({ effect, components }) =>
      effect === 'hidden' ? [components.join('/')] : [],
    );
    expect(hidden).toEqual(expect.arrayContaining(['.config/nushell/history*', '.cargo/credentials*']));
  });
});

test('programs that git would run are read-only where the box could write them', () => {
  const gitPrograms = ['/home/me/project/tools/hooks', '/home/me/project', '/usr/bin/vim', '/home/me/projects/x'];
  expect(host({ gitPrograms }).plan().protection.guarded).toEqual(['/home/me/project/tools/hooks']);
});

test('sockets that the policy names are not hidden', () => {
  const policy =
    '[sockets]\nallow = ["/srv/a.sock", "~/project/b.sock", "@abstract"]\n[files]\nread = ["/srv/c.sock"]\n';
  const { released } = host({ policy, tree: { '/srv/c.sock': 'other' } }).plan().protection;
  expect(released).toEqual(expect.arrayContaining(['/srv/a.sock', '/home/me/project/b.sock', '/srv/c.sock']));
  expect(
    host()
      .plan()
      .protection.released.filter((path) => path.endsWith('.sock')),
  ).toEqual([]);
});

const bind = (target: string, changes: Partial<BindMount> = {}): BindMount => ({
  kind: 'bind',
  source: target,
  target,
  access: 'read-only',
  ownership: 'as-is',
  identity: { device: '1', inode: '1', type: 'directory' },
  presence: 'required',
  ...changes,
});
const mask = (target: string): Mount => ({ kind: 'mask', target, type: 'file' });

test.each<[string, readonly Mount[], readonly string[]]>([
  ['a shown directory', [bind('/shown'), bind('/other')], ['/shown']],
  ['a mount inside it', [bind('/shown'), bind('/shown/a')], ['/shown', '/shown/a']],
  ['a mount that contains a mask', [bind('/tools'), mask('/tools/x/key')], ['/tools']],
  ['no directory beside a mask', [bind('/tools'), mask('/tools-key')], []],
  ['no file', [bind('/shown', { identity: { device: '1', inode: '1', type: 'file' } })], []],
  ['no writable mount', [bind('/shown', { access: 'read-write' })], []],
  ['no mount of the system', [bind('/etc', { ownership: 'foreign' }), mask('/etc/shadow')], []],
])('holds the names of %s', (_, mounts, held) => {
  const after = holdNames(mounts, { shownRoots: ['/shown'] });
  expect(after.flatMap((mount) => (mount.kind === 'bind' && mount.names === 'held' ? [mount.target] : []))).toEqual(
    held,
  );
});
