import { join } from 'node:path';
import process from 'node:process';
import type { Project } from '../../lib/holdfast.ts';
import type { AgentDialect, ToolCall } from './dialog.ts';
import type { InstalledAgent } from './packages.ts';

/** Starts one agent unattended, with the names of its tools. */
export interface Cli {
  readonly dialect: AgentDialect;
  /** Arguments after the program. They turn off all of the agent's own questions, so that Holdfast alone decides. */
  readonly words: readonly string[];
  /** Points the agent to the model at this port of 127.0.0.1, and keeps it off the internet. */
  readonly environment: (port: number) => NodeJS.ProcessEnv;
  /** User settings, which Holdfast extends: the workspace is trusted. Paths below the home directory. */
  readonly settings: (port: number, workspace: string) => Readonly<Record<string, unknown>>;
  readonly shell: (command: string) => ToolCall;
  /** In a directory that the model chooses. */
  readonly shellIn: (directory: string, command: string) => ToolCall;
  readonly read: (path: string) => ToolCall;
  /** Reads and writes files outside the workspace, or in `.git`. */
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

/** The agents with Holdfast's hooks. */
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
    // `--dangerously-bypass-hook-trust` replaces a person who reviews the hooks.
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
    // With `--skip-trust` instead of a trusted folder, it would not read the repository's hooks.
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
    // It refuses a `dir_path` outside the workspace itself.
    shellIn: (directory, command) => geminiShell(`cd '${directory}' && ${command}`),
    read: (file_path) => ({ name: 'read_file', input: { file_path } }),
    // Its file tools stay in the workspace and out of `.git`. Its shell does not.
    readAnywhere: (path) => geminiShell(`cat '${path}'`),
    writeAnywhere: (path, content) => geminiShell(`echo '${content.split('\n')[0]}' > '${path}'`),
  },
  opencode: {
    dialect: 'openai',
    words: ['run', 'hello'],
    // For any plug-in, it downloads a package from npm. Where npm does not answer, it continues without it after npm's
    // own timeout.
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

/** A name that leads nowhere replaces every proxy, so that the agent's requests to the internet fail immediately. */
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
