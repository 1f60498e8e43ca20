import { command, connects, family, permits, redirects, runs } from './row.ts';
import { anyOther, frontMatter, hooks, mcpServers, schema } from './shared-fields.ts';

const prose = 'agents keep notes in it, and what they write counts only once it is approved';

/** Windsurf. */
export const windsurf = family(
  { clients: ['windsurf'], gate: 'hidden', source: 'https://docs.windsurf.com/windsurf/cascade/memories' },
  {
    'windsurf-rules': { path: '.windsurf/rules/*.md', kind: 'instructions', format: 'markdown', fields: frontMatter },
    'windsurf-workflows': { path: '.windsurf/workflows/*.md', kind: 'prompt', format: 'markdown', fields: frontMatter, source: 'https://docs.windsurf.com/windsurf/cascade/workflows' },
    'windsurf-skills': { path: '.windsurf/skills/*/SKILL.md', kind: 'skill', format: 'markdown', fields: frontMatter, source: 'https://docs.windsurf.com/windsurf/cascade/skills' },
    'windsurf-hooks': { path: '.windsurf/hooks.json', kind: 'hook', format: 'jsonc', fields: [...hooks('hooks'), ...anyOther], source: 'https://docs.windsurf.com/windsurf/cascade/hooks' },
    'windsurf-mcp': { path: '.windsurf/mcp*.json', kind: 'mcp', format: 'jsonc', fields: [...mcpServers('mcpServers'), ...anyOther], source: 'https://docs.windsurf.com/windsurf/cascade/mcp; Mindgard 1.1' },
    'windsurf-directory': { path: '.windsurf/**', kind: 'agent-settings' },
    'windsurf-rules-old': { path: '.windsurfrules', kind: 'instructions', format: 'markdown', fields: frontMatter },
  },
);

/** Kiro, and Amazon Q before it. */
export const kiro = family(
  { clients: ['kiro'], gate: 'hidden', source: 'https://kiro.dev/docs' },
  {
    'kiro-mcp': { path: '.kiro/settings/mcp.json', kind: 'mcp', format: 'jsonc', fields: [...mcpServers('mcpServers'), ...mcpServers('powers.mcpServers'), ...anyOther], source: 'https://kiro.dev/docs/mcp/configuration; Mindgard 1.1' },
    'kiro-settings': { path: '.kiro/settings/*.json', kind: 'agent-settings', format: 'jsonc', fields: [...command('**.command', '**.args.**'), ...anyOther], source: 'https://kiro.dev/docs/cli/code-intelligence: language servers are named there' },
    'kiro-hooks': { path: '.kiro/hooks/*.hook', kind: 'hook', format: 'jsonc', fields: [...command('then.command', '**.command'), ...runs('when.**', 'then.**'), ...anyOther], source: 'https://kiro.dev/docs/hooks' },
    'kiro-hooks-json': { path: '.kiro/hooks/*.json', kind: 'hook', format: 'jsonc', fields: [...hooks('hooks'), ...command('**.command'), ...anyOther], source: 'https://kiro.dev/docs/ide/whats-new-v1/hooks/' },
    'kiro-steering': { path: '.kiro/steering/*.md', kind: 'instructions', format: 'markdown', fields: frontMatter, source: 'https://kiro.dev/docs/steering' },
    'kiro-agents': { path: '.kiro/agents/*.json', kind: 'plugin', format: 'jsonc', fields: [...hooks('hooks'), ...mcpServers('mcpServers'), ...anyOther], source: 'https://kiro.dev/docs/cli/custom-agents/configuration-reference' },
    'kiro-skills': { path: '.kiro/skills/*/SKILL.md', kind: 'skill', format: 'markdown', fields: frontMatter },
    'kiro-directory': { path: '.kiro/**', kind: 'agent-settings' },
    'amazon-q-mcp': { path: '.amazonq/mcp.json', kind: 'mcp', clients: ['any'], format: 'jsonc', fields: [...mcpServers('mcpServers'), ...anyOther], source: 'https://docs.aws.amazon.com/amazonq/latest/qdeveloper-ug/command-line-mcp-configuration.html' },
    'amazon-q-agents': { path: '.amazonq/cli-agents/*.json', kind: 'plugin', clients: ['any'], format: 'jsonc', fields: [...hooks('hooks'), ...mcpServers('mcpServers'), ...anyOther], source: 'https://docs.aws.amazon.com/amazonq/latest/qdeveloper-ug/command-line-custom-agents.html' },
    'amazon-q-rules': { path: '.amazonq/rules/*.md', kind: 'instructions', clients: ['any'], format: 'markdown', fields: frontMatter, source: 'https://docs.aws.amazon.com/amazonq/latest/qdeveloper-ug/context-project-rules.html' },
    'amazon-q-directory': { path: '.amazonq/**', kind: 'agent-settings', clients: ['any'], source: 'https://docs.aws.amazon.com/amazonq/latest/qdeveloper-ug' },
  },
);

/** Cline, and Roo Code, which began as it. */
export const cline = family(
  { clients: ['cline'], gate: 'hidden', source: 'https://docs.cline.bot/customization/cline-rules' },
  {
    'cline-rules': { path: '.clinerules/*.md', kind: 'instructions', format: 'markdown', fields: frontMatter, source: 'https://docs.cline.bot/customization/cline-rules; Mindgard 2.4' },
    'cline-workflows': { path: '.clinerules/workflows/*.md', kind: 'prompt', format: 'markdown', fields: frontMatter },
    'cline-hooks': { path: '.clinerules/hooks/*', kind: 'hook', source: 'https://docs.cline.bot/customization/hooks' },
    'cline-rules-file': { path: '.clinerules', kind: 'instructions', format: 'markdown', fields: frontMatter },
    'cline-rules-directory': { path: '.clinerules/**', kind: 'instructions' },
    'cline-directory': { path: '.cline/**', kind: 'agent-settings' },
    'roo-mcp': { path: '.roo/mcp.json', kind: 'mcp', clients: ['roo'], format: 'jsonc', fields: [...mcpServers('mcpServers'), ...anyOther], source: 'https://docs.roocode.com/features/mcp/using-mcp-in-roo; GHSA-5x8h-m52g-5v54' },
    'roo-rules': { path: '.roo/rules*/*.md', kind: 'instructions', clients: ['roo'], format: 'markdown', fields: frontMatter, source: 'https://docs.roocode.com/features/custom-instructions' },
    'roo-commands': { path: '.roo/commands/*.md', kind: 'prompt', clients: ['roo'], format: 'markdown', fields: frontMatter, source: 'https://docs.roocode.com/features/slash-commands' },
    'roo-directory': { path: '.roo/**', kind: 'agent-settings', clients: ['roo'], source: 'https://docs.roocode.com/features/custom-instructions' },
    'roo-modes': { path: '.roomodes', kind: 'instructions', clients: ['roo'], format: 'yaml', fields: [...permits('customModes.*.groups.**'), ...anyOther], source: 'https://docs.roocode.com/features/custom-modes' },
    'roo-rules-old': { path: '.roorules*', kind: 'instructions', clients: ['roo'], format: 'markdown', fields: frontMatter, source: 'https://docs.roocode.com/features/custom-instructions', writable: prose },
  },
);

const openCodeSettings = [
  ...mcpServers('mcp'),
  ...command('lsp.*.command.**', 'formatter.*.command.**', 'experimental.hook.**.command.**'),
  ...runs('lsp.**', 'formatter.**', 'plugin', 'plugin.**', 'tools.**', 'provider.*.npm'),
  ...redirects('provider.*.options.baseURL', 'provider.*.api', 'enterprise.url'),
  ...connects('provider.*.options.headers.*'),
  ...command('command.*.template'),
  ...permits('permission', 'permission.**', 'agent.**', 'instructions.**', 'share', 'server.**'),
  ...schema,
  ...anyOther,
];

/** OpenCode, and Kilo Code, whose command line began as it. */
export const opencode = family(
  { clients: ['opencode'], gate: 'hidden', source: 'https://opencode.ai/docs/config' },
  {
    'opencode-config': { path: 'opencode.json', kind: 'mcp', format: 'jsonc', fields: openCodeSettings },
    'opencode-config-comments': { path: 'opencode.jsonc', kind: 'mcp', format: 'jsonc', fields: openCodeSettings },
    'opencode-config-inside': { path: '.opencode/opencode.json*', kind: 'mcp', format: 'jsonc', fields: openCodeSettings },
    'opencode-config-old': { path: '.opencode.json', kind: 'mcp', format: 'jsonc', fields: [...mcpServers('mcpServers'), ...openCodeSettings], writable: 'no version that is maintained reads it' },
    'opencode-commands': { path: '.opencode/command*/*.md', kind: 'prompt', format: 'markdown', fields: frontMatter, source: 'https://opencode.ai/docs/commands' },
    'opencode-agents': { path: '.opencode/agent*/*.md', kind: 'plugin', format: 'markdown', fields: frontMatter, source: 'https://opencode.ai/docs/agents' },
    'opencode-skills': { path: '.opencode/skill*/*/SKILL.md', kind: 'skill', format: 'markdown', fields: frontMatter, source: 'https://opencode.ai/docs/skills' },
    'opencode-plugins': { path: '.opencode/plugin*/*', kind: 'plugin', source: 'https://opencode.ai/docs/plugins; Mindgard 1.3' },
    'opencode-tools': { path: '.opencode/tool*/*', kind: 'plugin', source: 'https://opencode.ai/docs/custom-tools; Mindgard 1.3' },
    'opencode-directory': { path: '.opencode/**', kind: 'plugin' },
    'kilo-config': { path: 'kilo.json', kind: 'mcp', clients: ['kilo'], format: 'jsonc', fields: openCodeSettings, source: 'https://kilo.ai/docs/customize' },
    'kilo-config-comments': { path: 'kilo.jsonc', kind: 'mcp', clients: ['kilo'], format: 'jsonc', fields: openCodeSettings, source: 'https://kilo.ai/docs/customize' },
    'kilo-directory': { path: '.kilo/**', kind: 'plugin', clients: ['kilo'], source: 'https://kilo.ai/docs/customize' },
    'kilocode-mcp': { path: '.kilocode/mcp.json', kind: 'mcp', clients: ['kilo'], format: 'jsonc', fields: [...mcpServers('mcpServers'), ...anyOther], source: 'https://kilo.ai/docs/features/mcp/using-mcp-in-kilo-code' },
    'kilocode-rules': { path: '.kilocode/rules*/*.md', kind: 'instructions', clients: ['kilo'], format: 'markdown', fields: frontMatter, source: 'https://kilo.ai/docs/agent-behavior/custom-rules' },
    'kilocode-workflows': { path: '.kilocode/workflows/*.md', kind: 'prompt', clients: ['kilo'], format: 'markdown', fields: frontMatter, source: 'https://kilo.ai/docs/features/slash-commands/workflows' },
    'kilocode-directory': { path: '.kilocode/**', kind: 'agent-settings', clients: ['kilo'], source: 'https://kilo.ai/docs/agent-behavior/custom-rules' },
    'kilocode-modes': { path: '.kilocodemodes', kind: 'instructions', clients: ['kilo'], format: 'yaml', fields: anyOther, source: 'https://kilo.ai/docs/agent-behavior/custom-modes' },
    'kilocode-rules-old': { path: '.kilocoderules*', kind: 'instructions', clients: ['kilo'], format: 'markdown', fields: frontMatter, source: 'https://kilo.ai/docs/agent-behavior/custom-rules', writable: prose },
  },
);

/** Amp and Mistral Vibe. */
export const ampAndVibe = family(
  { clients: ['amp'], gate: 'hidden', source: 'https://ampcode.com/manual' },
  {
    'amp-settings': { path: '.amp/settings.json*', kind: 'mcp', format: 'jsonc', fields: [...mcpServers('amp\\.mcpServers'), ...command('amp\\.hooks.**', 'amp\\.permissions.**'), ...redirects('amp\\.url'), ...anyOther], source: 'https://ampcode.com/manual#configuration; Mindgard 1.1' },
    'amp-directory': { path: '.amp/**', kind: 'plugin' },
    'vibe-config': { path: '.vibe/config.toml', kind: 'mcp', clients: ['vibe'], format: 'toml', fields: [...mcpServers('mcp_servers'), ...command('mcp_servers.**'), ...redirects('providers.*.api_base', 'api_base'), ...permits('tools.**'), ...anyOther], source: 'https://docs.mistral.ai/mistral-vibe/configuration; Mindgard 1.1' },
    'vibe-tools': { path: '.vibe/tools/*', kind: 'plugin', clients: ['vibe'], source: 'https://docs.mistral.ai/mistral-vibe/configuration; Mindgard 1.3' },
    'vibe-skills': { path: '.vibe/skills/*/SKILL.md', kind: 'skill', clients: ['vibe'], format: 'markdown', fields: frontMatter, source: 'https://docs.mistral.ai/mistral-vibe/agents-skills' },
    'vibe-directory': { path: '.vibe/**', kind: 'plugin', clients: ['vibe'], source: 'https://docs.mistral.ai/mistral-vibe/configuration' },
  },
);

/** Agents that have few files, or one. */
export const otherAgents = family(
  { clients: ['any'], gate: 'hidden', source: 'https://agents.md' },
  {
    'junie-guidelines': { path: '.junie/*.md', kind: 'instructions', clients: ['jetbrains'], format: 'markdown', fields: frontMatter, source: 'https://junie.jetbrains.com/docs/guidelines-and-memory.html' },
    'junie-mcp': { path: '.junie/mcp/mcp.json', kind: 'mcp', clients: ['jetbrains'], format: 'jsonc', fields: [...mcpServers('mcpServers'), ...anyOther], source: 'https://junie.jetbrains.com/docs/junie-ides-mcp-settings.html' },
    'junie-directory': { path: '.junie/**', kind: 'agent-settings', clients: ['jetbrains'], source: 'https://junie.jetbrains.com/docs' },
    'jetbrains-assistant': { path: '.aiassistant/**', kind: 'instructions', clients: ['jetbrains'], source: 'https://www.jetbrains.com/help/ai-assistant/configure-project-rules.html' },
    'goose-directory': { path: '.goose/**', kind: 'agent-settings', source: 'https://block.github.io/goose/docs/guides/context-engineering/using-goosehints' },
    'goose-hints': { path: '.goosehints', kind: 'instructions', format: 'markdown', fields: frontMatter, source: 'https://block.github.io/goose/docs/guides/context-engineering/using-goosehints' },
    'continue-mcp': { path: '.continue/mcpServers/*.yaml', kind: 'mcp', format: 'yaml', fields: [...mcpServers('mcpServers'), ...anyOther], source: 'https://docs.continue.dev/customize/deep-dives/mcp' },
    'continue-rules': { path: '.continue/rules/*.md', kind: 'instructions', format: 'markdown', fields: frontMatter, source: 'https://docs.continue.dev/customize/deep-dives/rules' },
    'continue-directory': { path: '.continue/**', kind: 'agent-settings', source: 'https://docs.continue.dev/reference' },
    'continue-settings': { path: '.continuerc.json', kind: 'agent-settings', format: 'jsonc', fields: [...redirects('models.*.apiBase'), ...anyOther], source: 'https://docs.continue.dev/reference/json-reference' },
    'aider-config': { path: '.aider.conf.yml', kind: 'agent-settings', format: 'yaml', fields: [...command('lint-cmd', 'lint-cmd.**', 'test-cmd', 'load', 'notifications-command', 'editor'), ...redirects('openai-api-base'), ...anyOther], source: 'https://aider.chat/docs/config/aider_conf.html' },
    'augment-directory': { path: '.augment/**', kind: 'instructions', source: 'https://docs.augmentcode.com/setup-augment/guidelines' },
    'augment-guidelines': { path: '.augment-guidelines', kind: 'instructions', format: 'markdown', fields: frontMatter, source: 'https://docs.augmentcode.com/setup-augment/guidelines', writable: prose },
    'trae-directory': { path: '.trae/**', kind: 'agent-settings', source: 'https://docs.trae.ai/ide/rules' },
    'factory-mcp': { path: '.factory/mcp.json', kind: 'mcp', format: 'jsonc', fields: [...mcpServers('mcpServers'), ...anyOther], source: 'https://docs.factory.ai/cli/configuration/mcp' },
    'factory-settings': { path: '.factory/settings*.json', kind: 'hook', format: 'jsonc', fields: [...hooks('hooks'), ...anyOther], source: 'https://docs.factory.ai/cli/configuration/hooks-guide' },
    'factory-directory': { path: '.factory/**', kind: 'agent-settings', source: 'https://docs.factory.ai/cli/configuration' },
    'openhands-setup': { path: '.openhands/*.sh', kind: 'task', source: 'https://docs.openhands.dev/openhands/usage/customization/repository' },
    'openhands-directory': { path: '.openhands/**', kind: 'instructions', source: 'https://docs.openhands.dev/openhands/usage/customization/repository' },
    'crush-config': { path: '.crush.json', kind: 'mcp', format: 'jsonc', fields: [...mcpServers('mcp'), ...command('lsp.*.command', 'lsp.*.args.**'), ...redirects('providers.*.base_url'), ...anyOther], source: 'https://github.com/charmbracelet/crush#configuration' },
    'crush-config-plain': { path: 'crush.json', kind: 'mcp', format: 'jsonc', fields: [...mcpServers('mcp'), ...command('lsp.*.command', 'lsp.*.args.**'), ...redirects('providers.*.base_url'), ...anyOther], source: 'https://github.com/charmbracelet/crush#configuration' },
    'crush-memory': { path: 'CRUSH.md', kind: 'instructions', format: 'markdown', fields: frontMatter, source: 'https://github.com/charmbracelet/crush', writable: prose },
    'warp-memory': { path: 'WARP.md', kind: 'instructions', format: 'markdown', fields: frontMatter, source: 'https://docs.warp.dev/knowledge-and-collaboration/rules', writable: prose },
  },
);
