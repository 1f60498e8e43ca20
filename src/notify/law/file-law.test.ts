import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Mount } from '../../plan/mount.ts';
import type { ProtectedName, Protection } from '../../plan/types.ts';
import { policyIn } from '../testing/policy-in.ts';
import { fileLaw, type FileLaw, type HostGround } from './file-law.ts';
import { matchComponent } from './match-names.ts';

const identity = { device: '1', inode: '1', type: 'directory' } as const;
const bind = (target: string, access: 'read-only' | 'read-write'): Mount => ({
  kind: 'bind',
  source: target,
  target,
  access,
  ownership: 'as-is',
  identity,
  presence: 'required',
});
const named = (
  components: readonly string[],
  effect: ProtectedName['effect'],
  except: readonly string[] = [],
): ProtectedName => ({ components, effect, except, scope: 'anywhere', reason: 'test' });
const mounts: readonly Mount[] = [
  bind('/usr', 'read-only'),
  bind('/ws', 'read-write'),
  bind('/ws/vendor', 'read-only'),
  { kind: 'mask', target: '/ws/masked', type: 'file' },
  { kind: 'proc', target: '/proc' },
];
const protection: Protection = {
  roots: ['/ws'],
  shownRoots: [],
  gitDirectories: ['/ws/bare'],
  names: [
    named(['.env*'], 'hidden', ['.env.example']),
    named(['.git'], 'pinned'),
    named(['.git', 'hooks'], 'read-only'),
    named(['AGENTS.md'], 'withheld'),
  ],
  guarded: ['/ws/run-me'],
  released: ['/ws/open/.env'],
  withholding: ['/ws'],
  approved: ['/ws/ok/AGENTS.md'],
};

function law(origin: HostGround['origin'] = () => 'host', policy = ''): FileLaw {
  return fileLaw({
    policy: policyIn('/ws', policy),
    mounts,
    protection,
    ground: { origin, isGitDirectory: (path) => path === '/ws/other', isInNewRepository: () => false },
    found: [
      { path: '/ws/alias', how: 'hidden' },
      { path: '/ws/config', how: 'fixed' },
    ],
  });
}

const says = (one: FileLaw, operation: Parameters<FileLaw['rule']>[0], path: string): string => {
  const ruling = one.rule(operation, path);
  return ruling.kind === 'refused' ? ruling.how : ruling.kind;
};

test('a directory above a denied path is not moved away', () => {
  const listed = law(() => 'host', '[files]\ndeny = ["/ws/closed/below"]');
  expect(['/ws/closed', '/ws/closed/below', '/ws/other'].map((path) => says(listed, 'move', path))).toEqual([
    'pinned',
    'pinned',
    'granted',
  ]);
});

describe('the access of a box without mounts to a path', () => {
  test.each([
    ['read', '/etc/passwd', 'absent'],
    ['read', '/usr/bin/env', 'granted'],
    ['write', '/usr/bin/env', 'fixed'],
    ['read', '/usrx', 'absent'],
    ['read', '/proc/1/mem', 'processes'],
    ['write', '/ws/a', 'granted'],
    ['write', '/ws/vendor/a', 'fixed'],
    ['move', '/ws/vendor', 'fixed'],
    ['read', '/ws/masked', 'hidden'],
    ['read', '/ws/masked/x', 'hidden'],
    ['read', '/ws/.env', 'hidden'],
    ['read', '/ws/a/.ENV.local', 'hidden'],
    ['read', '/ws/.env.example', 'granted'],
    ['read', '/ws/open/.env', 'granted'],
    ['read', '/ws/.env/x', 'hidden'],
    ['read', '/ws/.git/hooks/x', 'granted'],
    ['write', '/ws/.git/hooks/x', 'fixed'],
    ['write', '/ws/.GIT/Hooks/x', 'fixed'],
    ['write', '/ws/.git/index', 'granted'],
    ['move', '/ws/.git', 'pinned'],
    ['delete', '/ws/a/.git', 'pinned'],
    ['write', '/ws/bare/hooks/x', 'fixed'],
    ['write', '/ws/other/hooks/x', 'fixed'],
    ['write', '/ws/elsewhere/hooks/x', 'granted'],
    ['read', '/ws/AGENTS.md', 'hidden'],
    ['read', '/ws/ok/AGENTS.md', 'granted'],
    ['read', '/ws/node_modules/x/AGENTS.md', 'granted'],
    ['read', '/ws/.git/refs/heads/AGENTS.md', 'granted'],
    ['write', '/ws/run-me', 'fixed'],
    ['write', '/ws/run-me/x', 'fixed'],
    ['read', '/ws/alias', 'hidden'],
    ['write', '/ws/config/x', 'fixed'],
    ['read', '/ws/config/x', 'granted'],
  ] as const)('%s %s: %s', (operation, path, expected) => {
    expect(says(law(), operation, path)).toBe(expected);
  });

  test('a file of the box is its own, except a hook that only someone else runs', () => {
    const own = law((path) =>
      path.startsWith('/ws/n/.git') || path === '/ws/AGENTS.md' || path === '/ws/.env' ? 'box' : 'absent',
    );
    expect(['/ws/AGENTS.md', '/ws/.env', '/ws/n/.git/hooks/x'].map((path) => says(own, 'write', path))).toEqual([
      'granted',
      'granted',
      'granted',
    ]);
    expect([
      says(own, 'create', '/ws/n/.git/hooks/pre-commit'),
      says(own, 'create', '/ws/n/.git/hooks/a.sample'),
    ]).toEqual(['fixed', 'granted']);
  });

  test('makes new names where git makes them, and nowhere else', () => {
    const empty = law(() => 'absent');
    expect(
      ['/ws/x/.git', '/ws/x/.git/hooks', '/ws/x/.Git', '/ws/.env', '/ws/x/AGENTS.md'].map((path) =>
        says(empty, 'create', path),
      ),
    ).toEqual(['granted', 'granted', 'fixed', 'hidden', 'granted']);
    expect(says(empty, 'read', '/ws/.env')).toBe('absent');
  });

  test('never grants more than a hidden directory does, for any path below it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('..', '.git', 'hooks', '.env', 'ws', 'usr', 'a', 'é', ''), { maxLength: 6 }),
        (words) => {
          expect(says(law(), 'write', `/home/${words.join('/')}`)).toBe('absent');
        },
      ),
    );
  });
});

test('matches patterns like a regular expression, in bounded time', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[ab*?]{0,6}$/u), fc.stringMatching(/^[abAB]{0,8}$/u), (pattern, name) => {
      expect(matchComponent(pattern, name)).toBe(
        new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`, 'iu').test(name),
      );
    }),
  );
  expect(matchComponent(`${'*a'.repeat(50)}b`, 'a'.repeat(5000))).toBe(false);
});
