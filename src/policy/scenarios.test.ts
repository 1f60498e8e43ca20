import { describe, expect, test } from 'vitest';
import { decide } from './decide.ts';
import type { PolicyRequest } from './request.ts';
import { environmentOf } from './settings/build-environment.ts';
import { limitsOf } from './settings/limits.ts';
import { policyFrom, type PolicyTexts } from './testing/policies.ts';
import { connect, dns, env, exec, file, http, signal, socket, tool } from './testing/requests.ts';

/** Policies as people write them, each with its expected results. */
interface Scenario {
  readonly title: string;
  readonly texts: PolicyTexts;
  readonly expected: readonly (readonly [PolicyRequest, string, string?])[];
}

const scenarios: readonly Scenario[] = [
  {
    title: 'a developer without any configuration runs a build',
    texts: {},
    expected: [
      [exec('npm', 'ci'), 'allow'],
      [file('execute', '/usr/bin/node'), 'allow'],
      [file('execute', '~/.nvm/versions/node/v24.0.0/bin/node'), 'allow'],
      [file('read', 'package-lock.json'), 'allow'],
      [file('read', '~/.npm/_cacache/index-v5/a'), 'allow'],
      [file('create', '~/.npm/_cacache/tmp/a'), 'allow'],
      [file('create', 'node_modules/.package-lock.json'), 'allow'],
      [file('create', 'node_modules/.bin/eslint'), 'allow'],
      [file('create', 'node_modules/.bin/git'), 'deny', 'protected-path'],
      [file('write', 'dist/index.js'), 'allow'],
      [file('create', '/tmp/node-compile-cache/x'), 'allow'],
      [file('read', '~/.npmrc'), 'deny', 'credential-store'],
      [connect('registry.npmjs.org'), 'deny', 'not-granted'],
      [env('NODE_ENV'), 'allow'],
      [env('NPM_TOKEN'), 'deny', 'not-granted'],
      [env('NODE_OPTIONS'), 'deny', 'not-granted'],
    ],
  },
  {
    title: 'git works in the box, and cannot be turned against its user',
    texts: {},
    expected: [
      [exec('git', 'commit', '-m', 'x'), 'allow'],
      [file('write', '.git/index'), 'allow'],
      [file('create', '.git/index.lock'), 'allow'],
      [file('delete', '.git/index.lock'), 'allow'],
      [file('create', '.git/refs/heads/topic'), 'allow'],
      [file('create', '.git/worktrees/topic/HEAD'), 'allow'],
      [file('write', '.git/logs/HEAD'), 'allow'],
      [file('write', '.git/refs/stash'), 'allow'],
      [file('write', '.git/FETCH_HEAD'), 'allow'],
      [file('read', '~/.gitconfig'), 'allow'],
      [file('read', '~/.config/git/ignore'), 'allow'],
      [file('create', '.git/hooks/post-checkout'), 'deny', 'protected-path'],
      [file('write', '.git/config'), 'deny', 'protected-path'],
      [file('delete', '.git'), 'deny', 'protected-path'],
      [file('write', '~/.gitconfig'), 'deny'],
      [file('read', '~/.git-credentials'), 'deny', 'credential-store'],
      [file('read', '~/.config/git/credentials'), 'deny', 'credential-store'],
      [env('GIT_SSH_COMMAND'), 'deny'],
      [env('SSH_AUTH_SOCK'), 'deny'],
      [socket('/run/user/1000/keyring/ssh'), 'deny'],
    ],
  },
  {
    title: 'a data scientist shows one data set and a scratch disk',
    texts: {
      user: '[files]\nread = ["/data/public", "~/notebooks"]\nwrite = ["/scratch"]\nephemeral = ["~/.local/share/jupyter"]\n[limits]\nmemory = "90%"\nprocesses = "none"\n',
    },
    expected: [
      [file('read', '/data/public/a.csv'), 'allow'],
      [file('write', '/data/public/a.csv'), 'deny', 'not-granted'],
      [file('read', '/data/private/a.csv'), 'deny', 'not-granted'],
      [file('read', '~/notebooks/x.ipynb'), 'allow'],
      [file('write', '/scratch/run-1/model.bin'), 'allow'],
      [file('write', '~/.local/share/jupyter/nbsignatures.db'), 'allow'],
      [file('read', '~/.local/share/jupyter/runtime/kernel.json'), 'deny', 'credential-store'],
      [file('write', '/scratch/repo/.git/hooks/x'), 'deny', 'protected-path'],
      [file('read', '/scratch/.env'), 'deny', 'hidden-file'],
    ],
  },
  {
    title: 'a team lets an agent reach its database and two hosts, and asks before it pushes',
    texts: {
      user: '[network]\nhosts = ["api.github.com:443", "*.npmjs.org:443", "10.20.0.0/16:5432", "localhost:3000"]\n[commands]\nask = ["git push *", "npm publish *"]\ndeny = ["git push --force *"]\n[tools]\nallow = ["github/get_*", "github/list_*"]\nask = ["github/create_*"]\ndeny = ["github/delete_*"]\n',
    },
    expected: [
      [connect('api.github.com'), 'allow'],
      [connect('github.com'), 'deny', 'not-granted'],
      [connect('api.github.com', 22), 'deny', 'not-granted'],
      [connect('registry.npmjs.org'), 'allow'],
      [connect('npmjs.org'), 'deny', 'not-granted'],
      [connect('10.20.3.4', 5432), 'allow'],
      [connect('10.20.3.4', 22), 'deny', 'not-granted'],
      [connect('0x0a140304', 5432), 'allow'],
      [connect('127.0.0.1', 3000), 'allow'],
      [dns('registry.npmjs.org'), 'allow'],
      [dns('exfil.example.com'), 'deny', 'not-granted'],
      [dns('secret.registry.npmjs.org.evil.test'), 'deny', 'not-granted'],
      [http('POST', 'https://api.github.com/repos'), 'allow'],
      [exec('git', 'push', 'origin', 'main'), 'ask'],
      [exec('git', 'push', '--force', 'origin'), 'deny', 'deny-set'],
      [exec('git', 'pull'), 'allow'],
      [exec('npm', 'publish', '--tag', 'next'), 'ask'],
      [tool('github/get_issue'), 'allow'],
      [tool('github/create_issue'), 'ask'],
      [tool('github/delete_repo'), 'deny'],
      [tool('github/merge'), 'ask', 'not-granted'],
    ],
  },
  {
    title: 'a company bounds what its developers may grant',
    texts: {
      managed:
        '[files]\nread = ["~/app", "/srv/shared"]\nwrite = ["~/app"]\ndeny = ["**/customer-data"]\nrelease = [".vscode"]\n[network]\nhosts = ["*.corp.test", "registry.npmjs.org:443"]\n[limits]\nmemory = "8GiB"\nwall = "8h"\n[process]\nptrace = "deny"\n',
      user: '[files]\nread = ["/srv", "~/private"]\nwrite = ["~/elsewhere"]\nrelease = [".vscode", ".idea"]\n[network]\nhosts = ["any"]\n[process]\nptrace = "allow"\n[limits]\nmemory = "64GiB"\n',
    },
    expected: [
      [file('read', 'src/x'), 'allow'],
      [file('write', 'src/x'), 'allow'],
      [file('read', '/srv/shared/x'), 'allow'],
      [file('read', '/srv/other/x'), 'deny', 'outside-ceiling'],
      [file('read', '~/private/x'), 'deny', 'outside-ceiling'],
      [file('write', '~/elsewhere/x'), 'deny', 'outside-ceiling'],
      [file('read', 'src/customer-data/x'), 'deny', 'deny-set'],
      [file('read', 'src/Customer-Data/x'), 'deny', 'deny-set'],
      [file('write', '.vscode/settings.json'), 'allow'],
      [file('write', '.idea/workspace.xml'), 'deny', 'protected-path'],
      [file('read', '/usr/lib/x'), 'allow'],
      [file('write', '/tmp/x'), 'allow'],
      [connect('git.corp.test'), 'allow'],
      [connect('registry.npmjs.org'), 'allow'],
      [connect('registry.npmjs.org', 80), 'deny', 'outside-ceiling'],
      [connect('example.com'), 'deny', 'outside-ceiling'],
    ],
  },
  {
    title: 'a hostile project tries everything its policy file can say',
    texts: {
      project:
        '[files]\nread = ["/", "~/.ssh", "~/.aws"]\nwrite = ["/", "~"]\nephemeral = ["~/.config"]\n[network]\nhosts = ["any"]\n[sockets]\nallow = ["/", "@*"]\n[commands]\nallow = ["*"]\n[environment]\npass = ["*", "AWS_SECRET_ACCESS_KEY"]\n[tools]\nallow = ["*/*"]\n[limits]\nmemory = "none"\nprocesses = "none"\n[process]\nptrace = "allow"\n[[file]]\nname = "open"\ndecision = "allow"\npaths = ["/"]\n[[connect]]\nname = "open-net"\ndecision = "allow"\nhosts = ["any"]\n[[signal]]\nname = "open-signals"\ndecision = "allow"\n[[trust]]\nname = "trust-me"\ndecision = "allow"\npaths = ["/"]\n[[env]]\nname = "open-env"\ndecision = "allow"\nnames = ["*"]\n[[tool]]\nname = "open-tools"\ndecision = "allow"\ntools = ["*"]\n[[propose]]\nname = "more"\nreason = "please"\nfiles = { read = ["~"] }\n',
    },
    expected: [
      [file('read', '~/.ssh/id_ed25519'), 'deny', 'credential-store'],
      [file('read', '~/.aws/credentials'), 'deny', 'credential-store'],
      [file('read', '~/notes'), 'deny', 'not-granted'],
      [file('write', '~/.bashrc'), 'deny'],
      [file('write', '~/.config/x'), 'deny', 'not-granted'],
      [file('write', '/usr/bin/x'), 'deny', 'not-granted'],
      [file('write', '.git/hooks/x'), 'deny', 'protected-path'],
      [file('write', 'holdfast.toml'), 'deny', 'policy-file'],
      [file('read', '.env'), 'deny', 'hidden-file'],
      [connect('evil.test'), 'deny', 'not-granted'],
      [connect('evil.test', 53, 'udp'), 'deny', 'not-granted'],
      [dns('evil.test'), 'deny', 'not-granted'],
      [http('POST', 'https://evil.test/'), 'deny', 'not-granted'],
      [socket('/run/docker.sock'), 'deny', 'not-granted'],
      [socket('@/tmp/.X11-unix/X0'), 'deny', 'not-granted'],
      [signal('SIGKILL', 'outside'), 'deny'],
      [signal('SIGKILL', 'supervisor'), 'deny'],
      [env('AWS_SECRET_ACCESS_KEY'), 'deny', 'not-granted'],
      [env('LD_PRELOAD'), 'deny', 'not-granted'],
      [tool('shell/run'), 'ask', 'not-granted'],
      [{ kind: 'trust', path: '/home/dev/app/.mcp.json', sha256: 'a'.repeat(64) }, 'ask', 'not-granted'],
    ],
  },
  {
    title: 'a reviewer reads a repository and changes nothing of it',
    texts: {
      session:
        '[files]\nwrite = []\n[network]\nhosts = []\n[[exec]]\nname = "no-package-scripts"\ndecision = "deny"\ncommands = ["npm", "yarn", "pnpm"]\n',
    },
    expected: [
      [file('read', 'src/x'), 'allow'],
      [file('write', 'src/x'), 'deny', 'outside-ceiling'],
      [file('create', 'x'), 'deny', 'outside-ceiling'],
      [file('delete', 'src'), 'deny', 'outside-ceiling'],
      [file('write', '.git/index'), 'deny', 'outside-ceiling'],
      [file('write', '/tmp/x'), 'allow'],
      [file('write', '/dev/null'), 'allow'],
      [exec('rg', 'TODO'), 'allow'],
      [exec('npm', 'install'), 'deny', 'rule'],
      [{ ...exec('npm', 'install'), program: '/home/dev/.nvm/versions/node/v24/bin/npm' }, 'deny', 'rule'],
      [connect('example.com'), 'deny', 'not-granted'],
    ],
  },
  {
    title: 'a monorepo lets an agent work in one package',
    texts: {
      project:
        '[files]\nwrite = ["packages/web", "package-lock.json", "node_modules"]\nprotect = ["packages/web/public/legal"]\ndeny = ["packages/billing"]\n[[file]]\nname = "generated"\ndecision = "deny"\npaths = ["packages/*/src/generated"]\noperations = ["write", "create", "delete"]\n',
    },
    expected: [
      [file('write', 'packages/web/src/x.ts'), 'allow'],
      [file('write', 'packages/api/src/x.ts'), 'deny', 'outside-ceiling'],
      [file('read', 'packages/api/src/x.ts'), 'allow'],
      [file('read', 'packages/billing/x'), 'deny', 'deny-set'],
      [file('write', 'packages/web/public/legal/terms.md'), 'deny'],
      [file('read', 'packages/web/public/legal/terms.md'), 'allow'],
      [file('delete', 'packages/web/public'), 'deny'],
      [file('write', 'packages/web/src/generated/api.ts'), 'deny', 'rule'],
      [file('read', 'packages/web/src/generated/api.ts'), 'allow'],
      [file('create', 'node_modules/x/index.js'), 'allow'],
      [file('write', 'package-lock.json'), 'allow'],
      [file('write', 'package.json'), 'deny', 'outside-ceiling'],
    ],
  },
];

describe.each(scenarios)('$title', ({ texts, expected }) => {
  const policy = policyFrom(texts);

  test.each(expected.map(([request, decision, code]) => ({ request, decision, code })))(
    '$request: $decision $code',
    ({ request, decision, code }) => {
      const verdict = decide(policy, request);
      expect(verdict.decision, verdict.message).toBe(decision);
      if (code !== undefined) expect(verdict.code, verdict.message).toBe(code);
    },
  );
});

test('a hostile project gains no memory, no processes and no variables', () => {
  const hostile = policyFrom(scenarios.find(({ title }) => title.startsWith('a hostile'))?.texts);
  const plain = policyFrom();
  const facts = { memory: 2 ** 34 };
  expect(limitsOf(hostile, facts)).toEqual(limitsOf(plain, facts));
  const host = { PATH: '/bin', AWS_SECRET_ACCESS_KEY: 'x', LD_PRELOAD: 'y', SOMETHING: 'z' };
  expect({ ...environmentOf(hostile, host).environment }).toEqual({ PATH: '/bin' });
});

test('a company bounds memory and time whatever its developers say', () => {
  const company = policyFrom(scenarios.find(({ title }) => title.startsWith('a company'))?.texts);
  expect(limitsOf(company, { memory: 2 ** 40 })).toMatchObject({ memory: 8 * 2 ** 30, wall: 8 * 3_600_000 });
});
