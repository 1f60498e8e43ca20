import { command, connects, family, permits, redirects, runs } from './row.ts';
import { anyOther, frontMatter, hooks, mcpServers } from './shared-fields.ts';

const prose = 'agents keep notes in it, and what they write counts only once it is approved';

/** OpenAI Codex, and the names that others took over from it. */
export const codex = family(
  { clients: ['codex'], gate: 'hidden', source: 'https://developers.openai.com/codex/config-reference' },
  {
    'codex-config': {
      path: '.codex/config.toml',
      kind: 'mcp',
      format: 'toml',
      fields: [
        ...mcpServers('mcp_servers'),
        ...command('notify.**', 'model_providers.*.auth.command', 'model_providers.*.auth.args.**'),
        ...hooks('hooks'),
        ...redirects('model_providers.*.base_url', 'openai_base_url', 'chatgpt_base_url', 'model_provider'),
        ...connects('model_providers.*.http_headers.*', 'otel.**'),
        ...runs('shell_environment_policy.**', 'model_providers.**', 'plugins.**', 'marketplaces.**'),
        ...permits('approval_policy', 'approval_policy.**', 'sandbox_mode', 'sandbox_workspace_write.**', 'profiles.**', 'projects.**'),
        ...anyOther,
      ],
      source: 'https://developers.openai.com/codex/config-reference; Mindgard 1.1, 1.6, 3.5',
    },
    'codex-hooks': { path: '.codex/hooks.json', kind: 'hook', format: 'jsonc', fields: [...hooks('hooks'), ...anyOther], source: 'https://developers.openai.com/codex/hooks' },
    'codex-skills': { path: '.codex/skills/*/SKILL.md', kind: 'skill', format: 'markdown', fields: frontMatter, source: 'https://developers.openai.com/codex/skills' },
    'codex-prompts': { path: '.codex/prompts/*.md', kind: 'prompt', format: 'markdown', fields: frontMatter, source: 'https://developers.openai.com/codex/custom-prompts' },
    'codex-directory': { path: '.codex/**', kind: 'agent-settings' },
    'agents-skills': { path: '.agents/skills/*/SKILL.md', kind: 'skill', clients: ['codex', 'gemini', 'opencode', 'amp', 'any'], format: 'markdown', fields: frontMatter, source: 'https://agentskills.io/specification; https://developers.openai.com/codex/skills' },
    'agents-directory': { path: '.agents/**', kind: 'skill', clients: ['codex', 'gemini', 'opencode', 'amp', 'any'], source: 'https://developers.openai.com/codex/skills' },
    'agent-rules': { path: '.agent/rules/*.md', kind: 'instructions', clients: ['any'], format: 'markdown', fields: frontMatter, source: 'https://antigravity.google/docs/rules-workflows' },
    'agent-workflows': { path: '.agent/workflows/*.md', kind: 'prompt', clients: ['any'], format: 'markdown', fields: frontMatter, source: 'https://antigravity.google/docs/rules-workflows' },
    'agent-directory': { path: '.agent/**', kind: 'agent-settings', clients: ['any'], source: 'https://antigravity.google/docs/rules-workflows' },
    'agents-memory': { path: 'AGENTS.md', kind: 'instructions', clients: ['codex', 'cursor', 'copilot', 'opencode', 'amp', 'zed', 'kilo', 'any'], format: 'markdown', fields: frontMatter, source: 'https://agents.md', writable: prose },
    'agents-memory-override': { path: 'AGENTS.override.md', kind: 'instructions', format: 'markdown', fields: frontMatter, source: 'https://developers.openai.com/codex/guides/agents-md', writable: prose },
    'agent-memory': { path: 'AGENT.md', kind: 'instructions', clients: ['amp', 'any'], format: 'markdown', fields: frontMatter, source: 'https://ampcode.com/manual', writable: prose },
  },
);
