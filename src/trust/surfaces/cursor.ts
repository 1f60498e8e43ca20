import { anyOther, runsCommand, connects, surfaceFamily, frontMatter, hooks, mcpServers, permits } from './row.ts';

/** Cursor. */
export const cursor = surfaceFamily(
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
