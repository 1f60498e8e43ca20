import type { Surface } from '../types.ts';
import { ampAndVibe, cline, kiro, opencode, otherAgents, windsurf } from './agents.ts';
import { jetbrains, otherEditors, vscode, zed } from './editors.ts';
import { git } from './git.ts';
import { packages, registries } from './packages.ts';
import {
  anyOther,
  runsCommand,
  connects,
  environmentFields,
  surfaceFamily,
  frontMatter,
  hooks,
  mcpServers,
  permits,
  redirects,
  runs,
  schema,
} from './row.ts';
import { devcontainers, environments, policies, schemas } from './workplaces.ts';

/** Cursor. */
const cursor = surfaceFamily(
  { clients: ['cursor'], gate: 'hidden', source: 'https://cursor.com/docs' },
  {
    'cursor-mcp': {
      path: '.cursor/mcp.json',
      kind: 'mcp',
      format: 'jsonc',
      fields: [...mcpServers('mcpServers'), ...anyOther],
      source: 'https://cursor.com/docs/context/mcp; CVE-2025-54136 (MCPoison)',
    },
    'cursor-hooks': {
      path: '.cursor/hooks.json',
      kind: 'hook',
      format: 'jsonc',
      fields: [...hooks('hooks'), ...anyOther],
      source: 'https://cursor.com/docs/agent/hooks',
    },
    'cursor-environment': {
      path: '.cursor/environment.json',
      kind: 'task',
      format: 'jsonc',
      fields: [
        ...runsCommand('install', 'start', 'terminals.**'),
        ...connects('build.**', 'repositoryDependencies.**'),
        ...anyOther,
      ],
      source: 'https://cursor.com/docs/cloud-agent',
    },
    'cursor-worktrees': {
      path: '.cursor/worktrees.json',
      kind: 'task',
      format: 'jsonc',
      fields: [
        ...runsCommand('setup-worktree', 'setup-worktree.**', 'setup-worktree-unix', 'setup-worktree-unix.**'),
        ...anyOther,
      ],
      source: 'https://cursor.com/docs/configuration/worktrees',
    },
    'cursor-cli': {
      path: '.cursor/cli.json',
      kind: 'agent-settings',
      format: 'jsonc',
      fields: [...permits('permissions.**'), ...anyOther],
      source: 'https://cursor.com/docs/cli/reference/permissions',
    },
    'cursor-permissions': {
      path: '.cursor/permissions.json',
      kind: 'agent-settings',
      format: 'jsonc',
      fields: anyOther,
      source: 'https://cursor.com/docs/cli/reference/permissions',
    },
    'cursor-rules': {
      path: '.cursor/rules/*.mdc',
      kind: 'instructions',
      format: 'markdown',
      fields: frontMatter,
      source: 'https://cursor.com/docs/context/rules; Mindgard 2.2',
    },
    'cursor-rules-folders': {
      path: '.cursor/rules/*/RULE.md',
      kind: 'instructions',
      format: 'markdown',
      fields: frontMatter,
      source: 'https://cursor.com/docs/context/rules',
    },
    'cursor-commands': {
      path: '.cursor/commands/*.md',
      kind: 'prompt',
      format: 'markdown',
      fields: frontMatter,
      source: 'https://cursor.com/docs/agent/chat/commands',
    },
    'cursor-skills': {
      path: '.cursor/skills/*/SKILL.md',
      kind: 'skill',
      format: 'markdown',
      fields: frontMatter,
      source: 'https://cursor.com/docs/context/skills',
    },
    'cursor-agents': {
      path: '.cursor/agents/*.md',
      kind: 'plugin',
      format: 'markdown',
      fields: frontMatter,
      source: 'https://cursor.com/docs/context/subagents',
    },
    'cursor-directory': { path: '.cursor/**', kind: 'agent-settings' },
    'cursor-rules-old': {
      path: '.cursorrules',
      kind: 'instructions',
      format: 'markdown',
      fields: frontMatter,
      source: 'https://cursor.com/docs/context/rules',
    },
  },
);

const customise = 'https://code.visualstudio.com/docs/copilot/customization/overview';

/** GitHub Copilot: in VS Code, as a command line, and on GitHub. */
const copilot = surfaceFamily(
  {
    clients: ['copilot', 'vscode'],
    gate: 'hidden',
    source: 'https://docs.github.com/en/copilot/how-tos/configure-custom-instructions',
  },
  {
    'copilot-instructions': {
      path: '.github/copilot-instructions.md',
      kind: 'instructions',
      format: 'markdown',
      fields: frontMatter,
    },
    'copilot-path-instructions': {
      path: '.github/instructions/*.md',
      kind: 'instructions',
      format: 'markdown',
      fields: frontMatter,
    },
    'copilot-instructions-directory': { path: '.github/instructions/**', kind: 'instructions' },
    'copilot-prompts': {
      path: '.github/prompts/*.md',
      kind: 'prompt',
      format: 'markdown',
      fields: frontMatter,
      source: `${customise}; Mindgard 2.2`,
    },
    'copilot-prompts-directory': { path: '.github/prompts/**', kind: 'prompt', source: customise },
    'copilot-agents': {
      path: '.github/agents/*.md',
      kind: 'plugin',
      format: 'markdown',
      fields: frontMatter,
      source: 'https://docs.github.com/en/copilot/reference/custom-agents-configuration',
    },
    'copilot-agents-directory': {
      path: '.github/agents/**',
      kind: 'plugin',
      source: 'https://docs.github.com/en/copilot/reference/custom-agents-configuration',
    },
    'copilot-chat-modes': {
      path: '.github/chatmodes/*.md',
      kind: 'plugin',
      format: 'markdown',
      fields: frontMatter,
      source: customise,
    },
    'copilot-chat-modes-directory': { path: '.github/chatmodes/**', kind: 'plugin', source: customise },
    'copilot-skills': {
      path: '.github/skills/*/SKILL.md',
      kind: 'skill',
      format: 'markdown',
      fields: frontMatter,
      source: 'https://docs.github.com/en/copilot/concepts/agents/about-agent-skills',
    },
    'copilot-skills-directory': {
      path: '.github/skills/**',
      kind: 'skill',
      source: 'https://docs.github.com/en/copilot/concepts/agents/about-agent-skills',
    },
    'copilot-hooks': {
      path: '.github/hooks/*.json',
      kind: 'hook',
      format: 'jsonc',
      fields: [...hooks('hooks'), ...anyOther],
      source: 'https://docs.github.com/en/copilot/reference/hooks-configuration',
    },
    'copilot-hooks-directory': {
      path: '.github/hooks/**',
      kind: 'hook',
      source: 'https://docs.github.com/en/copilot/reference/hooks-configuration',
    },
    'copilot-mcp': {
      path: '.github/mcp.json',
      kind: 'mcp',
      format: 'jsonc',
      fields: [...mcpServers('mcpServers'), ...mcpServers('servers'), ...anyOther],
      source: 'https://docs.github.com/en/copilot/how-tos/copilot-cli',
    },
    'copilot-settings': {
      path: '.github/copilot/*.json',
      kind: 'agent-settings',
      format: 'jsonc',
      fields: [...hooks('hooks'), ...mcpServers('mcpServers'), ...anyOther],
      source: 'https://docs.github.com/en/copilot/how-tos/copilot-cli',
    },
    'copilot-directory': {
      path: '.github/copilot/**',
      kind: 'agent-settings',
      source: 'https://docs.github.com/en/copilot/how-tos/copilot-cli',
    },
    'copilot-home': {
      path: '.copilot/**',
      kind: 'agent-settings',
      source: 'https://docs.github.com/en/copilot/how-tos/copilot-cli',
    },
    'copilot-setup-steps': {
      path: '.github/workflows/copilot-setup-steps.yml',
      kind: 'task',
      format: 'source',
      gate: 'listed',
      source:
        'https://docs.github.com/en/copilot/how-tos/use-copilot-agents/coding-agent/customize-the-agent-environment: it runs on GitHub',
    },
    'prompt-templates': {
      path: '*.prompttemplate',
      kind: 'prompt',
      clients: ['any'],
      format: 'markdown',
      fields: frontMatter,
      source: 'Mindgard 2.2',
    },
  },
);

const clients = ['claude'] as const;

const prose = 'agents keep notes in it, and what they write counts only once it is approved';

const settings = [
  ...hooks('hooks'),
  ...mcpServers('mcpServers'),
  ...runsCommand(
    'apiKeyHelper',
    'awsAuthRefresh',
    'awsCredentialExport',
    'gcpAuthRefresh',
    'otelHeadersHelper',
    'statusLine.command',
    'subagentStatusLine.command',
    'fileSuggestion.command',
  ),
  ...redirects('env.*_BASE_URL', 'env.*_PROXY', 'env.*_ENDPOINT'),
  ...runs('env.*', 'enabledPlugins.*', 'extraKnownMarketplaces.**'),
  ...permits(
    'enableAllProjectMcpServers',
    'enabledMcpjsonServers.**',
    'permissions.**',
    'sandbox.**',
    'disableAllHooks',
  ),
  ...schema,
  ...anyOther,
];

/**
 * Claude Code. Facts: https://code.claude.com/docs/en/settings, /hooks, /mcp, /skills, /sub-agents, /memory,
 * /plugins-reference.
 */
const claude = surfaceFamily(
  { clients, gate: 'hidden', source: 'https://code.claude.com/docs/en/settings' },
  {
    'claude-settings': {
      path: '.claude/settings.json',
      kind: 'hook',
      format: 'jsonc',
      fields: settings,
      source: 'https://code.claude.com/docs/en/settings; CVE-2025-59536, CVE-2026-21852',
    },
    'claude-settings-local': { path: '.claude/settings.local.json', kind: 'hook', format: 'jsonc', fields: settings },
    'claude-mcp': {
      path: '.mcp.json',
      kind: 'mcp',
      format: 'jsonc',
      clients: ['claude', 'copilot', 'any'],
      fields: [...mcpServers('mcpServers'), ...mcpServers('servers'), ...schema, ...anyOther],
      source: 'https://code.claude.com/docs/en/mcp; CVE-2026-21852',
    },
    'claude-state': {
      path: '.claude.json',
      kind: 'mcp',
      format: 'jsonc',
      fields: [...mcpServers('mcpServers'), ...mcpServers('projects.*.mcpServers'), ...anyOther],
      source: 'https://code.claude.com/docs/en/mcp',
    },
    'claude-skills': {
      path: '.claude/skills/*/SKILL.md',
      kind: 'skill',
      format: 'markdown',
      fields: frontMatter,
      source: 'https://code.claude.com/docs/en/skills',
    },
    'claude-commands': {
      path: '.claude/commands/*.md',
      kind: 'prompt',
      format: 'markdown',
      fields: frontMatter,
      source: 'https://code.claude.com/docs/en/slash-commands',
    },
    'claude-commands-grouped': {
      path: '.claude/commands/*/*.md',
      kind: 'prompt',
      format: 'markdown',
      fields: frontMatter,
      source: 'https://code.claude.com/docs/en/slash-commands',
    },
    'claude-agents': {
      path: '.claude/agents/*.md',
      kind: 'plugin',
      format: 'markdown',
      fields: frontMatter,
      source: 'https://code.claude.com/docs/en/sub-agents',
    },
    'claude-output-styles': {
      path: '.claude/output-styles/*.md',
      kind: 'instructions',
      format: 'markdown',
      fields: frontMatter,
      source: 'https://code.claude.com/docs/en/output-styles',
    },
    'claude-rules': {
      path: '.claude/rules/*.md',
      kind: 'instructions',
      format: 'markdown',
      fields: frontMatter,
      source: 'https://code.claude.com/docs/en/memory',
    },
    'claude-memory-inside': {
      path: '.claude/CLAUDE.md',
      kind: 'instructions',
      format: 'markdown',
      fields: frontMatter,
      source: 'https://code.claude.com/docs/en/memory',
    },
    'claude-directory': {
      path: '.claude/**',
      kind: 'hook',
      source: 'https://code.claude.com/docs/en/hooks: scripts that hooks and skills name lie there',
    },
    'claude-memory': {
      path: 'CLAUDE.md',
      kind: 'instructions',
      format: 'markdown',
      fields: frontMatter,
      source: 'https://code.claude.com/docs/en/memory',
      writable: prose,
    },
    'claude-memory-local': {
      path: 'CLAUDE.local.md',
      kind: 'instructions',
      format: 'markdown',
      fields: frontMatter,
      source: 'https://code.claude.com/docs/en/memory',
      writable: prose,
    },
    'claude-plugin': {
      path: '.claude-plugin/*.json',
      kind: 'plugin',
      format: 'jsonc',
      gate: 'listed',
      fields: [
        ...hooks('hooks'),
        ...mcpServers('mcpServers'),
        ...runsCommand('lspServers.*.command', 'lspServers.*.args.**'),
        ...connects('plugins.*.source.**'),
        ...anyOther,
      ],
      source: 'https://code.claude.com/docs/en/plugins-reference: loaded once someone installs the plugin',
    },
  },
);

/** OpenAI Codex, and file names that other agents took over from it. */
const codex = surfaceFamily(
  { clients: ['codex'], gate: 'hidden', source: 'https://developers.openai.com/codex/config-reference' },
  {
    'codex-config': {
      path: '.codex/config.toml',
      kind: 'mcp',
      format: 'toml',
      fields: [
        ...mcpServers('mcp_servers'),
        ...runsCommand('notify.**', 'model_providers.*.auth.command', 'model_providers.*.auth.args.**'),
        ...hooks('hooks'),
        ...redirects('model_providers.*.base_url', 'openai_base_url', 'chatgpt_base_url', 'model_provider'),
        ...connects('model_providers.*.http_headers.*', 'otel.**'),
        ...runs('shell_environment_policy.**', 'model_providers.**', 'plugins.**', 'marketplaces.**'),
        ...permits(
          'approval_policy',
          'approval_policy.**',
          'sandbox_mode',
          'sandbox_workspace_write.**',
          'profiles.**',
          'projects.**',
        ),
        ...anyOther,
      ],
      source: 'https://developers.openai.com/codex/config-reference; Mindgard 1.1, 1.6, 3.5',
    },
    'codex-hooks': {
      path: '.codex/hooks.json',
      kind: 'hook',
      format: 'jsonc',
      fields: [...hooks('hooks'), ...anyOther],
      source: 'https://developers.openai.com/codex/hooks',
    },
    'codex-skills': {
      path: '.codex/skills/*/SKILL.md',
      kind: 'skill',
      format: 'markdown',
      fields: frontMatter,
      source: 'https://developers.openai.com/codex/skills',
    },
    'codex-prompts': {
      path: '.codex/prompts/*.md',
      kind: 'prompt',
      format: 'markdown',
      fields: frontMatter,
      source: 'https://developers.openai.com/codex/custom-prompts',
    },
    'codex-directory': { path: '.codex/**', kind: 'agent-settings' },
    'agents-skills': {
      path: '.agents/skills/*/SKILL.md',
      kind: 'skill',
      clients: ['codex', 'gemini', 'opencode', 'amp', 'any'],
      format: 'markdown',
      fields: frontMatter,
      source: 'https://agentskills.io/specification; https://developers.openai.com/codex/skills',
    },
    'agents-directory': {
      path: '.agents/**',
      kind: 'skill',
      clients: ['codex', 'gemini', 'opencode', 'amp', 'any'],
      source: 'https://developers.openai.com/codex/skills',
    },
    'agent-rules': {
      path: '.agent/rules/*.md',
      kind: 'instructions',
      clients: ['any'],
      format: 'markdown',
      fields: frontMatter,
      source: 'https://antigravity.google/docs/rules-workflows',
    },
    'agent-workflows': {
      path: '.agent/workflows/*.md',
      kind: 'prompt',
      clients: ['any'],
      format: 'markdown',
      fields: frontMatter,
      source: 'https://antigravity.google/docs/rules-workflows',
    },
    'agent-directory': {
      path: '.agent/**',
      kind: 'agent-settings',
      clients: ['any'],
      source: 'https://antigravity.google/docs/rules-workflows',
    },
    'agents-memory': {
      path: 'AGENTS.md',
      kind: 'instructions',
      clients: ['codex', 'cursor', 'copilot', 'opencode', 'amp', 'windsurf', 'zed', 'kilo', 'any'],
      format: 'markdown',
      fields: frontMatter,
      source: 'https://agents.md',
      writable: prose,
    },
    'agents-memory-override': {
      path: 'AGENTS.override.md',
      kind: 'instructions',
      format: 'markdown',
      fields: frontMatter,
      source: 'https://developers.openai.com/codex/guides/agents-md',
      writable: prose,
    },
    'agent-memory': {
      path: 'AGENT.md',
      kind: 'instructions',
      clients: ['amp', 'any'],
      format: 'markdown',
      fields: frontMatter,
      source: 'https://ampcode.com/manual',
      writable: prose,
    },
  },
);

const commandFile = [...runsCommand('prompt'), ...anyOther];

const geminiSettings = [
  ...runsCommand(
    'tools.discoveryCommand',
    'tools.callCommand',
    'toolDiscoveryCommand',
    'toolCallCommand',
    'mcp.serverCommand',
    'mcpServerCommand',
  ),
  ...mcpServers('mcpServers'),
  ...hooks('hooks'),
  ...redirects('telemetry.otlpEndpoint'),
  ...connects('telemetry.**'),
  ...runs('tools.sandbox', 'advanced.**'),
  ...permits(
    'tools.**',
    'mcp.**',
    'security.**',
    'autoAccept',
    'coreTools.**',
    'allowedTools.**',
    'context.**',
    'contextFileName',
    'contextFileName.**',
    'experimental.**',
  ),
  ...schema,
  ...anyOther,
];

const extension = [...mcpServers('mcpServers'), ...hooks('hooks'), ...anyOther];

/** Gemini CLI and its fork Qwen Code. */
const gemini = surfaceFamily(
  { clients: ['gemini'], gate: 'hidden', source: 'https://geminicli.com/docs/reference/configuration' },
  {
    'gemini-settings': {
      path: '.gemini/settings.json',
      kind: 'mcp',
      format: 'jsonc',
      fields: geminiSettings,
      source: 'https://geminicli.com/docs/reference/configuration; Mindgard 1.1, 1.6',
    },
    'gemini-commands': {
      path: '.gemini/commands/*.toml',
      kind: 'prompt',
      format: 'toml',
      fields: commandFile,
      source: 'https://geminicli.com/docs/cli/custom-commands: !{…} runs a shell',
    },
    'gemini-commands-grouped': {
      path: '.gemini/commands/*/*.toml',
      kind: 'prompt',
      format: 'toml',
      fields: commandFile,
      source: 'https://geminicli.com/docs/cli/custom-commands',
    },
    'gemini-extensions': {
      path: '.gemini/extensions/*/gemini-extension.json',
      kind: 'plugin',
      format: 'jsonc',
      fields: extension,
      source: 'https://geminicli.com/docs/extensions/reference',
    },
    'gemini-skills': {
      path: '.gemini/skills/*/SKILL.md',
      kind: 'skill',
      format: 'markdown',
      fields: frontMatter,
      source: 'https://geminicli.com/docs/cli/skills',
    },
    'gemini-agents': {
      path: '.gemini/agents/*.md',
      kind: 'plugin',
      format: 'markdown',
      fields: frontMatter,
      source: 'https://geminicli.com/docs/core/subagents',
    },
    'gemini-environment': {
      path: '.gemini/.env',
      kind: 'environment',
      format: 'dotenv',
      fields: environmentFields,
      secrets: 'beside-fields',
      source: 'https://geminicli.com/docs/reference/configuration',
    },
    'gemini-directory': { path: '.gemini/**', kind: 'agent-settings' },
    'gemini-memory': {
      path: 'GEMINI.md',
      kind: 'instructions',
      format: 'markdown',
      fields: frontMatter,
      source: 'https://geminicli.com/docs/cli/gemini-md',
      writable: prose,
    },
    'gemini-extension': {
      path: 'gemini-extension.json',
      kind: 'plugin',
      format: 'jsonc',
      gate: 'listed',
      fields: extension,
      source: 'https://geminicli.com/docs/extensions/reference: loaded once someone links or installs it',
    },
    'qwen-settings': {
      path: '.qwen/settings.json',
      kind: 'mcp',
      clients: ['any'],
      format: 'jsonc',
      fields: geminiSettings,
      source: 'https://qwenlm.github.io/qwen-code-docs/en/users/configuration/settings',
    },
    'qwen-directory': {
      path: '.qwen/**',
      kind: 'agent-settings',
      clients: ['any'],
      source: 'https://qwenlm.github.io/qwen-code-docs/en/users/configuration/settings',
    },
    'qwen-memory': {
      path: 'QWEN.md',
      kind: 'instructions',
      clients: ['any'],
      format: 'markdown',
      fields: frontMatter,
      source: 'https://qwenlm.github.io/qwen-code-docs/en/users/configuration/settings',
      writable: prose,
    },
  },
);

/** The first surface that matches a path counts. */
export const surfaces: readonly Surface[] = [
  ...claude,
  ...codex,
  ...gemini,
  ...cursor,
  ...copilot,
  ...windsurf,
  ...kiro,
  ...cline,
  ...opencode,
  ...ampAndVibe,
  ...otherAgents,
  ...vscode,
  ...jetbrains,
  ...zed,
  ...otherEditors,
  ...devcontainers,
  ...environments,
  ...git,
  ...packages,
  ...registries,
  ...policies,
  ...schemas,
];
