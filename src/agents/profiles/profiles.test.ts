import { describe, expect, test } from 'vitest';
import { buildPolicy } from '../../place/build-policy.ts';
import { providers } from '../../policy/builtin/providers/index.ts';
import { decide } from '../../policy/decide.ts';
import { parseHostPattern } from '../../policy/patterns/host-pattern.ts';
import type { PolicyRequest } from '../../policy/request.ts';
import { isProfileName, profileNames, profileNeeds, profiles } from './profiles.ts';

const home = '/home/dev';

test('there are seven', () => {
  expect(profileNames).toEqual(['claude', 'codex', 'gemini', 'opencode', 'qwen', 'copilot', 'cline', 'pi']);
  expect(['constructor', '__proto__', 'Claude', ''].map(isProfileName)).toEqual([false, false, false, false]);
});

describe.each(profileNames)('%s', (name) => {
  const profile = profiles[name];

  test('names one port of each host, and no wildcard', () => {
    for (const pattern of [
      ...profile.hosts.map((host) => host.pattern),
      ...profile.credentials.map(({ host }) => host),
    ]) {
      expect(parseHostPattern(pattern)).toMatchObject({ host: { kind: 'exact' }, ports: { from: 443, to: 443 } });
    }
  });

  test('has credentials that the table of providers knows, for the host that they are good for', () => {
    for (const { provider, variable, host, named } of profile.credentials) {
      const row = Object.entries(providers).find(([key]) => key === provider)?.[1];
      const known = row?.variables.map((each) => each.name) ?? [];
      expect(known.includes(variable)).toBe(named !== 'agent');
      expect(row?.ways[0].hosts.map((each) => `${each}:443`)).toContain(host);
    }
  });

  test('has sources, and a variable for each of its folders', () => {
    for (const source of profile.sources) expect(source).toMatch(/^https:\/\//u);
    expect(profile.state.length).toBeGreaterThan(0);
    expect(new Set(profile.state.map(({ folder }) => folder)).size).toBe(profile.state.length);
  });

  test('grants one directory of its own, and no secret', () => {
    const secret = 'EXAMPLE-canary';
    const environment = Object.fromEntries(profile.credentials.map(({ variable }) => [variable, secret]));
    const { grants, directories, notices } = profileNeeds(name, { home, environment });
    expect(grants.write).toEqual([`${home}/.local/share/holdfast-agents/${name}`]);
    expect(grants.read).toBeUndefined();
    for (const directory of directories) expect(directory).toContain(`/holdfast-agents/${name}`);
    for (const [variable, value] of Object.entries(grants.variables ?? {}))
      if (profile.fixed?.[variable] === undefined)
        expect(value.startsWith(`${home}/.local/share/holdfast-agents/${name}`)).toBe(true);
      else expect(value).toBe(profile.fixed[variable]);
    expect(JSON.stringify([grants, directories, notices])).not.toContain(secret);
  });

  test('without a key names the variable to set', () => {
    const { grants, notices } = profileNeeds(name, { home, environment: {} });
    expect(grants.credentials).toEqual([]);
    expect(notices).toEqual([expect.stringContaining(profile.credentials[0]?.variable ?? '?')]);
  });
});

test('one key is enough for those that work with one; the others get each that is set', () => {
  const environment = { ANTHROPIC_API_KEY: 'a', CLAUDE_CODE_OAUTH_TOKEN: 'b', GEMINI_API_KEY: 'c' };
  expect(profileNeeds('claude', { home, environment }).grants).toMatchObject({
    credentials: [{ provider: 'anthropic-oauth' }],
    hosts: ['api.anthropic.com:443'],
  });
  expect(profileNeeds('opencode', { home, environment }).grants).toMatchObject({
    credentials: [{ provider: 'anthropic' }, { provider: 'gemini' }],
    hosts: ['models.dev:443', 'api.anthropic.com:443', 'generativelanguage.googleapis.com:443'],
  });
});

test('a variable that is set to nothing is not set, and without any key the hosts are those of the first', () => {
  const { grants, notices } = profileNeeds('claude', {
    home,
    environment: { CLAUDE_CODE_OAUTH_TOKEN: '', ANTHROPIC_API_KEY: 'a' },
  });
  expect(grants.credentials).toEqual([{ provider: 'anthropic', environment: 'ANTHROPIC_API_KEY' }]);
  expect(notices).toEqual([]);
  expect(profileNeeds('opencode', { home, environment: { OPENAI_API_KEY: '' } }).grants).toMatchObject({
    credentials: [],
    hosts: ['models.dev:443', 'api.anthropic.com:443'],
  });
});

test('a protected name that an agent makes for itself may be made in its own directory alone', () => {
  const base = `${home}/.local/share/holdfast-agents`;
  expect(
    Object.fromEntries(
      profileNames.map((name) => [name, profileNeeds(name, { home, environment: {} }).grants.release]),
    ),
  ).toEqual({
    claude: [`${base}/claude/.claude.json`],
    codex: undefined,
    gemini: [`${base}/gemini/.gemini`],
    opencode: undefined,
    qwen: undefined,
    copilot: undefined,
    cline: undefined,
    pi: undefined,
  });
  // A directory in place of a file would break the agent.
  expect(profileNeeds('claude', { home, environment: {} }).directories).toEqual([`${base}/claude`, `${base}/claude`]);
  expect(profileNeeds('gemini', { home, environment: {} }).directories).toContain(`${base}/gemini/.gemini`);
  expect(profileNeeds('opencode', { home, environment: {} })).toMatchObject({
    directories: [
      `${base}/opencode`,
      `${base}/opencode/data`,
      `${base}/opencode/state`,
      `${base}/opencode/cache`,
      `${base}/opencode/config`,
    ],
    grants: { variables: { XDG_DATA_HOME: `${base}/opencode/data`, XDG_CONFIG_HOME: `${base}/opencode/config` } },
  });
});

// A new grant in a profile applies to everyone who uses it, so each must be listed here as well.
test('everything that a profile grants, with all of its keys, is this', () => {
  const base = `${home}/.local/share/holdfast-agents`;
  const keys = Object.fromEntries(
    profileNames.flatMap((name) => profiles[name].credentials.map(({ variable }) => [variable, 'x'])),
  );
  const granted = Object.fromEntries(
    profileNames.map((name) => [
      name,
      profileNeeds(name, {
        home,
        environment: {
          ...keys,
          HOME: home,
          PATH: '/bin',
          GITHUB_TOKEN: 'x',
          COPILOT_MODEL: 'm',
          OPENAI_BASE_URL: 'https://api.openai.com/v1',
        },
      }).grants,
    ]),
  );
  expect(granted).toEqual({
    claude: {
      write: [`${base}/claude`],
      release: [`${base}/claude/.claude.json`],
      hosts: ['api.anthropic.com:443'],
      variables: { CLAUDE_CONFIG_DIR: `${base}/claude`, IS_SANDBOX: '1' },
      credentials: [{ provider: 'anthropic-oauth', environment: 'CLAUDE_CODE_OAUTH_TOKEN' }],
    },
    codex: {
      write: [`${base}/codex`],
      hosts: ['api.openai.com:443'],
      variables: { CODEX_HOME: `${base}/codex` },
      credentials: [{ provider: 'openai', environment: 'OPENAI_API_KEY' }],
    },
    gemini: {
      write: [`${base}/gemini`],
      release: [`${base}/gemini/.gemini`],
      hosts: ['generativelanguage.googleapis.com:443'],
      variables: { GEMINI_CLI_HOME: `${base}/gemini` },
      credentials: [{ provider: 'gemini', environment: 'GEMINI_API_KEY' }],
    },
    opencode: {
      write: [`${base}/opencode`],
      hosts: ['models.dev:443', 'api.anthropic.com:443', 'api.openai.com:443', 'generativelanguage.googleapis.com:443'],
      variables: {
        XDG_DATA_HOME: `${base}/opencode/data`,
        XDG_STATE_HOME: `${base}/opencode/state`,
        XDG_CACHE_HOME: `${base}/opencode/cache`,
        XDG_CONFIG_HOME: `${base}/opencode/config`,
      },
      credentials: [
        { provider: 'anthropic', environment: 'ANTHROPIC_API_KEY' },
        { provider: 'openai', environment: 'OPENAI_API_KEY' },
        { provider: 'gemini', environment: 'GEMINI_API_KEY' },
      ],
    },
    qwen: {
      write: [`${base}/qwen`],
      environment: ['OPENAI_BASE_URL'],
      hosts: ['api.openai.com:443'],
      variables: { QWEN_HOME: `${base}/qwen`, NODE_COMPILE_CACHE: `${base}/qwen/node-compile-cache` },
      credentials: [{ provider: 'openai', environment: 'OPENAI_API_KEY' }],
    },
    copilot: {
      write: [`${base}/copilot`],
      environment: ['COPILOT_MODEL'],
      hosts: ['api.openai.com:443'],
      variables: { COPILOT_HOME: `${base}/copilot`, COPILOT_AUTO_UPDATE: 'false' },
      credentials: [
        {
          provider: 'openai',
          environment: 'COPILOT_PROVIDER_API_KEY',
          delivered: ['COPILOT_PROVIDER_API_KEY'],
        },
      ],
    },
    cline: {
      write: [`${base}/cline`],
      hosts: ['api.anthropic.com:443'],
      variables: { CLINE_DIR: `${base}/cline` },
      credentials: [{ provider: 'anthropic', environment: 'ANTHROPIC_API_KEY' }],
    },
    pi: {
      write: [`${base}/pi`],
      hosts: ['api.anthropic.com:443', 'api.openai.com:443', 'generativelanguage.googleapis.com:443'],
      variables: {
        PI_CODING_AGENT_DIR: `${base}/pi`,
        NODE_COMPILE_CACHE: `${base}/pi/node-compile-cache`,
        PI_SKIP_VERSION_CHECK: '1',
        PI_TELEMETRY: '0',
      },
      credentials: [
        { provider: 'anthropic', environment: 'ANTHROPIC_API_KEY' },
        { provider: 'openai', environment: 'OPENAI_API_KEY' },
        { provider: 'gemini', environment: 'GEMINI_API_KEY' },
      ],
    },
  });
});

describe('a profile opens nothing that another layer closes', () => {
  const base = `${home}/.local/share/holdfast-agents/claude`;
  const requests: Readonly<Record<string, PolicyRequest>> = {
    host: { kind: 'connect', host: 'api.anthropic.com', port: 443, protocol: 'tcp' },
    file: { kind: 'file', operation: 'write', path: `${base}/settings.json` },
  };
  const closing = `version = 1\n[network]\ndeny = ["api.anthropic.com"]\n[files]\ndeny = ["${base}"]\n`;
  const decided = (kind: 'managed' | 'user' | 'project' | 'session', text: string) => {
    const { grants } = profileNeeds('claude', { home, environment: {} });
    const workspace = '/home/dev/app';
    const policy = buildPolicy({
      home,
      workspace: { root: workspace, gitDirectories: [], cwd: workspace },
      visible: [],
      userFile: '/home/dev/.config/holdfast/policy.toml',
      sources: [{ kind, file: `/etc/${kind}.toml`, text }],
      grants,
      ownDirectories: [],
    });
    return Object.entries(requests).map(([name, request]) => `${name} ${decide(policy, request).decision}`);
  };

  test.each(['managed', 'user', 'project', 'session'] as const)('by %s', (kind) => {
    expect(decided(kind, 'version = 1\n')).toEqual(['host allow', 'file allow']);
    expect(decided(kind, closing)).toEqual(['host deny', 'file deny']);
  });
});
