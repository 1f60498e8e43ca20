import { anyOther, runsCommand, connects, surfaceFamily, mcpServers, permits, redirects, runs, schema } from './row.ts';

/**
 * Endings of extensions' keys that name a program. Other keys do too (`lldb.library`), so an approval also shows all
 * others.
 */
const programs = runsCommand(
  '**.*xecutablePath*',
  '**.*xecutable*',
  '**.*ommand*',
  '**.*ath',
  '**.*aths.**',
  '**.path',
  '**.binary',
  '**.*Args.**',
  '**.*args.**',
  '**.*hell*',
  '**.*erver*',
  '**.profiles.**',
  '**.*cript*',
  '**.*nterpreter*',
  '**.*tools.**',
);

const vscodeSettings = [
  ...permits(
    'chat\\.**',
    'chat.**',
    'github\\.copilot\\.**',
    'security\\.**',
    'task\\.allowAutomaticTasks',
    'remote\\.**',
    'files\\.associations.**',
  ),
  ...mcpServers('mcp.servers'),
  ...redirects('json\\.schemas.**', 'yaml\\.schemas.**', '**.*rl', '**.*ndpoint*', '**.*roxy*', 'http\\.**'),
  ...runs('terminal\\.**', 'terminal.**'),
  ...programs,
  ...schema,
  ...anyOther,
];

const tasks = [
  ...runsCommand('**.command', '**.args.**', '**.options.shell.**', '**.options.cwd'),
  ...runs(
    '**.runOptions.**',
    '**.options.env.*',
    '**.type',
    '**.script',
    '**.label',
    '**.dependsOn',
    '**.dependsOn.**',
    'inputs.**',
  ),
  ...schema,
  ...anyOther,
];

const launch = [
  ...runsCommand(
    '**.program',
    '**.runtimeExecutable',
    '**.runtimeArgs.**',
    '**.args.**',
    '**.preLaunchTask',
    '**.postDebugTask',
    '**.miDebuggerPath',
    '**.pythonPath',
    '**.python',
    '**.module',
    '**.command',
    '**.*ommands.**',
    '**.*ath',
  ),
  ...runs('**.env.*', '**.environment.**', '**.envFile', '**.type'),
  ...connects('**.url'),
  ...schema,
  ...anyOther,
];

/** Visual Studio Code, and its forks. */
export const vscode = surfaceFamily(
  {
    clients: ['vscode', 'copilot', 'cursor', 'windsurf'],
    gate: 'hidden',
    source: 'https://code.visualstudio.com/docs/editing/workspaces/workspace-trust',
  },
  {
    'vscode-settings': {
      path: '.vscode/settings.json',
      kind: 'editor',
      format: 'jsonc',
      fields: vscodeSettings,
      source: 'https://code.visualstudio.com/docs/configure/settings; CVE-2025-53773; Mindgard 1.12',
    },
    'vscode-tasks': {
      path: '.vscode/tasks.json',
      kind: 'task',
      format: 'jsonc',
      fields: tasks,
      source: 'https://code.visualstudio.com/docs/debugtest/tasks#_run-behavior: runOn folderOpen; Mindgard 1.6',
    },
    'vscode-launch': {
      path: '.vscode/launch.json',
      kind: 'task',
      format: 'jsonc',
      fields: launch,
      source: 'https://code.visualstudio.com/docs/debugtest/debugging-configuration',
    },
    'vscode-mcp': {
      path: '.vscode/mcp.json',
      kind: 'mcp',
      format: 'jsonc',
      fields: [...mcpServers('servers'), ...mcpServers('mcpServers'), ...runs('inputs.**'), ...anyOther],
      source: 'https://code.visualstudio.com/docs/copilot/reference/mcp-configuration',
    },
    'vscode-extensions': {
      path: '.vscode/extensions.json',
      kind: 'plugin',
      format: 'jsonc',
      fields: [...runs('recommendations.**'), ...schema, ...anyOther],
      source: 'https://code.visualstudio.com/docs/configure/extensions/extension-marketplace',
    },
    'vscode-directory': { path: '.vscode/**', kind: 'editor' },
    'code-workspace': {
      path: '*.code-workspace',
      kind: 'editor',
      format: 'jsonc',
      fields: [
        ...permits('folders.**', 'remoteAuthority'),
        ...prefixed('settings', vscodeSettings),
        ...prefixed('tasks', tasks),
        ...prefixed('launch', launch),
        ...runs('extensions.**'),
        ...mcpServers('mcp.servers'),
        ...schema,
        ...anyOther,
      ],
      source: 'https://code.visualstudio.com/docs/editing/workspaces/multi-root-workspaces; Mindgard 1.12',
    },
    'visual-studio-directory': {
      path: '.vs/**',
      kind: 'editor',
      clients: ['any'],
      source: 'https://learn.microsoft.com/visualstudio/ide/mcp-servers',
    },
    'theia-directory': {
      path: '.theia/**',
      kind: 'editor',
      clients: ['any'],
      source: 'https://theia-ide.org/docs/user_ai; Mindgard 1.1',
    },
  },
);

/** Editors whose settings are programs. */
export const otherEditors = surfaceFamily(
  { clients: ['any'], gate: 'hidden', source: "https://neovim.io/doc/user/options.html#'exrc'" },
  {
    'neovim-lua': { path: '.nvim.lua', kind: 'editor' },
    'neovim-rc': { path: '.nvimrc', kind: 'editor' },
    exrc: { path: '.exrc', kind: 'editor' },
    vimrc: { path: '.vimrc', kind: 'editor', source: 'https://vimhelp.org/options.txt.html#%27exrc%27' },
    'vim-local': { path: '.lvimrc', kind: 'editor', source: 'https://github.com/embear/vim-localvimrc' },
    'vim-project': { path: '.project.vim', kind: 'editor', source: 'https://vimhelp.org/options.txt.html#%27exrc%27' },
    'lazy-lua': { path: '.lazy.lua', kind: 'editor', source: 'https://lazy.folke.io/configuration' },
    'emacs-locals': {
      path: '.dir-locals.el',
      kind: 'editor',
      source: 'https://www.gnu.org/software/emacs/manual/html_node/emacs/Directory-Variables.html',
    },
    'emacs-locals-second': {
      path: '.dir-locals-2.el',
      kind: 'editor',
      source: 'https://www.gnu.org/software/emacs/manual/html_node/emacs/Directory-Variables.html',
    },
    'sublime-project': {
      path: '*.sublime-project',
      kind: 'editor',
      format: 'jsonc',
      fields: [...runsCommand('build_systems.**', '**.command.**', '**.cmd.**'), ...anyOther],
      source: 'https://www.sublimetext.com/docs/projects.html',
    },
    'helix-languages': {
      path: '.helix/languages.toml',
      kind: 'lsp',
      format: 'toml',
      fields: [
        ...runsCommand(
          'language-server.*.command',
          'language-server.*.args.**',
          'language.*.formatter.**',
          'language.*.debugger.**',
        ),
        ...anyOther,
      ],
      source: 'https://docs.helix-editor.com/languages.html',
    },
    'coc-settings': {
      path: '.vim/coc-settings.json',
      kind: 'lsp',
      format: 'jsonc',
      fields: [
        ...runsCommand(
          'languageserver.*.command',
          'languageserver.*.module',
          'languageserver.*.args.**',
          '**.*ath',
          '**.*ommand*',
        ),
        ...schema,
        ...anyOther,
      ],
      source: 'https://github.com/neoclide/coc.nvim/wiki/Using-the-configuration-file; Mindgard 1.2',
    },
    'helix-directory': {
      path: '.helix/**',
      kind: 'editor',
      source: 'https://docs.helix-editor.com/configuration.html',
    },
  },
);

function prefixed(key: string, patterns: typeof vscodeSettings): typeof vscodeSettings {
  return patterns.map((pattern) => ({ ...pattern, path: `${key}.${pattern.path}` }));
}
