import { anyOther, surfaceFamily, frontMatter, hooks, mcpServers } from './row.ts';

/** Windsurf. */
export const windsurf = surfaceFamily(
  { clients: ['windsurf'], gate: 'hidden', source: 'https://docs.windsurf.com/windsurf/cascade/memories' },
  {
    'windsurf-rules': { path: '.windsurf/rules/*.md', kind: 'instructions', format: 'markdown', fields: frontMatter },
    'windsurf-workflows': {
      path: '.windsurf/workflows/*.md',
      kind: 'prompt',
      format: 'markdown',
      fields: frontMatter,
      source: 'https://docs.windsurf.com/windsurf/cascade/workflows',
    },
    'windsurf-skills': {
      path: '.windsurf/skills/*/SKILL.md',
      kind: 'skill',
      format: 'markdown',
      fields: frontMatter,
      source: 'https://docs.windsurf.com/windsurf/cascade/skills',
    },
    'windsurf-hooks': {
      path: '.windsurf/hooks.json',
      kind: 'hook',
      format: 'jsonc',
      fields: [...hooks('hooks'), ...anyOther],
      source: 'https://docs.windsurf.com/windsurf/cascade/hooks',
    },
    'windsurf-mcp': {
      path: '.windsurf/mcp*.json',
      kind: 'mcp',
      format: 'jsonc',
      fields: [...mcpServers('mcpServers'), ...anyOther],
      source: 'https://docs.windsurf.com/windsurf/cascade/mcp; Mindgard 1.1',
    },
    'windsurf-directory': { path: '.windsurf/**', kind: 'agent-settings' },
    'windsurf-rules-old': { path: '.windsurfrules', kind: 'instructions', format: 'markdown', fields: frontMatter },
  },
);
