import { anyOther, surfaceFamily, frontMatter, hooks, mcpServers } from './row.ts';

const customise = 'https://code.visualstudio.com/docs/copilot/customization/overview';

/** GitHub Copilot: in VS Code, on the command line, and on GitHub. */
export const copilot = surfaceFamily(
  {
    clients: ['copilot', 'vscode'],
    gate: 'hidden',
    source: 'https://docs.github.com/en/copilot/how-tos/configure-custom-instructions',
  },
  {
    'copilot-instructions': {
      path: '.github/copilot-instructions.md',
      kind: 'instructions',
      format: 'markdown',
      fields: frontMatter,
    },
    'copilot-path-instructions': {
      path: '.github/instructions/*.md',
      kind: 'instructions',
      format: 'markdown',
      fields: frontMatter,
    },
    'copilot-instructions-directory': { path: '.github/instructions/**', kind: 'instructions' },
    'copilot-prompts': {
      path: '.github/prompts/*.md',
      kind: 'prompt',
      format: 'markdown',
      fields: frontMatter,
      source: `${customise}; Mindgard 2.2`,
    },
    'copilot-prompts-directory': { path: '.github/prompts/**', kind: 'prompt', source: customise },
    'copilot-agents': {
      path: '.github/agents/*.md',
      kind: 'plugin',
      format: 'markdown',
      fields: frontMatter,
      source: 'https://docs.github.com/en/copilot/reference/custom-agents-configuration',
    },
    'copilot-agents-directory': {
      path: '.github/agents/**',
      kind: 'plugin',
      source: 'https://docs.github.com/en/copilot/reference/custom-agents-configuration',
    },
    'copilot-chat-modes': {
      path: '.github/chatmodes/*.md',
      kind: 'plugin',
      format: 'markdown',
      fields: frontMatter,
      source: customise,
    },
    'copilot-chat-modes-directory': { path: '.github/chatmodes/**', kind: 'plugin', source: customise },
    'copilot-skills': {
      path: '.github/skills/*/SKILL.md',
      kind: 'skill',
      format: 'markdown',
      fields: frontMatter,
      source: 'https://docs.github.com/en/copilot/concepts/agents/about-agent-skills',
    },
    'copilot-skills-directory': {
      path: '.github/skills/**',
      kind: 'skill',
      source: 'https://docs.github.com/en/copilot/concepts/agents/about-agent-skills',
    },
    'copilot-hooks': {
      path: '.github/hooks/*.json',
      kind: 'hook',
      format: 'jsonc',
      fields: [...hooks('hooks'), ...anyOther],
      source: 'https://docs.github.com/en/copilot/reference/hooks-configuration',
    },
    'copilot-hooks-directory': {
      path: '.github/hooks/**',
      kind: 'hook',
      source: 'https://docs.github.com/en/copilot/reference/hooks-configuration',
    },
    'copilot-mcp': {
      path: '.github/mcp.json',
      kind: 'mcp',
      format: 'jsonc',
      fields: [...mcpServers('mcpServers'), ...mcpServers('servers'), ...anyOther],
      source: 'https://docs.github.com/en/copilot/how-tos/copilot-cli',
    },
    'copilot-settings': {
      path: '.github/copilot/*.json',
      kind: 'agent-settings',
      format: 'jsonc',
      fields: [...hooks('hooks'), ...mcpServers('mcpServers'), ...anyOther],
      source: 'https://docs.github.com/en/copilot/how-tos/copilot-cli',
    },
    'copilot-directory': {
      path: '.github/copilot/**',
      kind: 'agent-settings',
      source: 'https://docs.github.com/en/copilot/how-tos/copilot-cli',
    },
    'copilot-home': {
      path: '.copilot/**',
      kind: 'agent-settings',
      source: 'https://docs.github.com/en/copilot/how-tos/copilot-cli',
    },
    'copilot-setup-steps': {
      path: '.github/workflows/copilot-setup-steps.yml',
      kind: 'task',
      format: 'source',
      gate: 'listed',
      source:
        'https://docs.github.com/en/copilot/how-tos/use-copilot-agents/coding-agent/customize-the-agent-environment: it runs on GitHub',
    },
    'prompt-templates': {
      path: '*.prompttemplate',
      kind: 'prompt',
      clients: ['any'],
      format: 'markdown',
      fields: frontMatter,
      source: 'Mindgard 2.2',
    },
  },
);
