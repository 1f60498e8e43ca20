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
import { agentNotes } from './agent-notes.ts';

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
export const gemini = surfaceFamily(
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
      writable: agentNotes,
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
      writable: agentNotes,
    },
  },
);
