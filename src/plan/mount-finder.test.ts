import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isWithin } from './anchors.ts';
import { describePlan } from './describe.ts';
import type { ProgramFact } from './facts.ts';
import { mountFinder } from './mount-finder.ts';
import type { Mount } from './mount.ts';
import { host } from './testing/host.ts';

const mounts: readonly Mount[] = [
  { kind: 'directory', target: '/', mode: 0o755 },
  { kind: 'tmpfs', target: '/srv', mode: 0o755, size: 0 },
  { kind: 'mask', target: '/srv/app/tool', type: 'file' },
  { kind: 'directory', target: '/srv/app', mode: 0o755 },
  { kind: 'file', target: '/srv/app/tool', mode: 0o444, content: '' },
  { kind: 'symlink', target: '/srv/link', to: '/usr' },
];
const kindAt = (path: string, from = mounts): string | undefined => mountFinder(from)(path)?.kind;

describe('the mount that shows a path', () => {
  test.each([
    ['/', 'directory'],
    ['/etc/x', 'directory'],
    ['/srv', 'tmpfs'],
    ['/srv/x', 'tmpfs'],
    ['/srvx', 'directory'],
    ['/srv/app', 'directory'],
    ['/srv/app/x/y', 'directory'],
    ['/srv/application', 'tmpfs'],
  ])('%s: %s', (path, kind) => {
    expect(kindAt(path)).toBe(kind);
  });

  test('is the later one of two at the same place', () => {
    expect(kindAt('/srv/app/tool')).toBe('file');
    expect(kindAt('/srv/app/tool', mounts.toReversed())).toBe('mask');
  });

  test('is never a link, which shows nothing', () => {
    expect(kindAt('/srv/link')).toBe('tmpfs');
  });

  test('is missing without a mount around the path', () => {
    expect(kindAt('/etc', [])).toBeUndefined();
    expect(kindAt('/etc', mounts.slice(1))).toBeUndefined();
  });

  test('is the deepest mount around the path', () => {
    const path = fc.array(fc.constantFrom('a', 'b', 'ab'), { maxLength: 4 }).map((parts) => `/${parts.join('/')}`);
    const mount = path.map((target): Mount => ({ kind: 'directory', target, mode: 0o755 }));
    fc.assert(
      fc.property(fc.array(mount), path, (many, at) => {
        const around = many.filter(({ target }) => isWithin(at, target));
        const found = mountFinder(many)(at);
        expect(found === undefined).toBe(around.length === 0);
        if (found !== undefined)
          expect(found).toBe(
            around
              .filter(({ target }) => target.length === Math.max(...around.map((each) => each.target.length)))
              .at(-1),
          );
      }),
    );
  });
});

const file = (inode: string) => ({ device: '1', inode, type: 'file' }) as const;

function fact(
  program: string,
  real: string,
  more: Partial<Pick<ProgramFact, 'names' | 'hardLinks'>> = {},
): ProgramFact {
  return { program, real, identity: file('7'), names: [real, ...(more.names ?? [])], hardLinks: more.hardLinks ?? [] };
}

const deny = (...names: readonly string[]): string => `[commands]\ndeny = ${JSON.stringify(names)}\n`;
const system = { '/usr/bin/curl': 'file', '/usr/bin/busybox': 'file' } as const;

function planned(policy: string, programs: readonly ProgramFact[]) {
  const plan = host({ policy, programs, tree: system }).plan();
  return {
    ...plan,
    masks: plan.mounts.flatMap((mount) =>
      mount.kind === 'mask' && mount.target.startsWith('/usr/') ? [mount.target] : [],
    ),
  };
}

describe('a completely denied program', () => {
  test('is absent from the box', () => {
    const { programs, masks } = planned(deny('curl'), [fact('curl', '/usr/bin/curl')]);
    expect(programs).toEqual([
      { program: 'curl', path: '/usr/bin/curl', identity: file('7'), held: 'mask', sharedWith: [] },
    ]);
    expect(masks).toEqual(['/usr/bin/curl']);
  });

  test('is masked after the mount that shows it, which would uncover it again', () => {
    const { mounts } = planned(deny('curl'), [fact('curl', '/usr/bin/curl')]);
    const at = (target: string): number => mounts.findIndex((mount) => mount.target === target);
    expect(at('/usr/bin/curl')).toBeGreaterThan(at('/usr'));
  });

  test('is masked under every name of its inode', () => {
    expect(
      planned(deny('perl'), [
        fact('perl', '/usr/bin/perl', { names: ['/usr/bin/perl5.36.0'], hardLinks: ['/usr/bin/perl5.36.0'] }),
      ]).masks,
    ).toEqual(['/usr/bin/perl', '/usr/bin/perl5.36.0']);
  });

  test.each([
    ['python3', '/usr/bin/python3.11', ['/usr/bin/python3']],
    ['git', '/usr/bin/git', ['/usr/bin/git-upload-pack', '/usr/bin/git-receive-pack']],
    ['gcc', '/usr/bin/x86_64-linux-gnu-gcc-12', ['/usr/bin/gcc', '/usr/bin/gcc-12']],
    ['nc', '/usr/bin/nc.openbsd', ['/usr/bin/nc']],
    ['busybox', '/usr/bin/busybox', ['/usr/bin/wget', '/usr/bin/vi']],
    ['/usr/bin/busybox', '/usr/bin/busybox', ['/usr/bin/vi']],
  ])('%s at %s takes its other names with it', (program, real, names) => {
    expect(planned(deny(program), [fact(program, real, { names })])).toMatchObject({
      programs: [{ held: 'mask', sharedWith: [] }],
      masks: [real],
    });
  });

  test.each([
    {
      program: 'wget',
      real: '/usr/bin/busybox',
      names: ['/usr/bin/wget', '/usr/bin/vi'],
      sharedWith: ['/usr/bin/busybox', '/usr/bin/vi'],
    },
    {
      program: 'vi',
      real: '/usr/bin/vim.basic',
      names: ['/usr/bin/vi', '/usr/bin/editor'],
      sharedWith: ['/usr/bin/vim.basic', '/usr/bin/editor'],
    },
    {
      program: 'ls',
      real: '/usr/bin/coreutils',
      names: ['/usr/bin/ls', '/usr/bin/cat'],
      sharedWith: ['/usr/bin/coreutils', '/usr/bin/cat'],
    },
    { program: 'cat', real: '/usr/bin/concatenate', names: ['/usr/bin/cat'], sharedWith: ['/usr/bin/concatenate'] },
  ])('$program at $real stays there for its other names', ({ program, real, names, sharedWith }) => {
    expect(planned(deny(program), [fact(program, real, { names })])).toMatchObject({
      programs: [{ held: 'notification', sharedWith }],
      masks: [],
    });
  });

  test('is masked if its other names are denied too', () => {
    expect(
      planned(deny('wget', 'vi', '/usr/bin/busybox'), [
        fact('wget', '/usr/bin/busybox', { names: ['/usr/bin/wget', '/usr/bin/vi'] }),
      ]).masks,
    ).toEqual(['/usr/bin/busybox']);
  });

  test('in the workspace is left to the supervisor, because the box can replace it', () => {
    const { programs } = host({ policy: deny('tool'), programs: [fact('tool', '/home/me/project/bin/tool')] }).plan();
    expect(programs).toMatchObject([{ held: 'notification', sharedWith: [] }]);
  });

  test.each(['/home/me/bin/curl', '/tmp/curl'])('at %s is outside the box’s view', (real) => {
    expect(planned(deny('curl'), [fact('curl', real)])).toMatchObject({ programs: [], masks: [] });
  });
});

test('a program that is denied only with some arguments is present', () => {
  expect(planned(deny('curl -o'), [fact('curl', '/usr/bin/curl')])).toMatchObject({ programs: [], masks: [] });
});

test('a plan names the refusals that are not a boundary', () => {
  const plan = host({
    policy: deny('curl', 'wget'),
    tree: system,
    programs: [fact('curl', '/usr/bin/curl'), fact('wget', '/usr/bin/busybox', { names: ['/usr/bin/wget'] })],
  }).plan();
  expect(describePlan(plan, 'x64')).toContain(
    '  curl: nothing is there at /usr/bin/curl\n  wget: the supervisor refuses it, which is not a boundary, because the same file is /usr/bin/busybox\n',
  );
});
