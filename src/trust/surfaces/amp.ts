import { anyOther, runsCommand, surfaceFamily, frontMatter, mcpServers, permits, redirects } from './row.ts';

/** Amp and Mistral Vibe. */
export const ampAndVibe = surfaceFamily(
  { clients: ['amp'], gate: 'hidden', source: 'https://ampcode.com/manual' },
  {
    'amp-settings': {
      path: '.amp/settings.json*',
      kind: 'mcp',
      format: 'jsonc',
      fields: [
        ...mcpServers('amp\\.mcpServers'),
        ...runsCommand('amp\\.hooks.**', 'amp\\.permissions.**'),
        ...redirects('amp\\.url'),
        ...anyOther,
      ],
      source: 'https://ampcode.com/manual#configuration; Mindgard 1.1',
    },
    'amp-directory': { path: '.amp/**', kind: 'plugin' },
    'vibe-config': {
      path: '.vibe/config.toml',
      kind: 'mcp',
      clients: ['vibe'],
      format: 'toml',
      fields: [
        ...mcpServers('mcp_servers'),
        ...runsCommand('mcp_servers.**'),
        ...redirects('providers.*.api_base', 'api_base'),
        ...permits('tools.**'),
        ...anyOther,
      ],
      source: 'https://docs.mistral.ai/mistral-vibe/configuration; Mindgard 1.1',
    },
    'vibe-tools': {
      path: '.vibe/tools/*',
      kind: 'plugin',
      clients: ['vibe'],
      source: 'https://docs.mistral.ai/mistral-vibe/configuration; Mindgard 1.3',
    },
    'vibe-skills': {
      path: '.vibe/skills/*/SKILL.md',
      kind: 'skill',
      clients: ['vibe'],
      format: 'markdown',
      fields: frontMatter,
      source: 'https://docs.mistral.ai/mistral-vibe/agents-skills',
    },
    'vibe-directory': {
      path: '.vibe/**',
      kind: 'plugin',
      clients: ['vibe'],
      source: 'https://docs.mistral.ai/mistral-vibe/configuration',
    },
  },
);
