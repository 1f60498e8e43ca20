import { join } from 'node:path';
import type { Grants } from '../../place/grants.ts';

/** Needs of a known agent beyond the defaults. Facts with sources; no decisions. */
export interface Profile {
  readonly title: string;
  readonly sources: readonly string[];
  /** Host patterns with a port, and their use. Hosts of its credentials are not repeated. */
  readonly hosts: readonly { readonly pattern: string; readonly reason: string }[];
  /** Variables that move the agent's own files, and their folders below its state directory. */
  readonly state: readonly { readonly variable: string; readonly folder: string }[];
  /** Variables with this value in all of its boxes. */
  readonly fixed?: Readonly<Record<string, string>>;
  /** Variables that are not secret, and that its user sets. */
  readonly passed?: readonly string[];
  /** Protected names below the state directory that the agent creates itself. */
  readonly own?: readonly { readonly path: string; readonly kind: 'directory' | 'file' }[];
  /**
   * Providers whose keys it works with: the first whose variable is set for Holdfast. `all`: all whose variable is set.
   */
  readonly credentials: readonly ProfileCredential[];
  readonly uses: 'first' | 'all';
}

export interface ProfileCredential {
  /** Name in the table of providers. */
  readonly provider: string;
  /** Variable with the secret outside of the box, and the phantom inside. */
  readonly variable: string;
  /** `agent`: the agent has its own variable, which the provider does not have. Default: `provider`. */
  readonly named?: 'provider' | 'agent';
  readonly host: string;
}

const anthropic = { provider: 'anthropic', variable: 'ANTHROPIC_API_KEY', host: 'api.anthropic.com:443' };
const openai = { provider: 'openai', variable: 'OPENAI_API_KEY', host: 'api.openai.com:443' };
const gemini = { provider: 'gemini', variable: 'GEMINI_API_KEY', host: 'generativelanguage.googleapis.com:443' };

/**
 * For agents that call `module.enableCompileCache()`. By default Node keeps its cache in the temporary directory, and
 * each box has a new one (https://nodejs.org/api/module.html#module-compile-cache).
 */
const compiled = { variable: 'NODE_COMPILE_CACHE', folder: 'node-compile-cache' };

type KnownAgent = 'claude' | 'codex' | 'gemini' | 'opencode' | 'qwen' | 'copilot' | 'cline' | 'pi';

const table: Readonly<Record<KnownAgent, Profile>> = {
  claude: {
    title: 'Claude Code',
    sources: [
      'https://docs.claude.com/en/docs/claude-code/settings#environment-variables',
      'https://docs.claude.com/en/docs/claude-code/network-config',
    ],
    hosts: [],
    state: [{ variable: 'CLAUDE_CONFIG_DIR', folder: '.' }],
    own: [{ path: '.claude.json', kind: 'file' }],
    // As root, the agent learns only from this variable that it is in a sandbox. Without it, it asks for permissions in
    // vain.
    fixed: { IS_SANDBOX: '1' },
    credentials: [
      { provider: 'anthropic-oauth', variable: 'CLAUDE_CODE_OAUTH_TOKEN', host: 'api.anthropic.com:443' },
      anthropic,
    ],
    uses: 'first',
  },
  codex: {
    title: 'Codex',
    sources: ['https://developers.openai.com/codex/config-advanced', 'https://developers.openai.com/codex/auth'],
    hosts: [],
    state: [{ variable: 'CODEX_HOME', folder: '.' }],
    credentials: [openai],
    uses: 'first',
  },
  gemini: {
    title: 'Gemini CLI',
    sources: [
      'https://geminicli.com/docs/reference/configuration',
      'https://geminicli.com/docs/get-started/authentication',
    ],
    hosts: [],
    state: [{ variable: 'GEMINI_CLI_HOME', folder: '.' }],
    own: [{ path: '.gemini', kind: 'directory' }],
    credentials: [gemini],
    uses: 'first',
  },
  opencode: {
    title: 'OpenCode',
    sources: ['https://opencode.ai/docs/providers', 'https://opencode.ai/docs/troubleshooting'],
    hosts: [{ pattern: 'models.dev:443', reason: 'the list of models, which it reads at its start' }],
    // OpenCode has no single variable for its files. Programs that it starts find their files there too.
    state: [
      { variable: 'XDG_DATA_HOME', folder: 'data' },
      { variable: 'XDG_STATE_HOME', folder: 'state' },
      { variable: 'XDG_CACHE_HOME', folder: 'cache' },
      { variable: 'XDG_CONFIG_HOME', folder: 'config' },
    ],
    credentials: [anthropic, openai, gemini],
    uses: 'all',
  },
  qwen: {
    title: 'Qwen Code',
    sources: ['https://qwenlm.github.io/qwen-code-docs/en/users/configuration/settings'],
    hosts: [],
    state: [{ variable: 'QWEN_HOME', folder: '.' }, compiled],
    passed: ['OPENAI_BASE_URL', 'OPENAI_MODEL'],
    credentials: [openai],
    uses: 'first',
  },
  copilot: {
    title: 'GitHub Copilot CLI',
    // `copilot help providers`
    sources: ['https://docs.github.com/en/copilot/how-tos/copilot-cli'],
    hosts: [],
    state: [{ variable: 'COPILOT_HOME', folder: '.' }],
    fixed: { COPILOT_AUTO_UPDATE: 'false' },
    passed: [
      'COPILOT_PROVIDER_BASE_URL',
      'COPILOT_PROVIDER_TYPE',
      'COPILOT_PROVIDER_WIRE_API',
      'COPILOT_MODEL',
      'COPILOT_PROVIDER_MODEL_ID',
      'COPILOT_PROVIDER_WIRE_MODEL',
    ],
    credentials: [{ ...openai, variable: 'COPILOT_PROVIDER_API_KEY', named: 'agent' }],
    uses: 'first',
  },
  cline: {
    title: 'Cline',
    sources: ['https://docs.cline.bot/cline-cli/overview'],
    hosts: [],
    state: [{ variable: 'CLINE_DIR', folder: '.' }],
    credentials: [anthropic, openai],
    uses: 'first',
  },
  pi: {
    title: 'Pi',
    sources: ['https://github.com/earendil-works/pi/blob/main/packages/coding-agent/docs/environment-variables.md'],
    hosts: [],
    state: [{ variable: 'PI_CODING_AGENT_DIR', folder: '.' }, compiled],
    fixed: { PI_SKIP_VERSION_CHECK: '1', PI_TELEMETRY: '0' },
    credentials: [anthropic, openai, gemini],
    uses: 'all',
  },
};

export type ProfileName = keyof typeof table;

export const profileNames = Object.keys(table) as readonly ProfileName[];

export const profiles: Readonly<Record<ProfileName, Profile>> = table;

export function isProfileName(name: string): name is ProfileName {
  return Object.hasOwn(table, name);
}

interface ProfileNeeds {
  readonly grants: Grants;
  /**
   * Directories that must exist, as absolute paths. They hold the agent's own files, apart from those of the same agent
   * outside.
   */
  readonly directories: readonly string[];
  /** Notices for its user, one line each. */
  readonly notices: readonly string[];
}

interface ProfilePlace {
  readonly home: string;
  /** Environment of Holdfast. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Resolves a profile for this home and environment. The agent gets a state directory of its own,
 * `~/.local/share/holdfast-agents/NAME`. Its files there configure it only in boxes, never outside of them. Its key
 * stays outside: the box gets a phantom.
 */
export function profileNeeds(name: ProfileName, { home, environment }: ProfilePlace): ProfileNeeds {
  const { title, hosts, state, own = [], fixed = {}, passed = [], credentials: all, uses } = profiles[name];
  const set = all.filter(({ variable }) => (environment[variable] ?? '') !== '');
  const credentials = uses === 'first' ? set.slice(0, 1) : set;
  const base = join(home, '.local/share/holdfast-agents', name);
  // Without a key, the hosts of the first provider are open: the policy may have its own credential for them.
  const reached = (credentials.length > 0 ? credentials : all.slice(0, 1)).map(({ host }) => host);
  return {
    grants: {
      write: [base],
      ...(own.length === 0 ? {} : { release: own.map(({ path }) => join(base, path)) }),
      ...(passed.length === 0 ? {} : { environment: passed.filter((variable) => environment[variable] !== undefined) }),
      hosts: [...new Set([...hosts.map(({ pattern }) => pattern), ...reached])],
      variables: {
        ...fixed,
        ...Object.fromEntries(state.map(({ variable, folder }) => [variable, join(base, folder)])),
      },
      credentials: credentials.map(({ provider, variable, named }) => ({
        provider,
        environment: variable,
        ...(named === 'agent' ? { delivered: [variable] } : {}),
      })),
    },
    directories: [
      base,
      ...state.map(({ folder }) => join(base, folder)),
      ...own.flatMap(({ path, kind }) => (kind === 'directory' ? [join(base, path)] : [])),
    ],
    notices:
      credentials.length > 0
        ? []
        : [
            `${title} has no key here: set ${all.map(({ variable }) => variable).join(' or ')}, or write a credential into your policy`,
          ],
  };
}
