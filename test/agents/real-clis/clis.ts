import { join } from 'node:path';
import process from 'node:process';
import type { Project } from '../../lib/holdfast.ts';
import type { AgentDialect, ToolCall } from './dialog.ts';
import type { InstalledAgent } from './packages.ts';

/** How one agent is started by itself, without anybody who could answer it, and what its tools are called. */
export interface Cli {
  readonly dialect: AgentDialect;
  /** Words behind the program. All questions of the agent itself are off: what holds then is Holdfast, or nothing. */
  readonly words: readonly string[];
  /** Leads it to the model at this port of 127.0.0.1, and tells it to leave the internet alone. */
  readonly environment: (port: number) => NodeJS.ProcessEnv;
  /** Settings of the user, which Holdfast's come beside: the workspace is trusted. Paths below the home directory. */
  readonly settings: (port: number, workspace: string) => Readonly<Record<string, unknown>>;
  readonly shell: (command: string) => ToolCall;
  /** In a directory that the model chooses. */
  readonly shellIn: (directory: string, command: string) => ToolCall;
  readonly read: (path: string) => ToolCall;
  /** Reads and writes what lies outside of the workspace, or in `.git`. */
  readonly readAnywhere: (path: string) => ToolCall;
  readonly writeAnywhere: (path: string, content: string) => ToolCall;
}

const claudeShell = (command: string): ToolCall => ({ name: 'Bash', input: { command, description: 'a command' } });
const claudeRead = (file_path: string): ToolCall => ({ name: 'Read', input: { file_path } });
const codexShell = (cmd: string): ToolCall => ({ name: 'exec_command', input: { cmd, yield_time_ms: 30_000 } });
const geminiShell = (command: string): ToolCall => ({
  name: 'run_shell_command',
  input: { command, description: 'a command' },
});
const opencodeRead = (filePath: string): ToolCall => ({ name: 'read', input: { filePath } });

/** Those that have hooks of ours. */
export type HookedAgent = Extract<InstalledAgent, 'claude' | 'codex' | 'gemini' | 'opencode'>;

export const clis: Readonly<Record<HookedAgent, Cli>> = {
  claude: {
    dialect: 'anthropic',
    words: ['-p', 'hello', '--permission-mode', 'bypassPermissions'],
    environment: (port) => ({
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
      ANTHROPIC_API_KEY: 'sk-example',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      IS_SANDBOX: '1',
    }),
    settings: () => ({ '.claude/settings.json': { cleanupPeriodDays: 30 } }),
    shell: claudeShell,
    shellIn: (directory, command) => claudeShell(`cd '${directory}' && ${command}`),
    read: claudeRead,
    readAnywhere: claudeRead,
    writeAnywhere: (file_path, content) => ({ name: 'Write', input: { file_path, content } }),
  },
  codex: {
    dialect: 'openai',
    // A person who looks at the hooks is what `--dangerously-bypass-hook-trust` stands for.
    words: [
      'exec',
      '--skip-git-repo-check',
      '--dangerously-bypass-approvals-and-sandbox',
      '--dangerously-bypass-hook-trust',
      'hello',
    ],
    environment: () => ({}),
    settings: (port, workspace) => ({
      '.codex/config.toml': `model = "gpt-5"\nmodel_provider = "own"\n[model_providers.own]\nname = "own"\nbase_url = "http://127.0.0.1:${port}/v1"\nwire_api = "responses"\n[projects."${workspace}"]\ntrust_level = "trusted"\n`,
    }),
    shell: codexShell,
    shellIn: (workdir, cmd) => ({ name: 'exec_command', input: { cmd, workdir, yield_time_ms: 30_000 } }),
    read: (path) => codexShell(`cat '${path}'`),
    readAnywhere: (path) => codexShell(`cat '${path}'`),
    writeAnywhere: (path, content) =>
      codexShell(
        `apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: ${path}\n${content.trimEnd().replaceAll(/^/gmu, '+')}\n*** End Patch\nEOF`,
      ),
  },
  gemini: {
    dialect: 'gemini',
    // With `--skip-trust` instead of a trusted folder it would not read the hooks of the repository.
    words: ['--yolo', '-m', 'gemini-2.5-flash', '-p', 'hello'],
    environment: (port) => ({ GEMINI_API_KEY: 'example', GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${port}` }),
    settings: (_port, workspace) => ({
      '.gemini/trustedFolders.json': { [workspace]: 'TRUST_FOLDER' },
      '.gemini/settings.json': {
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      },
    }),
    shell: geminiShell,
    // It refuses a `dir_path` outside of the workspace by itself.
    shellIn: (directory, command) => geminiShell(`cd '${directory}' && ${command}`),
    read: (file_path) => ({ name: 'read_file', input: { file_path } }),
    // Its file tools stay in the workspace and out of `.git` by themselves. Its shell does not.
    readAnywhere: (path) => geminiShell(`cat '${path}'`),
    writeAnywhere: (path, content) => geminiShell(`echo '${content.split('\n')[0]}' > '${path}'`),
  },
  opencode: {
    dialect: 'openai',
    words: ['run', 'hello'],
    // For any plug-in it wants a package of npm's. Where npm does not answer it goes on without, after npm's own
    // waiting.
    environment: () => ({
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      npm_config_offline: 'true',
    }),
    settings: (port) => ({
      '.config/opencode/opencode.json': {
        provider: {
          own: {
            npm: '@ai-sdk/openai-compatible',
            name: 'own',
            options: { baseURL: `http://127.0.0.1:${port}/v1`, apiKey: 'example' },
            models: { own: { name: 'own' } },
          },
        },
        model: 'own/own',
        autoupdate: false,
        share: 'disabled',
        permission: { '*': 'allow', external_directory: 'allow' },
      },
    }),
    shell: (command) => ({ name: 'bash', input: { command, description: 'a command' } }),
    shellIn: (workdir, command) => ({ name: 'bash', input: { command, workdir, description: 'a command' } }),
    read: opencodeRead,
    readAnywhere: opencodeRead,
    writeAnywhere: (filePath, content) => ({ name: 'write', input: { filePath, content } }),
  },
};

/** A name that leads nowhere takes the place of every proxy: what the agent wants of the internet fails at once. */
export function environmentOf(cli: Cli, { environment, home }: Project, port: number): NodeJS.ProcessEnv {
  const node = join(process.execPath, '..');
  return {
    ...environment,
    PATH: `${node}:${environment['PATH'] ?? ''}`,
    HOME: home,
    SHELL: '/bin/bash',
    HTTPS_PROXY: 'http://127.0.0.1:1',
    https_proxy: 'http://127.0.0.1:1',
    NO_PROXY: '127.0.0.1,localhost',
    ...cli.environment(port),
  };
}
