import { agentNotes } from './agent-notes.ts';
import { anyOther, surfaceFamily, frontMatter, mcpServers, permits } from './row.ts';

/** Cline, and its fork Roo Code. */
export const cline = surfaceFamily(
  { clients: ['cline'], gate: 'hidden', source: 'https://docs.cline.bot/customization/cline-rules' },
  {
    'cline-rules': {
      path: '.clinerules/*.md',
      kind: 'instructions',
      format: 'markdown',
      fields: frontMatter,
      source: 'https://docs.cline.bot/customization/cline-rules; Mindgard 2.4',
    },
    'cline-workflows': { path: '.clinerules/workflows/*.md', kind: 'prompt', format: 'markdown', fields: frontMatter },
    'cline-hooks': { path: '.clinerules/hooks/*', kind: 'hook', source: 'https://docs.cline.bot/customization/hooks' },
    'cline-rules-file': { path: '.clinerules', kind: 'instructions', format: 'markdown', fields: frontMatter },
    'cline-rules-directory': { path: '.clinerules/**', kind: 'instructions' },
    'cline-directory': { path: '.cline/**', kind: 'agent-settings' },
    'roo-mcp': {
      path: '.roo/mcp.json',
      kind: 'mcp',
      clients: ['roo'],
      format: 'jsonc',
      fields: [...mcpServers('mcpServers'), ...anyOther],
      source: 'https://docs.roocode.com/features/mcp/using-mcp-in-roo; GHSA-5x8h-m52g-5v54',
    },
    'roo-rules': {
      path: '.roo/rules*/*.md',
      kind: 'instructions',
      clients: ['roo'],
      format: 'markdown',
      fields: frontMatter,
      source: 'https://docs.roocode.com/features/custom-instructions',
    },
    'roo-commands': {
      path: '.roo/commands/*.md',
      kind: 'prompt',
      clients: ['roo'],
      format: 'markdown',
      fields: frontMatter,
      source: 'https://docs.roocode.com/features/slash-commands',
    },
    'roo-directory': {
      path: '.roo/**',
      kind: 'agent-settings',
      clients: ['roo'],
      source: 'https://docs.roocode.com/features/custom-instructions',
    },
    'roo-modes': {
      path: '.roomodes',
      kind: 'instructions',
      clients: ['roo'],
      format: 'yaml',
      fields: [...permits('customModes.*.groups.**'), ...anyOther],
      source: 'https://docs.roocode.com/features/custom-modes',
    },
    'roo-rules-old': {
      path: '.roorules*',
      kind: 'instructions',
      clients: ['roo'],
      format: 'markdown',
      fields: frontMatter,
      source: 'https://docs.roocode.com/features/custom-instructions',
      writable: agentNotes,
    },
  },
);
