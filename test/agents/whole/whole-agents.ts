import type { AgentDialect, ToolCall } from '../real-clis/dialog.ts';
import { agentPackages, installFolder } from '../real-clis/packages.ts';
import { clis } from '../real-clis/clis.ts';

/** The name of each agent's shell tool. */
export const shellTools = {
  claude: clis.claude.shell,
  codex: clis.codex.shell,
  gemini: clis.gemini.shell,
  opencode: clis.opencode.shell,
  copilot: (command) => ({ name: 'bash', input: { command, description: 'a command' } }),
  cline: (command) => ({ name: 'run_commands', input: { commands: [command] } }),
  pi: (command) => ({ name: 'bash', input: { command } }),
} as const satisfies Readonly<Record<string, (command: string) => ToolCall>>;

/** Starts one agent completely, in a box or without one, with its key. */
export interface WholeAgent {
  /** As in `holdfast run NAME`. */
  readonly name: keyof typeof agentPackages;
  /** Its shell. */
  readonly tools: keyof typeof shellTools;
  readonly dialect: AgentDialect;
  /** Arguments for a run that ends without a person. */
  readonly words: readonly string[];
  /** Arguments for a person at a terminal. */
  readonly fullScreen:
    | { readonly kind: 'tried'; readonly words: readonly string[] }
    | { readonly kind: 'not tried'; readonly why: string };
  /** Options of `holdfast run`. */
  readonly grants: readonly string[];
  readonly key: { readonly variable: string; readonly value: string };
  /** Files of the agent, below the directory of its profile. */
  readonly settings: (workspace: string) => Readonly<Record<string, string>>;
  /** Additional variables; outside a box, one of them points to `state`. */
  readonly environment: (state: string) => Readonly<Record<string, string>>;
}

export const wholeAgents: readonly WholeAgent[] = [
  {
    name: 'claude',
    tools: 'claude',
    dialect: 'anthropic',
    fullScreen: { kind: 'tried', words: ['hello', '--permission-mode', 'bypassPermissions'] },
    words: ['-p', 'hello', '--permission-mode', 'bypassPermissions'],
    grants: [],
    key: { variable: 'ANTHROPIC_API_KEY', value: 'sk-ant-api03-REALrealREALrealREALrealREALreal00' },
    settings: (workspace) => ({
      'settings.json': '{"cleanupPeriodDays": 30, "skipDangerousModePermissionPrompt": true}',
      '.claude.json': JSON.stringify({
        hasCompletedOnboarding: true,
        projects: { [workspace]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
      }),
    }),
    environment: (state) => ({ CLAUDE_CONFIG_DIR: state, IS_SANDBOX: '1' }),
  },
  {
    name: 'codex',
    tools: 'codex',
    dialect: 'openai',
    fullScreen: { kind: 'tried', words: ['--dangerously-bypass-approvals-and-sandbox', 'hello'] },
    words: ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', 'hello'],
    grants: [],
    key: { variable: 'OPENAI_API_KEY', value: 'sk-proj-REALrealREALrealREALrealREALrealREALrealREAL00' },
    settings: (workspace) => ({
      'config.toml': `model = "gpt-5"\nmodel_provider = "own"\n[model_providers.own]\nname = "own"\nbase_url = "https://api.openai.com/v1"\nenv_key = "OPENAI_API_KEY"\nwire_api = "responses"\n[projects."${workspace}"]\ntrust_level = "trusted"\n`,
    }),
    environment: (state) => ({ CODEX_HOME: state }),
  },
  {
    name: 'gemini',
    tools: 'gemini',
    dialect: 'gemini',
    fullScreen: { kind: 'tried', words: ['--yolo', '-m', 'gemini-2.5-flash', '-i', 'hello'] },
    words: ['--yolo', '-m', 'gemini-2.5-flash', '-p', 'hello'],
    grants: [],
    key: { variable: 'GEMINI_API_KEY', value: 'AIzaREALrealREALrealREALrealREALrealREA' },
    settings: (workspace) => ({
      '.gemini/trustedFolders.json': JSON.stringify({ [workspace]: 'TRUST_FOLDER' }),
      '.gemini/settings.json': JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } } }),
    }),
    environment: (state) => ({ GEMINI_CLI_HOME: state }),
  },
  {
    name: 'opencode',
    tools: 'opencode',
    dialect: 'anthropic',
    fullScreen: { kind: 'tried', words: ['--prompt', 'hello'] },
    words: ['run', 'hello'],
    grants: [],
    key: { variable: 'ANTHROPIC_API_KEY', value: 'sk-ant-api03-REALrealREALrealREALrealREALreal00' },
    settings: () => ({
      'config/opencode/opencode.json': JSON.stringify({
        model: 'anthropic/claude-sonnet-4-5',
        permission: { '*': 'allow' },
      }),
    }),
    environment: (state) => ({
      XDG_CONFIG_HOME: `${state}/config`,
      XDG_DATA_HOME: `${state}/data`,
      XDG_CACHE_HOME: `${state}/cache`,
      npm_config_offline: 'true',
    }),
  },
  {
    name: 'qwen',
    tools: 'gemini',
    dialect: 'openai',
    fullScreen: { kind: 'tried', words: ['--yolo', '--auth-type', 'openai', '-m', 'gpt-5', '-i', 'hello'] },
    words: ['--yolo', '--auth-type', 'openai', '-m', 'gpt-5', 'hello'],
    grants: [],
    key: { variable: 'OPENAI_API_KEY', value: 'sk-proj-REALrealREALrealREALrealREALrealREALrealREAL00' },
    settings: (workspace) => ({
      'trustedFolders.json': JSON.stringify({ [workspace]: 'TRUST_FOLDER' }),
      'settings.json': JSON.stringify({ security: { auth: { selectedType: 'openai' } } }),
    }),
    environment: (state) => ({ QWEN_HOME: state, OPENAI_BASE_URL: 'https://api.openai.com/v1', OPENAI_MODEL: 'gpt-5' }),
  },
  {
    name: 'copilot',
    tools: 'copilot',
    dialect: 'openai',
    fullScreen: { kind: 'tried', words: ['-i', 'hello', '--allow-all-tools', '--allow-all-paths'] },
    words: ['-p', 'hello', '--allow-all-tools', '--allow-all-paths'],
    grants: [],
    key: { variable: 'COPILOT_PROVIDER_API_KEY', value: 'sk-proj-REALrealREALrealREALrealREALrealREALrealREAL00' },
    settings: () => ({}),
    environment: (state) => ({
      COPILOT_HOME: state,
      COPILOT_PROVIDER_BASE_URL: 'https://api.openai.com/v1',
      COPILOT_MODEL: 'gpt-5',
    }),
  },
  {
    name: 'cline',
    tools: 'cline',
    dialect: 'anthropic',
    fullScreen: { kind: 'not tried', why: 'at its first start it asks a person to connect a provider' },
    words: ['--provider', 'anthropic', '--model', 'claude-sonnet-4-5', 'say hello'],
    // An installation in a project shares a folder with more packages than single grants cover.
    grants: ['--read', installFolder(agentPackages.cline)],
    key: { variable: 'ANTHROPIC_API_KEY', value: 'sk-ant-api03-REALrealREALrealREALrealREALreal00' },
    settings: () => ({}),
    environment: (state) => ({ CLINE_DIR: state }),
  },
  {
    name: 'pi',
    tools: 'pi',
    dialect: 'anthropic',
    fullScreen: { kind: 'tried', words: ['--provider', 'anthropic', '--model', 'claude-sonnet-4-5', 'hello'] },
    words: ['--provider', 'anthropic', '--model', 'claude-sonnet-4-5', '-p', 'hello'],
    grants: [],
    key: { variable: 'ANTHROPIC_API_KEY', value: 'sk-ant-api03-REALrealREALrealREALrealREALreal00' },
    // The scripted model keeps no conversation, so each request has to contain all of it.
    settings: () => ({
      'models.json': JSON.stringify({ providers: { anthropic: { compat: { supportsMessageThreads: false } } } }),
    }),
    environment: (state) => ({ PI_CODING_AGENT_DIR: state }),
  },
];

/** Copilot hides its key from its own tools, in the box and outside. */
export function keyIsSeen({ name }: WholeAgent): boolean {
  return name !== 'copilot';
}
