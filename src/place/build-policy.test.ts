import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { decide } from '../policy/decide.ts';
import type { FileAccess } from '../policy/request.ts';
import { buildPolicy, policyDigests, type PolicyPlace } from './build-policy.ts';

const usual: PolicyPlace = {
  home: '/home/me',
  workspace: { root: '/home/me/project', cwd: '/home/me/project', gitDirectories: [] },
  visible: ['/opt/holdfast/dist'],
  userFile: '/home/me/.config/holdfast/policy.toml',
  sources: [],
  grants: {},
  ownDirectories: ['/home/me/.local/state/holdfast', '/home/me/.config/holdfast'],
};
const source = (kind: 'managed' | 'user' | 'project', text: string) =>
  ({ kind, file: `/${kind}.toml`, text: `version = 1\n${text}` }) as const;

function ask(place: Partial<PolicyPlace>, operation: FileAccess, path: string) {
  const { decision, rule, file, line } = decide(buildPolicy({ ...usual, ...place }), { kind: 'file', operation, path });
  return { decision, rule, file, line };
}

describe('buildPolicy', () => {
  test('grants the workspace, and what Holdfast needs to answer inside', () => {
    expect(ask({}, 'write', '/home/me/project/x').decision).toBe('allow');
    expect(ask({}, 'read', '/opt/holdfast/dist/cli/why.cjs').decision).toBe('allow');
    expect(ask({}, 'write', '/opt/holdfast/dist/cli/why.cjs').decision).toBe('deny');
    expect(ask({}, 'read', '/home/me/other').decision).toBe('deny');
  });

  test('grants the git directories of a linked worktree, as paths and not as patterns', () => {
    const workspace = { root: '/home/me/tree', cwd: '/home/me/tree', gitDirectories: ['/home/me/*/{a,b}/.git'] };
    expect(ask({ workspace }, 'write', '/home/me/*/{a,b}/.git/HEAD').decision).toBe('allow');
    expect(ask({ workspace }, 'write', '/home/me/victim/a/.git/HEAD').decision).toBe('deny');
  });

  test.each(['a*b', 'a{b', 'a\\b', '{x,y}', '**', '~', 'a?b', 'a\nb', 'a\u001Bb'])(
    'takes a workspace called %j with a policy in it literally',
    (name) => {
      const workspace = { root: `/srv/${name}`, cwd: `/srv/${name}`, gitDirectories: [`/srv/${name}.git`] };
      const sources = [{ kind: 'project', file: `/srv/${name}/holdfast.toml`, text: 'version = 1\n' }] as const;
      expect(ask({ workspace, sources }, 'write', '/srv/other/x').decision).toBe('deny');
      if (/\p{Cc}/u.test(name)) return;
      expect(ask({ workspace, sources }, 'write', `/srv/${name}/x`).decision).toBe('allow');
      expect(ask({ workspace, sources }, 'write', `/srv/${name}/holdfast.toml`).decision).toBe('deny');
    },
  );

  test('hides its own directories, and protects every policy file wherever it lies', () => {
    const sources = [source('user', '[files]\nwrite = ["~", "/user.toml"]\n')];
    expect(ask({ sources }, 'read', '/home/me/.local/state/holdfast/journal.jsonl').decision).toBe('deny');
    expect(ask({ sources }, 'read', '/user.toml').decision).toBe('allow');
    expect(ask({ sources }, 'write', '/user.toml').decision).toBe('deny');
  });

  test("takes flags as the user's own words, and names them", () => {
    const grants = { read: ['/srv/a'], write: ['/srv/b'], environment: ['TOKEN'], sockets: ['/run/x'] };
    expect(ask({ grants }, 'read', '/srv/a/x')).toMatchObject({
      decision: 'allow',
      rule: '--read /srv/a',
      file: 'command line',
    });
    expect(ask({ grants }, 'write', '/srv/a/x').decision).toBe('deny');
    expect(ask({ grants }, 'write', '/srv/b/x')).toMatchObject({ decision: 'allow', rule: '--write /srv/b' });
    const policy = buildPolicy({ ...usual, grants });
    expect(decide(policy, { kind: 'env', name: 'TOKEN' }).decision).toBe('allow');
    expect(decide(policy, { kind: 'socket', operation: 'connect', address: '/run/x' }).decision).toBe('allow');
  });

  test('lets an administrator and a project narrow the user’s grants', () => {
    const user = source('user', '[files]\nread = ["/srv"]\n');
    for (const kind of ['managed', 'project'] as const) {
      expect(
        ask({ sources: [user, source(kind, '[files]\ndeny = ["/srv/secret"]\n')] }, 'read', '/srv/secret/x'),
      ).toMatchObject({ decision: 'deny', file: `/${kind}.toml`, line: 3 });
    }
    expect(ask({ sources: [source('project', '[files]\nread = ["/srv"]\n')] }, 'read', '/srv/x').decision).toBe('deny');
  });

  test('names every problem of every file at once', () => {
    const sources = [source('user', '[files]\nred = ["/x"]\n'), source('project', '[limits]\nmemory = "lots"\n')];
    const broken = expect.objectContaining({
      code: 'HF_POLICY_INVALID',
      message: expect.stringMatching(/\/user\.toml:3: [^]*\/project\.toml:3: /u),
    });
    expect(() => buildPolicy({ ...usual, sources })).toThrow(broken);
  });

  test('refuses what this version cannot carry out, instead of leaving it out', () => {
    expect(() =>
      buildPolicy({
        ...usual,
        sources: [
          source(
            'user',
            '[network]\nhosts = ["example.com"]\n[[connect]]\nname = "udp"\ndecision = "allow"\nhosts = ["example.com"]\nprotocol = "udp"\n',
          ),
        ],
      }),
    ).toThrow(expect.objectContaining({ code: expect.stringMatching(/^HF_/u) }));
  });
});

describe('policyDigests', () => {
  test('names that of the managed file, as sha256sum does', () => {
    const managed = source('managed', 'version = 1\n');
    expect(policyDigests({ ...usual, sources: [managed] }).managed).toBe(hash('sha256', managed.text));
    expect(policyDigests({ ...usual, sources: [source('user', '')] })).not.toHaveProperty('managed');
  });

  test('differs when a text or a grant differs', () => {
    const digests = [
      usual,
      { ...usual, grants: { read: ['/x'] } },
      { ...usual, sources: [source('user', '')] },
      { ...usual, sources: [source('project', '')] },
    ].map((sources) => policyDigests(sources).policy);
    expect(new Set(digests).size).toBe(digests.length);
    for (const digest of digests) expect(digest).toMatch(/^[0-9a-f]{64}$/u);
  });
});
