import type { BuiltinName } from './builtin-name.ts';

type Scope = BuiltinName['scope'];

/** The launcher's limit. */
const longestChain = 8;

/**
 * Files that something outside the box executes or obeys later. They are readable and never writable, in every writable
 * root, at every depth. Entries follow the catalogue of Mindgard (ai-ide-vuln-patterns), by pattern number.
 */
export const protectedNames: readonly BuiltinName[] = [
  ...git('git runs hooks outside the box', ['.git/hooks', '.git/worktrees/*/hooks', ...inSubmodules('hooks')]),
  ...git('git configuration names programs to run: fsmonitor, pager, sshCommand, filters (Mindgard 1.10)', [
    '.git/config',
    '.git/config.worktree',
    ...inSubmodules('config', 'config.worktree'),
    '.git/worktrees/*/config',
    '.git/worktrees/*/config.worktree',
    '.gitconfig',
  ]),
  ...git('it says which git directory, and so which configuration, is used', [
    '.git/commondir',
    '.git/gitdir',
    '.git/worktrees/*/commondir',
    '.git/worktrees/*/gitdir',
    ...inSubmodules('commondir'),
  ]),
  ...git('attributes choose filters and diff programs (Mindgard 1.10)', [
    '.git/info/attributes',
    '.git/worktrees/*/info/attributes',
    ...inSubmodules('info/attributes'),
  ]),

  ...pointers('a .git file says which git directory, and so which configuration, is used', ['.git']),

  ...tools('agent', 'it configures MCP servers, hooks and permissions of coding agents (Mindgard 1.1, 1.3, 1.5, 2.3)', [
    '.mcp.json',
    '.claude',
    '.claude.json',
    '.codex',
    '.gemini',
    '.opencode',
    'opencode.json',
    'opencode.jsonc',
    '.cursor',
    '.cursorrules',
    '.windsurf',
    '.windsurfrules',
    '.clinerules',
    '.cline',
    '.roo',
    '.roomodes',
    '.rooignore',
    '.kilocode',
    '.kilocodemodes',
    '.kilo',
    'kilo.json',
    'kilo.jsonc',
    '.kiro',
    '.amp',
    '.agents',
    '.agent',
    '.qwen',
    '.vibe',
    '.junie',
    '.aiassistant',
    '.goose',
    '.goosehints',
    '.continue',
    '.continuerc.json',
    '.aider.conf.yml',
    '.amazonq',
    '.augment',
    '.trae',
    '.crush.json',
    'crush.json',
    '.factory',
    '.openhands',
    '.pi',
    '.copilot',
    '.github/copilot',
    '.github/copilot-instructions.md',
    '.github/prompts',
    '.github/instructions',
    '.github/agents',
    '.github/chatmodes',
    '.github/skills',
    '.github/hooks',
    '.github/mcp.json',
    '.*/skills',
    '*.prompttemplate',
  ]),
  ...tools(
    'editor',
    'it configures programs that an editor executes when it opens the folder (Mindgard 1.2, 1.6, 1.12)',
    [
      '.vscode',
      '*.code-workspace',
      '.idea',
      '*.iml',
      '.zed',
      '.fleet',
      '.vs',
      '.theia',
      '.nvim.lua',
      '.nvimrc',
      '.exrc',
      '.vimrc',
      '.lvimrc',
      '.dir-locals.el',
      '.dir-locals-2.el',
      '.sublime-project',
      '*.sublime-project',
      '.project.vim',
      '.vim/coc-settings.json',
      '.netbeans',
      '.helix',
      '.lazy.lua',
      '.devcontainer',
      '.devcontainer.json',
      '.gitpod.yml',
    ],
  ),
  ...tools('ci', 'it runs on a build server, with its credentials', [
    '.github/workflows',
    '.github/actions',
    '.gitlab-ci.yml',
    '.gitlab/ci',
    '.circleci',
    '.travis.yml',
    'azure-pipelines.yml',
    '.azure-pipelines',
    '.buildkite',
    '.drone.yml',
    '.woodpecker.yml',
    '.woodpecker',
    '.forgejo/workflows',
    '.gitea/workflows',
    'bitbucket-pipelines.yml',
    'jenkinsfile',
    '.semaphore',
    '.appveyor.yml',
    'appveyor.yml',
    '.cirrus.yml',
    '.teamcity',
    '.pre-commit-config.yaml',
    '.pre-commit-hooks.yaml',
  ]),
  ...tools('tool', 'it runs by itself when someone enters the directory or commits', [
    '.husky',
    '.lefthook',
    'lefthook.yml',
    'lefthook.yaml',
    'lefthook-local.yml',
    '.lefthook.yml',
    '.lefthook-local.yml',
    '.overcommit.yml',
    '.git-hooks',
    '.githooks',
    '.simple-git-hooks.json',
    '.simple-git-hooks.js',
    '.simple-git-hooks.cjs',
    '.envrc',
    '.direnv',
    '.autoenv',
    '.autoenv.zsh',
    '.mise.toml',
    'mise.toml',
    '.mise.local.toml',
    'mise.local.toml',
    '.mise',
    '.config/mise',
    '.config/mise.toml',
    '.rtx.toml',
    '.asdfrc',
    '.devenv',
    '.flox',
  ]),
  ...tools('package', 'it redirects packages or names a shell for their scripts (Mindgard 1.10, 3.3)', [
    '.npmrc',
    '.yarnrc',
    '.yarnrc.yml',
    '.yarn/releases',
    '.yarn/plugins',
    '.pnpmfile.cjs',
    '.pnpmfile.mjs',
    '.cargo/config',
    '.cargo/config.toml',
    '.bundle/config',
    '.mvn/jvm.config',
    '.mvn/extensions.xml',
    '.mvn/maven.config',
  ]),
  ...tools('shell', 'a shell or an interpreter reads it when it starts', [
    '.bashrc',
    '.bash_profile',
    '.bash_login',
    '.bash_logout',
    '.bash_aliases',
    '.profile',
    '.zshrc',
    '.zshenv',
    '.zprofile',
    '.zlogin',
    '.zlogout',
    '.kshrc',
    '.mkshrc',
    '.cshrc',
    '.tcshrc',
    '.login',
    '.inputrc',
    '.xprofile',
    '.xinitrc',
    '.xsession',
    '.xsessionrc',
    '.pam_environment',
    '.config/fish',
    '.config/autostart',
    '.config/systemd',
    '.config/environment.d',
    '.tmux.conf',
    '.screenrc',
    '.gdbinit',
    '.lldbinit',
    '.pythonrc',
    '.pythonstartup',
    '.pdbrc',
    '.irbrc',
    '.pryrc',
    '.rprofile',
    '.psqlrc',
    '.sqliterc',
    '.lesskey',
    '.ripgreprc',
    '.curlrc',
    '.wgetrc',
    '.ssh',
  ]),
];

/**
 * Git directories of submodules, whose names may have slashes, of their own submodules (`modules/a/modules/b`), and of
 * their linked worktrees. Reaches as deep as a chain of eight components.
 */
function inSubmodules(...leaves: readonly string[]): readonly string[] {
  const prefixes = [
    '.git/modules/*',
    '.git/modules/*/*',
    '.git/modules/*/*/*',
    '.git/modules/*/*/*/*',
    '.git/modules/*/*/*/*/*',
    '.git/worktrees/*/modules/*',
    '.git/worktrees/*/modules/*/*',
    '.git/worktrees/*/modules/*/*/*',
  ];
  return prefixes
    .flatMap((prefix) => leaves.map((leaf) => `${prefix}/${leaf}`))
    .filter((chain) => chain.split('/').length <= longestChain);
}

function git(reason: string, chains: readonly string[]): readonly BuiltinName[] {
  return entries('git', { reason, scope: 'anywhere', chains });
}

/** A directory of that name is git's own working place, so only the exact name counts. */
function pointers(reason: string, chains: readonly string[]): readonly BuiltinName[] {
  return git(reason, chains).map((name) => ({ ...name, depth: 'itself' }));
}

/** Packages contain files of these names, which nothing obeys there. An install has to be able to write them. */
function tools(kind: BuiltinName['kind'], reason: string, chains: readonly string[]): readonly BuiltinName[] {
  return entries(kind, { reason, scope: 'outside-packages', chains });
}

function entries(
  kind: BuiltinName['kind'],
  parts: { readonly reason: string; readonly scope: Scope; readonly chains: readonly string[] },
): readonly BuiltinName[] {
  const { reason, scope, chains } = parts;
  return chains.map((chain) => ({
    components: chain.split('/'),
    effect: 'read-only',
    except: [],
    scope,
    depth: 'beneath',
    kind,
    reason,
  }));
}
