import { describe, expect, test } from 'vitest';
import { decide } from './decide.ts';
import { userLayer } from './layers/compile-layer.ts';
import { builtinRequired } from './layers/required.ts';
import { policyOf } from './policy.ts';
import type { FileAccess, PolicyRequest } from './request.ts';
import { bareLayer, policyFrom, type PolicyTexts } from './testing/policies.ts';
import { file } from './testing/requests.ts';
import type { Verdict } from './verdict.ts';

const operations: readonly FileAccess[] = ['read', 'write', 'create', 'delete', 'execute'];

function ask(texts: PolicyTexts, request: PolicyRequest): Verdict {
  return decide(policyFrom(texts), request);
}

describe('without any file', () => {
  const policy = policyFrom();

  test.each([
    ['read', '/usr/bin/env'],
    ['execute', '/usr/bin/env'],
    ['read', '/lib/x86_64-linux-gnu/libc.so.6'],
    ['read', '/etc/passwd'],
    ['read', '/etc/ssl/certs/ca-certificates.crt'],
    ['read', '/opt/tool/bin/x'],
    ['read', '/nix/store/abc'],
    ['read', '/proc/self/status'],
    ['read', '/dev/null'],
    ['write', '/dev/null'],
    ['write', '/dev/shm/x'],
    ['read', '/sys/devices/system/cpu/online'],
    ['read', '~/.gitconfig'],
    ['read', '~/.config/git/ignore'],
    ['execute', '~/.cargo/bin/cargo'],
    ['execute', '~/.nvm/versions/node/v24/bin/node'],
    ['execute', '~/.pyenv/shims/python'],
    ['execute', '~/.local/bin/uv'],
    ['read', 'src/main.ts'],
    ['write', 'src/main.ts'],
    ['create', 'new/deep/file'],
    ['delete', 'old'],
    ['execute', 'scripts/build.sh'],
    ['write', '.git/index'],
    ['create', '.git/objects/ab/cdef'],
    ['write', '.git/HEAD'],
    ['write', '.git/refs/heads/main'],
    ['create', '.git/worktrees/x/HEAD'],
    ['write', '.gitignore'],
    ['write', '.github/CODEOWNERS'],
    ['write', 'package.json'],
    ['create', 'node_modules/left-pad/index.js'],
    ['create', 'node_modules/left-pad/.vscode/settings.json'],
    ['create', 'node_modules/.bin/tsc'],
    ['read', '.vscode/settings.json'],
    ['read', '.git/config'],
    ['read', '.git/hooks/pre-commit.sample'],
    ['read', '.env.example'],
    ['read', 'config/.env.sample'],
    ['read', 'holdfast.toml'],
    ['read', 'cert.pem'],
    ['write', '/tmp/x'],
    ['create', '/var/tmp/x/y'],
    ['write', '~/.cache/pip/x'],
    ['write', '~/.npm/_cacache/x'],
    ['write', '~/.cargo/registry/x'],
    ['write', '~/go/pkg/mod/x'],
  ] as const)('%s %s is allowed', (operation, path) => {
    expect(decide(policy, file(operation, path))).toMatchObject({ decision: 'allow', code: 'granted', layer: 'user' });
  });

  test.each([
    ['read', '~', 'not-granted'],
    ['read', '~/notes.txt', 'not-granted'],
    ['read', '~/other/x', 'not-granted'],
    ['read', '~/.config/app/settings', 'not-granted'],
    ['read', '~/apple', 'not-granted'],
    ['read', '/home/other/x', 'not-granted'],
    ['read', '/root/x', 'not-granted'],
    ['read', '/', 'not-granted'],
    ['read', '/var/log/syslog', 'not-granted'],
    ['read', '/run/docker.sock', 'not-granted'],
    ['read', '/srv/x', 'not-granted'],
    ['write', '/usr/bin/env', 'not-granted'],
    ['create', '/etc/cron.d/x', 'not-granted'],
    ['write', '~/.gitconfig', 'protected-path'],
    ['write', '~/.local/bin/x', 'not-granted'],
    ['write', '~/.cargo/bin/cargo', 'not-granted'],
    ['write', '~/.bashrc', 'protected-path'],
    ['write', '/sys/devices/system/cpu/online', 'not-granted'],
    ['read', '~/.ssh/id_ed25519', 'credential-store'],
    ['read', '~/.aws/credentials', 'credential-store'],
    ['read', '/etc/shadow', 'credential-store'],
    ['read', '.env', 'hidden-file'],
    ['read', 'deep/er/.env', 'hidden-file'],
    ['read', '.env.local', 'hidden-file'],
    ['write', '.env', 'hidden-file'],
    ['read', 'id_rsa', 'hidden-file'],
    ['read', '~/.bash_history', 'hidden-file'],
    ['read', '~/.local/share/fish/fish_history', 'hidden-file'],
    ['read', '~/.cache/mozilla/x', 'hidden-file'],
    ['write', '.git/hooks/pre-commit', 'protected-path'],
    ['create', '.git/hooks/pre-commit', 'protected-path'],
    ['delete', '.git/hooks', 'protected-path'],
    ['delete', '.git', 'protected-path'],
    ['write', '.git', 'protected-path'],
    ['write', '.git/config', 'protected-path'],
    ['write', 'sub/.git/config', 'protected-path'],
    ['write', '.git/modules/lib/hooks/post-checkout', 'protected-path'],
    ['write', '.git/modules/lib/config', 'protected-path'],
    ['write', '.git/worktrees/x/config.worktree', 'protected-path'],
    ['write', '.git/worktrees/x/commondir', 'protected-path'],
    ['write', '.git/info/attributes', 'protected-path'],
    ['write', '.vscode/tasks.json', 'protected-path'],
    ['create', 'sub/.vscode/settings.json', 'protected-path'],
    ['write', '.claude/settings.json', 'protected-path'],
    ['write', '.mcp.json', 'protected-path'],
    ['write', '.cursor/mcp.json', 'protected-path'],
    ['write', '.CURSOR/mcp.json', 'protected-path'],
    ['write', '.GIT/Hooks/pre-commit', 'protected-path'],
    ['write', '.github/workflows/ci.yml', 'protected-path'],
    ['delete', '.github', 'protected-path'],
    ['write', '.envrc', 'protected-path'],
    ['write', '.husky/pre-commit', 'protected-path'],
    ['write', 'x.code-workspace', 'protected-path'],
    ['write', 'node_modules/.bin/git', 'protected-path'],
    ['create', 'node_modules/x/node_modules/.bin/sh', 'protected-path'],
    ['create', 'node_modules/x/.git/config', 'protected-path'],
    ['write', 'holdfast.toml', 'policy-file'],
    ['write', 'sub/HOLDFAST.toml', 'policy-file'],
    ['delete', 'holdfast.toml', 'policy-file'],
    ['read', '~/.config/holdfast/policy.toml', 'policy-file'],
    ['read', '~/.local/state/holdfast/journal', 'policy-file'],
    ['write', '/etc/holdfast/policy.toml', 'policy-file'],
    ['read', '', 'unrepresentable'],
    ['read', '/a\0b', 'unrepresentable'],
    ['read', '/a\ud800', 'unrepresentable'],
  ] as const)('%s %s is denied as %s', (operation, path, code) => {
    expect(decide(policy, file(operation, path))).toMatchObject({ decision: 'deny', code });
  });

  test('a relative path is not a request', () => {
    expect(decide(policy, { kind: 'file', operation: 'read', path: 'src/x' }).code).toBe('unrepresentable');
  });

  test('temporary files need no protection', () => {
    for (const path of [
      '/tmp/repo/.git/config',
      '/tmp/repo/.git/hooks/x',
      '/tmp/x/.env',
      '~/.cache/build/.vscode/x',
      '~/.npm/_cacache/.git',
    ]) {
      expect(decide(policy, file('create', path)), path).toMatchObject({ decision: 'allow' });
    }
  });

  test('persistent files of the user in such a place are protected', () => {
    const user = '[files]\nwrite = ["/tmp/shared", "~/.cache/keep"]\nephemeral = ["/srv/build"]';
    for (const path of ['/tmp/shared/.git/hooks/x', '~/.cache/keep/.vscode/x', '/tmp/shared/a/.envrc'])
      expect(ask({ user }, file('write', path)), path).toMatchObject({ decision: 'deny', code: 'protected-path' });
    for (const path of ['/tmp/shared/.env', '~/.cache/keep/id_rsa'])
      expect(ask({ user }, file('read', path)), path).toMatchObject({ decision: 'deny', code: 'hidden-file' });
    for (const path of [
      '/tmp/other/.git/hooks/x',
      '~/.cache/other/.vscode/x',
      '/srv/build/.git/hooks/x',
      '/tmp/sharedx/.env',
    ])
      expect(ask({ user }, file('write', path)), path).toMatchObject({ decision: 'allow' });
  });

  test('a user’s grant below such a place keeps its hidden files', () => {
    const user = '[files]\nread = ["/tmp/data"]';
    expect(ask({ user }, file('read', '/tmp/data/.env'))).toMatchObject({ decision: 'deny', code: 'hidden-file' });
    expect(ask({ user }, file('read', '/tmp/other/.env')).decision).toBe('allow');
    expect(ask({ user: '[files]\nread = ["/tmp"]' }, file('read', '/tmp/x/.env')).decision).toBe('allow');
  });

  test('a policy may name such a place itself, which changes nothing', () => {
    for (const user of ['[files]\nread = ["/tmp"]', '[files]\nread = ["/var/tmp"]']) {
      for (const path of ['/tmp/x', '/var/tmp/x'])
        expect(ask({ user }, file('write', path)).decision, path).toBe('allow');
    }
    expect(ask({ user: '[files]\nread = ["/tmp/data"]' }, file('write', '/tmp/data/x')).code).toBe('not-granted');
    expect(ask({ user: '[files]\nread = ["/tmp/data"]' }, file('write', '/tmp/database')).decision).toBe('allow');
  });

  test('a workspace in a private place is protected all the same', () => {
    const inTmp = { home: '/home/dev', workspace: '/tmp/checkout' };
    const policyInTmp = policyOf([builtinRequired(inTmp), userLayer(undefined, inTmp)]);
    expect(decide(policyInTmp, file('write', '/tmp/checkout/.git/hooks/x')).code).toBe('protected-path');
    expect(decide(policyInTmp, file('read', '/tmp/checkout/.env')).code).toBe('hidden-file');
    expect(decide(policyInTmp, file('write', '/tmp/other/.git/hooks/x')).decision).toBe('allow');
  });
});

describe('grants of the user', () => {
  const user =
    '[files]\nread = ["/srv/data", "~/notes", "/opt/*/licence"]\nwrite = ["/srv/out"]\nephemeral = ["/srv/cache"]';

  test.each([
    ['read', '/srv/data/x', 'allow'],
    ['execute', '/srv/data/x', 'allow'],
    ['write', '/srv/data/x', 'deny'],
    ['read', '~/notes/a/b', 'allow'],
    ['read', '~/notesx', 'deny'],
    ['read', '/srv/out/x', 'allow'],
    ['write', '/srv/out/x', 'allow'],
    ['delete', '/srv/out/x', 'allow'],
    ['write', '/srv/cache/x', 'allow'],
    ['read', '/srv/cache/x', 'allow'],
    ['read', '/srv', 'deny'],
  ] as const)('%s %s: %s', (operation, path, decision) => {
    expect(ask({ user }, file(operation, path)).decision).toBe(decision);
  });

  test('are named with file and line', () => {
    expect(ask({ user }, file('read', '~/notes/a'))).toMatchObject({
      rule: 'files.read[1]',
      file: 'user.toml',
      line: 3,
      layer: 'user',
    });
    expect(ask({ user }, file('write', '/srv/out/a'))).toMatchObject({ rule: 'files.write[0]', line: 4 });
  });

  test('do not reach credential stores, hidden or protected files', () => {
    const everything = '[files]\nwrite = ["/"]';
    expect(ask({ user: everything }, file('read', '~/.ssh/x')).code).toBe('credential-store');
    expect(ask({ user: everything }, file('read', '/srv/.env')).code).toBe('hidden-file');
    expect(ask({ user: everything }, file('write', '/srv/.git/hooks/x')).code).toBe('protected-path');
    expect(ask({ user: everything }, file('write', '/srv/x')).decision).toBe('allow');
  });

  test('come from flags and accepted proposals too', () => {
    const granted = [
      {
        name: '--read',
        file: 'command line',
        grants: { files: { read: ['/srv/flag'], write: ['/srv/w'], ephemeral: ['/srv/e'], release: ['.vscode'] } },
      },
    ];
    const policy = policyFrom({ granted });
    expect(decide(policy, file('read', '/srv/flag/x'))).toMatchObject({
      decision: 'allow',
      rule: '--read /srv/flag',
      file: 'command line',
      line: 0,
    });
    expect(decide(policy, file('write', '/srv/w/x')).decision).toBe('allow');
    expect(decide(policy, file('write', '/srv/e/x')).decision).toBe('allow');
    expect(decide(policy, file('write', '.vscode/x')).decision).toBe('allow');
    expect(decide(policyFrom(), file('read', '/srv/flag/x')).decision).toBe('deny');
  });
});

describe('deny and protect', () => {
  const user =
    '[files]\nwrite = ["/srv"]\ndeny = ["/srv/secret", "**/private", "/srv/*.key"]\nprotect = ["/srv/schema", "**/*.lock"]';

  test.each([
    ['read', '/srv/secret', 'deny'],
    ['read', '/srv/secret/x', 'deny'],
    ['read', '/srv/a/private/x', 'deny'],
    ['read', '/srv/a/PRIVATE/x', 'deny'],
    ['read', '/srv/a.key', 'deny'],
    ['read', '/srv/a.key.pub', 'allow'],
    ['read', '/srv/schema/x', 'allow'],
    ['execute', '/srv/schema/x', 'allow'],
    ['write', '/srv/schema/x', 'deny'],
    ['create', '/srv/schema/new', 'deny'],
    ['delete', '/srv/schema', 'deny'],
    ['read', '/srv/a/yarn.lock', 'allow'],
    ['write', '/srv/a/yarn.lock', 'deny'],
    ['write', '/srv/a/x', 'allow'],
    ['delete', '/srv/a', 'allow'],
  ] as const)('%s %s: %s', (operation, path, decision) => {
    expect(ask({ user }, file(operation, path)).decision).toBe(decision);
  });

  test('moving or deleting above a denied path is denied too', () => {
    const deep = '[files]\nwrite = ["/srv"]\nprotect = ["/srv/a/b/c"]\ndeny = ["/srv/x/*/y"]';
    expect(ask({ user: deep }, file('delete', '/srv/a/b'))).toMatchObject({
      decision: 'deny',
      rule: 'files.protect[0]',
    });
    expect(ask({ user: deep }, file('delete', '/srv/a')).decision).toBe('deny');
    expect(ask({ user: deep }, file('delete', '/srv/x')).decision).toBe('deny');
    expect(ask({ user: deep }, file('delete', '/srv/b')).decision).toBe('allow');
    expect(ask({ user: deep }, file('write', '/srv/a/b/d')).decision).toBe('allow');
  });

  test('come before rules and grants of the same file', () => {
    const text =
      '[files]\nread = ["/srv"]\ndeny = ["/srv/x/*"]\n[[file]]\nname = "open"\ndecision = "allow"\npaths = ["/srv/x"]';
    expect(ask({ user: text }, file('read', '/srv/x/a'))).toMatchObject({ decision: 'deny', code: 'deny-set' });
    expect(ask({ user: text }, file('read', '/srv/x'))).toMatchObject({ decision: 'allow', rule: 'open' });
  });
});

describe('rules', () => {
  const user = `[files]
write = ["/srv"]
[[file]]
name = "stage-sql"
decision = "stage"
reason = "reviewed by the database team"
paths = ["/srv/db/*.sql"]
operations = ["write", "delete"]
[[file]]
name = "audit-db"
decision = "audit"
paths = ["/srv/db"]
[[file]]
name = "elsewhere"
decision = "redirect"
redirect_to = "/srv/out"
paths = ["/srv/in"]
[[file]]
name = "open-log"
decision = "allow"
paths = ["/var/log/app"]
operations = ["read"]
`;

  test.each([
    ['write', '/srv/db/a.sql', 'stage', 'stage-sql'],
    ['delete', '/srv/db/a.sql', 'stage', 'stage-sql'],
    ['create', '/srv/db/a.sql', 'audit', 'audit-db'],
    ['read', '/srv/db/a.sql', 'audit', 'audit-db'],
    ['write', '/srv/db/a.txt', 'audit', 'audit-db'],
    ['write', '/srv/in/x', 'redirect', 'elsewhere'],
    ['read', '/var/log/app/x', 'allow', 'open-log'],
    ['write', '/var/log/app/x', 'deny', 'files.write.default'],
    ['read', '/srv/x', 'allow', 'files.write[0]'],
  ] as const)('%s %s: %s by %s', (...[operation, path, decision, rule]) => {
    expect(ask({ user }, file(operation, path))).toMatchObject({ decision, rule });
  });

  test('carry their reason, line and target into the verdict', () => {
    const verdict = ask({ user }, file('write', '/srv/db/a.sql'));
    expect(verdict).toMatchObject({ code: 'rule', file: 'user.toml', line: 4 });
    expect(verdict.message).toBe(
      'writing /srv/db/a.sql is kept aside until it is reviewed: stage-sql of user.toml:4 says so (reviewed by the database team)',
    );
    expect(ask({ user }, file('write', '/srv/in/x'))).toMatchObject({
      redirectTo: '/srv/out',
      message: 'writing /srv/in/x goes to /srv/out instead: elsewhere of user.toml:14 says so',
    });
    expect(ask({ user }, file('write', '/srv/db/x'))).not.toHaveProperty('redirectTo');
  });
});

describe('ceilings', () => {
  test('a list of reads bounds every access to files of the user', () => {
    const texts = { user: '[files]\nwrite = ["/srv"]', project: '[files]\nread = ["src", "/srv/a"]' };
    expect(ask(texts, file('read', 'src/x')).decision).toBe('allow');
    expect(ask(texts, file('write', 'src/x')).decision).toBe('allow');
    expect(ask(texts, file('read', 'doc/x'))).toMatchObject({
      decision: 'deny',
      code: 'outside-ceiling',
      layer: 'project',
      rule: 'files.read',
      file: 'project.toml',
      line: 3,
    });
    expect(ask(texts, file('write', 'doc/x'))).toMatchObject({ decision: 'deny', code: 'outside-ceiling' });
    expect(ask(texts, file('write', '/srv/a/x')).decision).toBe('allow');
    expect(ask(texts, file('read', '/srv/b')).code).toBe('outside-ceiling');
  });

  test('a list of writes bounds writing only', () => {
    const texts = { project: '[files]\nwrite = ["src"]' };
    expect(ask(texts, file('write', 'src/x')).decision).toBe('allow');
    expect(ask(texts, file('write', 'doc/x'))).toMatchObject({
      decision: 'deny',
      code: 'outside-ceiling',
      rule: 'files.write',
    });
    expect(ask(texts, file('read', 'doc/x')).decision).toBe('allow');
    expect(ask(texts, file('read', '~/.gitconfig')).decision).toBe('allow');
  });

  test('an empty list leaves nothing, an absent one everything', () => {
    expect(ask({ project: '[files]\nwrite = []' }, file('write', 'x')).code).toBe('outside-ceiling');
    expect(ask({ project: '[files]\nread = []' }, file('read', 'x')).code).toBe('outside-ceiling');
    expect(ask({ project: '[files]' }, file('write', 'x')).decision).toBe('allow');
  });

  test('leave system and private directories alone', () => {
    const texts = { project: '[files]\nread = ["src"]\nwrite = ["src"]' };
    for (const request of [
      file('read', '/usr/bin/env'),
      file('execute', '/bin/sh'),
      file('read', '/etc/passwd'),
      file('write', '/tmp/x'),
      file('write', '/dev/null'),
      file('read', '/proc/self/maps'),
    ]) {
      expect(ask(texts, request).decision, request.path).toBe('allow');
    }
    expect(ask(texts, file('write', '/usr/bin/env')).decision).toBe('deny');
    expect(ask(texts, file('read', '~/.gitconfig')).code).toBe('outside-ceiling');
  });

  test('cannot grant', () => {
    for (const kind of ['managed', 'project', 'session'] as const) {
      expect(ask({ [kind]: '[files]\nread = ["/"]\nwrite = ["/"]' }, file('read', '/srv/x'))).toMatchObject({
        decision: 'deny',
        code: 'not-granted',
        layer: 'user',
      });
      expect(
        ask({ [kind]: '[[file]]\nname = "a"\ndecision = "allow"\npaths = ["/srv"]' }, file('read', '/srv/x')).decision,
      ).toBe('deny');
    }
  });

  test('deny sets, protections and rules narrow in every layer', () => {
    for (const kind of ['managed', 'project', 'session'] as const) {
      expect(ask({ [kind]: '[files]\ndeny = ["src"]' }, file('read', 'src/x'))).toMatchObject({
        decision: 'deny',
        layer: kind,
      });
      expect(ask({ [kind]: '[files]\nprotect = ["src"]' }, file('write', 'src/x')).decision).toBe('deny');
      expect(
        ask({ [kind]: '[[file]]\nname = "a"\ndecision = "ask"\npaths = ["src"]' }, file('write', 'src/x')).decision,
      ).toBe('ask');
    }
  });

  test('of several layers give the strictest answer', () => {
    const texts = {
      managed: '[[file]]\nname = "m"\ndecision = "audit"\npaths = ["src"]',
      project: '[[file]]\nname = "p"\ndecision = "ask"\npaths = ["src/a"]',
      session: '[files]\nwrite = ["src"]',
    };
    expect(ask(texts, file('write', 'src/b'))).toMatchObject({ decision: 'audit', rule: 'm' });
    expect(ask(texts, file('write', 'src/a'))).toMatchObject({ decision: 'ask', rule: 'p' });
    expect(ask(texts, file('write', 'doc'))).toMatchObject({ decision: 'deny', layer: 'session' });
    expect(ask({ ...texts, user: '[files]\ndeny = ["doc"]' }, file('write', 'doc'))).toMatchObject({
      layer: 'user',
      code: 'deny-set',
    });
  });

  test('an ephemeral place of a project grants nothing by itself', () => {
    expect(ask({ project: '[files]\nephemeral = ["/srv"]' }, file('write', '/srv/x')).decision).toBe('deny');
    expect(ask({ project: '[files]\nwrite = ["src"]\nephemeral = ["dist"]' }, file('write', 'dist/x')).decision).toBe(
      'allow',
    );
    expect(ask({ project: '[files]\nwrite = ["src"]\nephemeral = ["dist"]' }, file('write', 'doc/x')).decision).toBe(
      'deny',
    );
  });
});

describe('releases', () => {
  test('take one path out, with what lies beneath', () => {
    const user = '[files]\nrelease = [".vscode", ".env", "~/.cache/thumbnails"]';
    expect(ask({ user }, file('write', '.vscode/settings.json')).decision).toBe('allow');
    expect(ask({ user }, file('write', 'sub/.vscode/settings.json')).code).toBe('protected-path');
    expect(ask({ user }, file('read', '.env')).decision).toBe('allow');
    expect(ask({ user }, file('read', 'sub/.env')).code).toBe('hidden-file');
    expect(ask({ user }, file('read', '.env.local')).code).toBe('hidden-file');
    expect(ask({ user }, file('read', '~/.cache/thumbnails/x')).decision).toBe('allow');
  });

  test('take a name out everywhere', () => {
    const user = '[files]\nrelease = ["**/.vscode"]';
    expect(ask({ user }, file('write', 'sub/.vscode/settings.json')).decision).toBe('allow');
    expect(ask({ user }, file('write', '.idea/x')).code).toBe('protected-path');
  });

  test('grant nothing', () => {
    expect(ask({ user: '[files]\nrelease = ["/srv/.env"]' }, file('read', '/srv/.env')).code).toBe('not-granted');
  });

  test('never reach required rules', () => {
    const user = '[files]\nread = ["~"]\nrelease = ["~/.ssh", "**/.ssh", "/", "holdfast.toml", "**/holdfast.toml"]';
    expect(ask({ user }, file('read', '~/.ssh/id')).code).toBe('credential-store');
    expect(ask({ user }, file('write', 'holdfast.toml')).code).toBe('policy-file');
    expect(ask({ user }, file('read', '~/.config/holdfast/x')).code).toBe('policy-file');
  });

  test('the user’s denial is named before a built-in one', () => {
    expect(ask({ user: '[files]\ndeny = [".vscode"]' }, file('write', '.vscode/x'))).toMatchObject({
      code: 'deny-set',
      file: 'user.toml',
    });
  });

  test('do not lift a user’s own denial by name', () => {
    expect(ask({ user: '[files]\ndeny = [".vscode"]\nrelease = [".vscode"]' }, file('read', '.vscode/x')).code).toBe(
      'deny-set',
    );
  });

  test('of a managed policy limit those of a user', () => {
    const user = '[files]\nrelease = [".vscode", ".idea"]';
    expect(ask({ user, managed: '[files]\nrelease = [".vscode"]' }, file('write', '.vscode/x')).decision).toBe('allow');
    expect(ask({ user, managed: '[files]\nrelease = [".vscode"]' }, file('write', '.idea/x'))).toMatchObject({
      decision: 'deny',
      layer: 'managed',
      code: 'protected-path',
    });
    expect(ask({ user, managed: '[files]\nrelease = []' }, file('write', '.vscode/x')).layer).toBe('managed');
    expect(ask({ user, managed: '[files]' }, file('write', '.idea/x')).decision).toBe('allow');
  });
});

describe('without a user layer', () => {
  test('nothing is allowed, whatever other layers say', () => {
    const policy = policyOf([bareLayer('project', '[files]\nread = ["/"]')]);
    for (const operation of operations)
      expect(decide(policy, file(operation, '/usr/bin/env'))).toMatchObject({
        decision: 'deny',
        code: 'not-granted',
        rule: 'closed',
      });
  });
});
