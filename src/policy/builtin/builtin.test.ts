import { describe, expect, test } from 'vitest';
import { explanationFor } from '../command/explain-command.ts';
import { decide } from '../decide.ts';
import { parsePathPattern } from '../patterns/path-pattern.ts';
import { places, policyFrom } from '../testing/policies.ts';
import { file } from '../testing/requests.ts';
import { credentialStores, ownPlaces } from './credential-stores.ts';
import { defaultWrites, ephemeralPlaces, privatePlaces, systemReads } from './defaults.ts';
import { homeReads } from './home-reads.ts';
import { passedVariables } from './passed-variables.ts';
import { isGuardedVariable } from './guarded-variables.ts';
import { hiddenFileNames, hiddenPlaces } from './hidden.ts';
import { protectedNames } from './protected.ts';
import { policyFileNames } from './policy-file-names.ts';
import { shadowedPrograms } from './shadowed-programs.ts';

/** A path that the pattern matches. */
function example(pattern: string): string {
  const path = pattern.replace(/^~/, places.home).replaceAll('*', 'x');
  return path === '.' ? places.workspace : path;
}

/** Grants everything that a user can grant: any remaining denial is required. */
const open = policyFrom({ user: '[files]\nwrite = ["/"]' });
const released = policyFrom({ user: '[files]\nwrite = ["/"]\nrelease = ["/"]' });

describe('credential stores', () => {
  test.each(credentialStores)('$pattern', ({ pattern, reason }) => {
    for (const policy of [open, released]) {
      for (const path of [example(pattern), `${example(pattern)}/beneath`]) {
        expect(decide(policy, file('read', path))).toMatchObject({
          decision: 'deny',
          code: 'credential-store',
          layer: 'required',
          file: 'built-in',
          line: 0,
          rule: `credential-store:${pattern}`,
        });
        expect(decide(policy, file('write', path)).decision).toBe('deny');
      }
    }
    expect(explanationFor(open, file('read', example(pattern))).wouldAllow).toEqual([
      { kind: 'nothing', layer: 'required', reason: 'credential stores never enter the box' },
    ]);
    expect(reason).toMatch(/\w/);
  });

  test.each([
    '~/.ssh',
    '~/.gnupg',
    '~/.aws',
    '~/.azure',
    '~/.config/gcloud',
    '~/.kube',
    '~/.docker/config.json',
    '~/.netrc',
    '~/.git-credentials',
    '~/.config/git/credentials',
    '~/.npmrc',
    '~/.pypirc',
    '~/.config/gh',
    '~/.config/hub',
    '~/.config/op',
    '~/.vault-token',
    '~/.terraform.d/credentials.tfrc.json',
    '~/.cargo/credentials.toml',
    '~/.gem/credentials',
    '~/.m2/settings.xml',
    '~/.m2/settings-security.xml',
    '~/.gradle/gradle.properties',
    '~/.mozilla',
    '~/.config/google-chrome',
    '~/.local/share/keyrings',
    '~/.password-store',
    '~/.claude/.credentials.json',
    '~/.codex/auth.json',
    '/etc/shadow',
    '/etc/ssh/ssh_host_ed25519_key',
  ])('%s is one', (path) => {
    expect(decide(released, file('read', path)).code).toBe('credential-store');
  });

  test.each([
    '~/.config/git/config',
    '~/.config/git/ignore',
    '~/.docker/cli-plugins/x',
    '~/.cargo/config.toml',
    '~/.m2/repository/x',
    '~/.gradle/caches/x',
    '~/.claude/settings.json',
    '/etc/passwd',
    '/etc/ssh/ssh_config',
    '/etc/ssl/certs/x',
  ])('%s is not one', (path) => {
    expect(decide(released, file('read', path)).decision).toBe('allow');
  });

  test('those below directories that the defaults grant are plain paths, which the planner can mask', () => {
    const granted = [...systemReads, ...homeReads, ...ephemeralPlaces].map(({ pattern }) => pattern);
    const inside = credentialStores.filter(({ pattern }) => granted.some((place) => pattern.startsWith(`${place}/`)));
    expect(inside.length).toBeGreaterThan(10);
    for (const { pattern } of inside) {
      const twin = pattern.includes('*')
        ? credentialStores.find(
            (other) =>
              other !== undefined &&
              !other.pattern.includes('*') &&
              other.pattern.startsWith(pattern.split('*')[0] ?? ''),
          )
        : pattern;
      expect(twin, pattern).toBeDefined();
    }
  });
});

describe("Holdfast's own places", () => {
  test.each(ownPlaces)('$pattern', ({ pattern }) => {
    for (const policy of [open, released]) {
      expect(decide(policy, file('read', example(pattern)))).toMatchObject({
        decision: 'deny',
        code: 'policy-file',
        layer: 'required',
      });
      expect(decide(policy, file('create', `${example(pattern)}/x`)).code).toBe('policy-file');
    }
  });

  test.each(policyFileNames)('$components may be read and never written', ({ components }) => {
    const path = `${places.workspace}/sub/${components.join('/')}`;
    expect(decide(released, file('read', path)).decision).toBe('allow');
    for (const operation of ['write', 'create', 'delete'] as const)
      expect(decide(released, file(operation, path)).code).toBe('policy-file');
  });
});

describe('hidden names', () => {
  test.each(hiddenFileNames)('$components', ({ components, reason }) => {
    for (const directory of [places.workspace, `${places.workspace}/a/b`, '/srv']) {
      const path = example(`${directory}/${components.join('/')}`);
      expect(decide(open, file('read', path))).toMatchObject({
        decision: 'deny',
        code: 'hidden-file',
        layer: 'user',
        file: 'built-in',
      });
      expect(decide(open, file('create', path)).code).toBe('hidden-file');
      expect(decide(released, file('read', path)).decision).toBe('allow');
      expect(decide(open, file('read', path.toUpperCase().replace(directory.toUpperCase(), directory))).code).toBe(
        'hidden-file',
      );
    }
    expect(reason).toMatch(/\w/);
  });

  test.each(hiddenPlaces)('$pattern', ({ pattern, reason }) => {
    expect(decide(open, file('read', example(pattern)))).toMatchObject({ code: 'hidden-file' });
    expect(decide(released, file('read', example(pattern))).decision).toBe('allow');
    expect(reason).toMatch(/\w/);
  });

  test.each([
    '.env.example',
    '.env.sample',
    '.env.template',
    '.env.dist',
    '.envrc',
    'env',
    'x.env',
    '.environment',
    'id_rsa.pub',
    'cert.pem',
    'key.pem',
    'package.json',
    'terraform.tf',
    'history',
  ])('%s is not hidden', (name) => {
    expect(decide(open, file('read', `${places.workspace}/${name}`)).decision).toBe('allow');
  });

  test.each([
    'refs/heads/jenkinsfile',
    'refs/tags/wallet.dat',
    'logs/refs/heads/deploy_key',
    'modules/a/refs/heads/hie.yaml',
  ])('a branch may have any name: %s', (name) => {
    for (const operation of ['read', 'create', 'write'] as const)
      expect(decide(open, file(operation, `${places.workspace}/.git/${name}`)).decision).toBe('allow');
  });

  test('files of packages are theirs', () => {
    expect(decide(open, file('create', `${places.workspace}/node_modules/dotenv/.env`)).decision).toBe('allow');
  });
});

describe('protected names', () => {
  const names = [...protectedNames, ...shadowedPrograms];

  test.each(names.filter(({ depth }) => depth === 'beneath'))('$components', ({ components, scope, reason }) => {
    for (const directory of [places.workspace, `${places.workspace}/a/b`, '/srv/repo']) {
      const path = example(`${directory}/${components.join('/')}`);
      for (const operation of ['write', 'create', 'delete'] as const) {
        expect(decide(open, file(operation, path)), path).toMatchObject({
          decision: 'deny',
          code: 'protected-path',
          layer: 'user',
          file: 'built-in',
        });
        expect(decide(open, file(operation, `${path}/beneath`)).code).toBe('protected-path');
      }
      expect(decide(open, file('read', path)).decision).toBe('allow');
      expect(decide(released, file('write', path)).decision).toBe('allow');
    }
    const inPackage = example(`${places.workspace}/node_modules/x/${components.join('/')}`);
    expect(decide(open, file('write', inPackage)).decision).toBe(scope === 'anywhere' ? 'deny' : 'allow');
    expect(reason).toMatch(/\w/);
  });

  test.each(names.filter(({ components, depth }) => components.length > 1 && depth === 'beneath'))(
    '$components cannot be carried away',
    ({ components }) => {
      const path = example(`${places.workspace}/${components.slice(0, -1).join('/')}`);
      // `.config` has both protected and hidden names.
      expect(decide(open, file('delete', path)).code).toMatch(/^(?:protected-path|hidden-file)$/u);
    },
  );

  test.each([
    '.git/hooks/x',
    '.git/config',
    '.git/config.worktree',
    '.git/commondir',
    '.git/modules/a/hooks/x',
    '.git/modules/a/config',
    '.git/modules/a/b/config',
    '.git/worktrees/a/config.worktree',
    '.git/worktrees/a/gitdir',
    '.git/info/attributes',
    '.husky/x',
    '.envrc',
    '.vscode/x',
    '.idea/x',
    '.cursor/x',
    '.claude/x',
    '.codex/x',
    '.gemini/x',
    '.opencode/x',
    '.mcp.json',
    '.devcontainer/x',
    '.github/workflows/x',
    '.zed/settings.json',
    '.vibe/config.toml',
    '.windsurf/x',
    '.kiro/x',
    '.clinerules/x',
    'a.code-workspace',
    'a.prompttemplate',
    '.github/prompts/a.prompt.md',
    '.npmrc',
    '.cargo/config.toml',
    '.bashrc',
    '.zshenv',
    '.profile',
    '.config/autostart/x',
    '.hg/sharedpath',
    '.sl/config',
    '.git/sl/config',
    '.trunk/trunk.yaml',
    '.codebuddy/settings.json',
    'node_modules/.bin/git',
  ])('%s of the catalogue is protected', (path) => {
    expect(decide(open, file('write', `${places.workspace}/${path}`)).code).toBe('protected-path');
  });

  test.each([
    '.git/HEAD',
    '.git/index',
    '.git/index.lock',
    '.git/objects/ab/cd',
    '.git/refs/heads/x',
    '.git/logs/HEAD',
    '.git/FETCH_HEAD',
    '.git/ORIG_HEAD',
    '.git/COMMIT_EDITMSG',
    '.git/info/exclude',
    '.git/packed-refs',
    '.git/rebase-merge/done',
    '.git/refs/stash',
    '.git/worktrees/a/HEAD',
    '.git/worktrees/a/index',
    '.git/modules/a/HEAD',
    '.gitignore',
    '.gitattributes',
    '.gitmodules',
    '.github/CODEOWNERS',
    '.github/dependabot.yml',
    'AGENTS.md',
    'CLAUDE.md',
    'package.json',
    'Makefile',
    'hooks/x',
    'config',
    '.editorconfig',
    '.prettierrc',
    'node_modules/.bin/tsc',
    'node_modules/.package-lock.json',
    '.next/x',
    '.cache/x',
    '.venv/bin/python',
    '.tox/x',
    '.pytest_cache/x',
    '.cargo/registry/x',
    '.out/x',
    '.trunk/out/x',
    '.ropeproject/history',
    '.hg/requires',
  ])('git and builds can write %s', (path) => {
    expect(decide(open, file('write', `${places.workspace}/${path}`)).decision).toBe('allow');
  });

  test('a pointer to another git directory cannot be rewritten, and new ones can be made', () => {
    expect(decide(open, file('write', '/srv/worktree/.git')).code).toBe('protected-path');
    expect(decide(open, file('delete', '/srv/worktree/.git')).code).toBe('protected-path');
    expect(decide(open, file('create', '/srv/worktree/.git')).decision).toBe('allow');
  });
});

describe('the data', () => {
  test('has no name that ends in a bare wildcard: the guard would look closer at each file that a box makes', () => {
    const ends = [...protectedNames, ...hiddenFileNames].map(({ components }) => components.at(-1));
    expect(ends.filter((end) => end === undefined || /^[*?]*$/u.test(end))).toEqual([]);
  });

  test('holds only sound patterns', () => {
    const patterns = [
      ...credentialStores,
      ...ownPlaces,
      ...hiddenPlaces,
      ...systemReads,
      ...homeReads,
      ...ephemeralPlaces,
      ...privatePlaces,
      ...defaultWrites,
    ].map(({ pattern }) => pattern);
    for (const pattern of patterns) expect(parsePathPattern(pattern), pattern).toMatchObject({ kind: 'path' });
  });

  test('says everything once', () => {
    for (const list of [
      credentialStores,
      ownPlaces,
      hiddenPlaces,
      systemReads,
      homeReads,
      ephemeralPlaces,
      privatePlaces,
    ]) {
      const patterns = list.map(({ pattern }) => pattern);
      expect(patterns.filter((pattern, index) => patterns.indexOf(pattern) !== index)).toEqual([]);
    }
    const chains = [...hiddenFileNames, ...protectedNames, ...shadowedPrograms, ...policyFileNames].map(
      ({ components }) => components.join('/'),
    );
    expect(chains.filter((chain, index) => chains.indexOf(chain) !== index)).toEqual([]);
    expect(new Set(passedVariables).size).toBe(passedVariables.length);
  });

  test('grants nothing that a credential store would take back', () => {
    for (const { pattern } of [...homeReads, ...ephemeralPlaces, ...systemReads])
      expect(decide(policyFrom(), file('read', example(pattern))).decision, pattern).toBe('allow');
  });
});

describe('guarded variables', () => {
  test.each([
    'LD_PRELOAD',
    'LD_LIBRARY_PATH',
    'DYLD_INSERT_LIBRARIES',
    'NODE_OPTIONS',
    'NODE_PATH',
    'PYTHONPATH',
    'PYTHONSTARTUP',
    'PERL5OPT',
    'PERL5LIB',
    'RUBYOPT',
    'GEM_PATH',
    'JAVA_TOOL_OPTIONS',
    '_JAVA_OPTIONS',
    'BASH_ENV',
    'ENV',
    'BASH_FUNC_ls%%',
    'PROMPT_COMMAND',
    'IFS',
    'CDPATH',
    'GIT_SSH_COMMAND',
    'GIT_CONFIG_COUNT',
    'DOTNET_STARTUP_HOOKS',
    'GOFLAGS',
    'LESSOPEN',
    'npm_config_script_shell',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
    'GITHUB_TOKEN',
    'HF_TOKEN',
    'OPENAI_API_KEY',
    'DB_PASSWORD',
    'SENTRY_DSN',
    'MY_SECRET',
    'api_key',
    'SESSION_COOKIE',
    'DATABASE_URL',
    'DB_URL',
    'POSTGRES_URL',
    'POSTGRESQL_URL',
    'MYSQL_URL',
    'REDIS_URL',
    'MONGODB_URI',
    'MONGODB_URL',
    'MONGO_URL',
    'AMQP_URL',
    'RABBITMQ_URL',
    'CELERY_BROKER_URL',
    'AZURE_STORAGE_CONNECTION_STRING',
    'PIP_INDEX_URL',
    'PIP_EXTRA_INDEX_URL',
    'UV_INDEX_URL',
    'UV_EXTRA_INDEX_URL',
    'KUBECONFIG',
    'DOCKER_HOST',
    'DOCKER_CONFIG',
    'SSH_AUTH_SOCK',
    'SSH_AGENT_PID',
    'GPG_AGENT_INFO',
    'DBUS_SESSION_BUS_ADDRESS',
    'XAUTHORITY',
    'NETRC',
    'PGPASSFILE',
    'PGSERVICEFILE',
    'VAULT_ADDR',
    'OP_SESSION',
  ])('%s', (name) => {
    expect(isGuardedVariable(name)).toBe(true);
  });

  test.each([
    'PATH',
    'HOME',
    'LANG',
    'EDITOR',
    'NODE_ENV',
    'CARGO_HOME',
    'KEYBOARD',
    'MONKEY',
    'TOKENIZERS_PARALLELISM',
    'AUTHOR',
    'PASSENGER',
    'COMPASS',
    'ENVIRONMENT',
    'PS5',
    'GITHUB_ACTIONS',
  ])('%s is not one', (name) => {
    expect(isGuardedVariable(name)).toBe(false);
  });

  test('the default variables are not guarded', () => {
    expect(passedVariables.filter((name) => isGuardedVariable(name))).toEqual([]);
  });
});
