import { anyOther, runsCommand, surfaceFamily, frontMatter, hooks, mcpServers, runs } from './row.ts';

/** Kiro, and its predecessor Amazon Q. */
export const kiro = surfaceFamily(
  { clients: ['kiro'], gate: 'hidden', source: 'https://kiro.dev/docs' },
  {
    'kiro-mcp': {
      path: '.kiro/settings/mcp.json',
      kind: 'mcp',
      format: 'jsonc',
      fields: [...mcpServers('mcpServers'), ...mcpServers('powers.mcpServers'), ...anyOther],
      source: 'https://kiro.dev/docs/mcp/configuration; Mindgard 1.1',
    },
    'kiro-settings': {
      path: '.kiro/settings/*.json',
      kind: 'agent-settings',
      format: 'jsonc',
      fields: [...runsCommand('**.command', '**.args.**'), ...anyOther],
      source: 'https://kiro.dev/docs/cli/code-intelligence: language servers are named there',
    },
    'kiro-hooks': {
      path: '.kiro/hooks/*.hook',
      kind: 'hook',
      format: 'jsonc',
      fields: [...runsCommand('then.command', '**.command'), ...runs('when.**', 'then.**'), ...anyOther],
      source: 'https://kiro.dev/docs/hooks',
    },
    'kiro-hooks-json': {
      path: '.kiro/hooks/*.json',
      kind: 'hook',
      format: 'jsonc',
      fields: [...hooks('hooks'), ...runsCommand('**.command'), ...anyOther],
      source: 'https://kiro.dev/docs/ide/whats-new-v1/hooks/',
    },
    'kiro-steering': {
      path: '.kiro/steering/*.md',
      kind: 'instructions',
      format: 'markdown',
      fields: frontMatter,
      source: 'https://kiro.dev/docs/steering',
    },
    'kiro-agents': {
      path: '.kiro/agents/*.json',
      kind: 'plugin',
      format: 'jsonc',
      fields: [...hooks('hooks'), ...mcpServers('mcpServers'), ...anyOther],
      source: 'https://kiro.dev/docs/cli/custom-agents/configuration-reference',
    },
    'kiro-skills': { path: '.kiro/skills/*/SKILL.md', kind: 'skill', format: 'markdown', fields: frontMatter },
    'kiro-directory': { path: '.kiro/**', kind: 'agent-settings' },
    'amazon-q-mcp': {
      path: '.amazonq/mcp.json',
      kind: 'mcp',
      clients: ['any'],
      format: 'jsonc',
      fields: [...mcpServers('mcpServers'), ...anyOther],
      source: 'https://docs.aws.amazon.com/amazonq/latest/qdeveloper-ug/command-line-mcp-configuration.html',
    },
    'amazon-q-agents': {
      path: '.amazonq/cli-agents/*.json',
      kind: 'plugin',
      clients: ['any'],
      format: 'jsonc',
      fields: [...hooks('hooks'), ...mcpServers('mcpServers'), ...anyOther],
      source: 'https://docs.aws.amazon.com/amazonq/latest/qdeveloper-ug/command-line-custom-agents.html',
    },
    'amazon-q-rules': {
      path: '.amazonq/rules/*.md',
      kind: 'instructions',
      clients: ['any'],
      format: 'markdown',
      fields: frontMatter,
      source: 'https://docs.aws.amazon.com/amazonq/latest/qdeveloper-ug/context-project-rules.html',
    },
    'amazon-q-directory': {
      path: '.amazonq/**',
      kind: 'agent-settings',
      clients: ['any'],
      source: 'https://docs.aws.amazon.com/amazonq/latest/qdeveloper-ug',
    },
  },
);
