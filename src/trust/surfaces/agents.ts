import { agentNotes } from './agent-notes.ts';
import { anyOther, runsCommand, surfaceFamily, frontMatter, hooks, mcpServers, redirects, type Row } from './row.ts';

const piConfiguration = 'https://github.com/earendil-works/pi/tree/main/packages/coding-agent/docs/configuration.md';

/** Agents without any other known file. The common installer of skills lists them. */
const skillsOfOthers: Readonly<Record<string, Row>> = Object.fromEntries(
  `adal aider-desk autohand bob codeartsdoer codebuddy codemaker codestudio commandcode cortex crush devin forge hermes iflow inferencesh jazz kode lingma mcpjam moxby mux neovate ona pochi qoder reasonix rovodev terramind tinycloud zcode zencoder`
    .split(' ')
    .map((agent) => [
      `${agent}-skills`,
      { path: `.${agent}/skills/**`, kind: 'skill', source: 'https://agentskills.io; npm skills 1.7.4' },
    ]),
);

/** Agents with few files. */
export const otherAgents = surfaceFamily(
  { clients: ['any'], gate: 'hidden', source: 'https://agents.md' },
  {
    'junie-guidelines': {
      path: '.junie/*.md',
      kind: 'instructions',
      clients: ['jetbrains'],
      format: 'markdown',
      fields: frontMatter,
      source: 'https://junie.jetbrains.com/docs/guidelines-and-memory.html',
    },
    'junie-mcp': {
      path: '.junie/mcp/mcp.json',
      kind: 'mcp',
      clients: ['jetbrains'],
      format: 'jsonc',
      fields: [...mcpServers('mcpServers'), ...anyOther],
      source: 'https://junie.jetbrains.com/docs/junie-ides-mcp-settings.html',
    },
    'junie-directory': {
      path: '.junie/**',
      kind: 'agent-settings',
      clients: ['jetbrains'],
      source: 'https://junie.jetbrains.com/docs',
    },
    'jetbrains-assistant': {
      path: '.aiassistant/**',
      kind: 'instructions',
      clients: ['jetbrains'],
      source: 'https://www.jetbrains.com/help/ai-assistant/configure-project-rules.html',
    },
    'goose-directory': {
      path: '.goose/**',
      kind: 'agent-settings',
      source: 'https://block.github.io/goose/docs/guides/context-engineering/using-goosehints',
    },
    'goose-hints': {
      path: '.goosehints',
      kind: 'instructions',
      format: 'markdown',
      fields: frontMatter,
      source: 'https://block.github.io/goose/docs/guides/context-engineering/using-goosehints',
    },
    'continue-mcp': {
      path: '.continue/mcpServers/*.yaml',
      kind: 'mcp',
      format: 'yaml',
      fields: [...mcpServers('mcpServers'), ...anyOther],
      source: 'https://docs.continue.dev/customize/deep-dives/mcp',
    },
    'continue-rules': {
      path: '.continue/rules/*.md',
      kind: 'instructions',
      format: 'markdown',
      fields: frontMatter,
      source: 'https://docs.continue.dev/customize/deep-dives/rules',
    },
    'continue-directory': {
      path: '.continue/**',
      kind: 'agent-settings',
      source: 'https://docs.continue.dev/reference',
    },
    'continue-settings': {
      path: '.continuerc.json',
      kind: 'agent-settings',
      format: 'jsonc',
      fields: [...redirects('models.*.apiBase'), ...anyOther],
      source: 'https://docs.continue.dev/reference/json-reference',
    },
    'aider-config': {
      path: '.aider.conf.yml',
      kind: 'agent-settings',
      format: 'yaml',
      fields: [
        ...runsCommand('lint-cmd', 'lint-cmd.**', 'test-cmd', 'load', 'notifications-command', 'editor'),
        ...redirects('openai-api-base'),
        ...anyOther,
      ],
      source: 'https://aider.chat/docs/config/aider_conf.html',
    },
    'augment-directory': {
      path: '.augment/**',
      kind: 'instructions',
      source: 'https://docs.augmentcode.com/setup-augment/guidelines',
    },
    'augment-guidelines': {
      path: '.augment-guidelines',
      kind: 'instructions',
      format: 'markdown',
      fields: frontMatter,
      source: 'https://docs.augmentcode.com/setup-augment/guidelines',
      writable: agentNotes,
    },
    'trae-directory': { path: '.trae/**', kind: 'agent-settings', source: 'https://docs.trae.ai/ide/rules' },
    'factory-mcp': {
      path: '.factory/mcp.json',
      kind: 'mcp',
      format: 'jsonc',
      fields: [...mcpServers('mcpServers'), ...anyOther],
      source: 'https://docs.factory.ai/cli/configuration/mcp',
    },
    'factory-settings': {
      path: '.factory/settings*.json',
      kind: 'hook',
      format: 'jsonc',
      fields: [...hooks('hooks'), ...anyOther],
      source: 'https://docs.factory.ai/cli/configuration/hooks-guide',
    },
    'factory-directory': {
      path: '.factory/**',
      kind: 'agent-settings',
      source: 'https://docs.factory.ai/cli/configuration',
    },
    'openhands-setup': {
      path: '.openhands/*.sh',
      kind: 'task',
      source: 'https://docs.openhands.dev/openhands/usage/customization/repository',
    },
    'openhands-directory': {
      path: '.openhands/**',
      kind: 'instructions',
      source: 'https://docs.openhands.dev/openhands/usage/customization/repository',
    },
    'crush-config': {
      path: '.crush.json',
      kind: 'mcp',
      format: 'jsonc',
      fields: [
        ...mcpServers('mcp'),
        ...runsCommand('lsp.*.command', 'lsp.*.args.**'),
        ...redirects('providers.*.base_url'),
        ...anyOther,
      ],
      source: 'https://github.com/charmbracelet/crush#configuration',
    },
    'crush-config-plain': {
      path: 'crush.json',
      kind: 'mcp',
      format: 'jsonc',
      fields: [
        ...mcpServers('mcp'),
        ...runsCommand('lsp.*.command', 'lsp.*.args.**'),
        ...redirects('providers.*.base_url'),
        ...anyOther,
      ],
      source: 'https://github.com/charmbracelet/crush#configuration',
    },
    'crush-memory': {
      path: 'CRUSH.md',
      kind: 'instructions',
      format: 'markdown',
      fields: frontMatter,
      source: 'https://github.com/charmbracelet/crush',
      writable: agentNotes,
    },
    'warp-memory': {
      path: 'WARP.md',
      kind: 'instructions',
      format: 'markdown',
      fields: frontMatter,
      source: 'https://docs.warp.dev/knowledge-and-collaboration/rules',
      writable: agentNotes,
    },
    'pi-mcp': {
      path: '.pi/mcp.json',
      kind: 'mcp',
      clients: ['pi'],
      format: 'jsonc',
      fields: [...mcpServers('mcpServers'), ...anyOther],
      source: piConfiguration,
    },
    'pi-extensions': { path: '.pi/extensions/**', kind: 'plugin', clients: ['pi'], source: piConfiguration },
    'pi-directory': { path: '.pi/**', kind: 'agent-settings', clients: ['pi'], source: piConfiguration },
    ...skillsOfOthers,
  },
);
