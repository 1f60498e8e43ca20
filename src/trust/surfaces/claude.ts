import {
  anyOther,
  runsCommand,
  connects,
  surfaceFamily,
  frontMatter,
  hooks,
  mcpServers,
  permits,
  redirects,
  runs,
  schema,
} from './row.ts';
import { agentNotes } from './agent-notes.ts';

const clients = ['claude'] as const;

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
export const claude = surfaceFamily(
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
      writable: agentNotes,
    },
    'claude-memory-local': {
      path: 'CLAUDE.local.md',
      kind: 'instructions',
      format: 'markdown',
      fields: frontMatter,
      source: 'https://code.claude.com/docs/en/memory',
      writable: agentNotes,
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
