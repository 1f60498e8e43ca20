import { anyOther, runsCommand, connects, surfaceFamily, mcpServers, permits, redirects, runs, schema } from './row.ts';

/**
 * Endings of extensions' keys that name a program. Other keys do too (`lldb.library`), so an approval shows the rest as
 * well.
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

const ideaValues = [
  ...runsCommand(
    '**.*PATH*.value',
    '**.*COMMAND*.value',
    '**.*EXECUTABLE*.value',
    '**.*SCRIPT*.value',
    '**.*INTERPRETER*.value',
    '**.*PARAMETERS*.value',
    '**.*HOME*.value',
  ),
  ...redirects('**.*URL*.value', '**.url'),
];
const runConfigurations = [...runsCommand('**.configuration.**'), ...ideaValues, ...anyOther];

/** IDEs of JetBrains. */
export const jetbrains = surfaceFamily(
  { clients: ['jetbrains'], gate: 'hidden', source: 'https://www.jetbrains.com/help/idea/project-security.html' },
  {
    'idea-workspace': {
      path: '.idea/workspace.xml',
      kind: 'editor',
      format: 'xml',
      fields: runConfigurations,
      source: 'https://www.jetbrains.com/help/idea/project-security.html; Mindgard 1.12',
    },
    'idea-run-configurations': {
      path: '.idea/runConfigurations/*.xml',
      kind: 'task',
      format: 'xml',
      fields: runConfigurations,
      source: 'https://www.jetbrains.com/help/idea/run-debug-configuration.html',
    },
    'idea-watchers': {
      path: '.idea/watcherTasks.xml',
      kind: 'task',
      format: 'xml',
      fields: runsCommand('**'),
      source: 'https://www.jetbrains.com/help/idea/using-file-watchers.html',
    },
    'idea-tools': {
      path: '.idea/tools/*.xml',
      kind: 'task',
      format: 'xml',
      fields: runsCommand('**'),
      source: 'https://www.jetbrains.com/help/idea/configuring-third-party-tools.html',
    },
    'idea-schemas': {
      path: '.idea/jsonSchemas.xml',
      kind: 'schema',
      format: 'xml',
      fields: redirects('**'),
      source: 'https://www.jetbrains.com/help/idea/json.html; Mindgard 3.3',
    },
    'idea-startup': {
      path: '.idea/startup.xml',
      kind: 'task',
      format: 'xml',
      fields: runs('**'),
      source: 'https://www.jetbrains.com/help/idea/settings-tools-startup-tasks.html',
    },
    'idea-files': { path: '.idea/*.xml', kind: 'editor', format: 'xml', fields: runConfigurations },
    'idea-directory': { path: '.idea/**', kind: 'editor' },
    'jetbrains-run': {
      path: '.run/*.run.xml',
      kind: 'task',
      format: 'xml',
      gate: 'listed',
      fields: runConfigurations,
      source:
        'https://www.jetbrains.com/help/idea/run-debug-configuration.html: it runs when someone presses the button',
    },
    'fleet-run': {
      path: '.fleet/run.json',
      kind: 'task',
      format: 'jsonc',
      fields: [...runsCommand('**.program', '**.args.**', '**.command'), ...anyOther],
      source: 'https://www.jetbrains.com/help/fleet/run-configurations.html',
    },
    'fleet-directory': { path: '.fleet/**', kind: 'editor', source: 'https://www.jetbrains.com/help/fleet' },
  },
);

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
      writable: 'agents keep notes in it, and what they write counts only once it is approved',
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
