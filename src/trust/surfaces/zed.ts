import { anyOther, runsCommand, surfaceFamily, mcpServers, permits, redirects, runs } from './row.ts';

/** Zed. */
export const zed = surfaceFamily(
  { clients: ['zed'], gate: 'hidden', source: 'https://zed.dev/docs/configuring-zed' },
  {
    'zed-settings': {
      path: '.zed/settings.json',
      kind: 'lsp',
      format: 'jsonc',
      fields: [
        ...runsCommand(
          'lsp.*.binary.path',
          'lsp.*.binary.arguments.**',
          'languages.*.formatter.**',
          'formatter.**',
          'terminal.**',
          'dap.*.binary',
          'dap.*.args.**',
          'agent_servers.**',
          'prettier.**',
        ),
        ...mcpServers('context_servers'),
        ...runs('lsp.**', 'node.**', 'languages.**', 'load_direnv', 'git.**'),
        ...redirects('language_models.*.api_url', 'server_url', 'proxy'),
        ...permits('agent.**', 'assistant.**', 'auto_install_extensions.**', 'file_types.**'),
        ...anyOther,
      ],
      source: 'https://zed.dev/docs/configuring-languages#language-servers; Mindgard 1.1, 1.2',
    },
    'zed-tasks': {
      path: '.zed/tasks.json',
      kind: 'task',
      format: 'jsonc',
      fields: [...runsCommand('*.command', '*.args.**', '*.shell.**', '*.cwd'), ...runs('*.env.*'), ...anyOther],
      source: 'https://zed.dev/docs/tasks',
    },
    'zed-debug': {
      path: '.zed/debug.json',
      kind: 'task',
      format: 'jsonc',
      fields: [...runsCommand('**.program', '**.args.**', '**.command', '**.build.**'), ...anyOther],
      source: 'https://zed.dev/docs/debugger',
    },
    'zed-directory': { path: '.zed/**', kind: 'editor' },
    'zed-rules': {
      path: '.rules',
      kind: 'instructions',
      format: 'markdown',
      fields: [{ path: '**', effect: 'instructs' }],
      source: 'https://zed.dev/docs/ai/rules',
      writable: 'agents keep notes in it, and these count only once they are approved',
    },
  },
);
