import { hookNames } from '../../git-config/keys.ts';
import { runsCommand, connects, surfaceFamily, redirects, type Row } from './row.ts';

/** The keys of `git-config/keys.ts` as paths, and keys that redirect. A test compares them. */
const settings = [
  ...runsCommand('core.hooksPath', 'core.attributesFile', 'include.path', 'includeif.*.path', 'init.templatedir'),
  ...runsCommand(
    'core.fsmonitor',
    'core.sshcommand',
    'core.editor',
    'core.pager',
    'core.askpass',
    'core.gitproxy',
    'core.alternaterefscommand',
    'sequence.editor',
    'pager.**',
    'interactive.difffilter',
    'uploadpack.packobjectshook',
  ),
  ...runsCommand(
    'credential.**.helper',
    'diff.external',
    'diff.*.command',
    'diff.*.textconv',
    'merge.*.driver',
    'filter.*.clean',
    'filter.*.smudge',
    'filter.*.process',
    'gpg.**.program',
    'gpg.**.defaultkeycommand',
  ),
  ...runsCommand(
    'difftool.*.cmd',
    'difftool.*.path',
    'mergetool.*.cmd',
    'mergetool.*.path',
    'guitool.*.cmd',
    'guitool.*.path',
    'browser.*.cmd',
    'browser.*.path',
    'man.*.cmd',
    'man.*.path',
    'remote.*.uploadpack',
    'remote.*.receivepack',
  ),
  ...runsCommand(
    'hook.*.command',
    'trailer.*.command',
    'trailer.*.cmd',
    'tar.*.command',
    'sendemail.**.sendmailcmd',
    'sendemail.**.smtpserver',
    'sendemail.**.tocmd',
    'sendemail.**.cccmd',
    'sendemail.**.headercmd',
    'lfs.customtransfer\\.*.*',
    'alias.**',
    'submodule.*.update',
  ),
  ...redirects('url.**', 'http.**.proxy', 'remote.*.proxy', 'core.worktree', 'http.**.sslverify'),
  ...connects('remote.*.url', 'remote.*.pushurl', 'submodule.*.url', 'lfs.**'),
].map((pattern) => ({ ...pattern, path: pattern.path.toLowerCase() }));

/**
 * Files that git obeys. They take effect inside the box, and only if someone uses git there. Writing them is refused
 * anyway.
 */
export const git = surfaceFamily(
  { clients: ['any'], gate: 'listed', source: 'https://git-scm.com/docs/git-config; Mindgard 1.10' },
  {
    'git-config': {
      path: '.git/config',
      kind: 'git',
      format: 'git-config',
      fields: settings,
      secrets: 'beside-fields',
    },
    'git-config-worktree': {
      path: '.git/config.worktree',
      kind: 'git',
      format: 'git-config',
      fields: settings,
      secrets: 'beside-fields',
    },
    'git-config-of-worktrees': {
      path: '.git/worktrees/*/config.worktree',
      kind: 'git',
      format: 'git-config',
      fields: settings,
      secrets: 'beside-fields',
    },
    'git-config-of-modules': {
      path: '.git/modules/*/config',
      kind: 'git',
      format: 'git-config',
      fields: settings,
      secrets: 'beside-fields',
    },
    'git-config-of-deeper-modules': {
      path: '.git/modules/*/*/config',
      kind: 'git',
      format: 'git-config',
      fields: settings,
      secrets: 'beside-fields',
    },
    'git-config-shared': {
      path: '.gitconfig',
      kind: 'git',
      format: 'git-config',
      fields: settings,
      secrets: 'beside-fields',
    },
    'git-attributes-own': {
      path: '.git/info/attributes',
      kind: 'git',
      format: 'git-attributes',
      fields: runsCommand('*.filter', '*.diff', '*.merge'),
      source: 'https://git-scm.com/docs/gitattributes; Mindgard 1.10',
    },
    'git-attributes': {
      path: '.gitattributes',
      kind: 'git',
      format: 'git-attributes',
      fields: runsCommand('*.filter', '*.diff', '*.merge'),
      counts: 'with-fields',
      source: 'https://git-scm.com/docs/gitattributes; Mindgard 1.10',
    },
    'git-modules': {
      path: '.gitmodules',
      kind: 'git',
      format: 'git-config',
      fields: settings,
      source: 'https://git-scm.com/docs/gitmodules; Mindgard 3.3, 4',
    },
    ...hooksOf('git-hook', '.git/hooks'),
    ...hooksOf('git-hook-of-module', '.git/modules/*/hooks'),
    'git-pointer': {
      path: '.git',
      kind: 'git',
      source: 'https://git-scm.com/docs/gitrepository-layout: a file that says where the git directory is',
    },
    'git-alternates': {
      path: '.git/objects/info/alternates',
      kind: 'git',
      source: 'https://git-scm.com/docs/gitrepository-layout',
    },
    husky: { path: '.husky/**', kind: 'hook', source: 'https://typicode.github.io/husky; Mindgard 1.5' },
    githooks: {
      path: '.githooks/**',
      kind: 'hook',
      source: 'https://git-scm.com/docs/githooks: where core.hooksPath usually leads',
    },
    'git-hooks-directory': { path: '.git-hooks/**', kind: 'hook', source: 'https://github.com/sds/overcommit' },
    lefthook: {
      path: 'lefthook*.y*ml',
      kind: 'hook',
      format: 'yaml',
      fields: [...runsCommand('**.run', '**.runner', '**.script', '**.scripts'), ...runsCommand('**')],
      source: 'https://lefthook.dev/configuration',
    },
    'lefthook-hidden': {
      path: '.lefthook*.y*ml',
      kind: 'hook',
      format: 'yaml',
      fields: [...runsCommand('**.run', '**.runner', '**.script', '**.scripts'), ...runsCommand('**')],
      source: 'https://lefthook.dev/configuration',
    },
    'lefthook-scripts': { path: '.lefthook/**', kind: 'hook', source: 'https://lefthook.dev/configuration' },
    'pre-commit': {
      path: '.pre-commit-config.y*ml',
      kind: 'hook',
      format: 'yaml',
      fields: [...connects('repos.*.repo', 'repos.*.rev'), ...runsCommand('**.entry', '**.args'), ...runsCommand('**')],
      source: 'https://pre-commit.com/#adding-pre-commit-plugins-to-your-project',
    },
    'pre-commit-hooks': {
      path: '.pre-commit-hooks.yaml',
      kind: 'hook',
      format: 'yaml',
      fields: runsCommand('**'),
      source: 'https://pre-commit.com/#new-hooks',
    },
    overcommit: {
      path: '.overcommit.yml',
      kind: 'hook',
      format: 'yaml',
      fields: runsCommand('**'),
      source: 'https://github.com/sds/overcommit#configuration',
    },
    'simple-git-hooks': {
      path: '.simple-git-hooks.*',
      kind: 'hook',
      source: 'https://github.com/toplenboren/simple-git-hooks',
    },
  },
);

/** Hooks are listed by name, because git never runs the `*.sample` files that it makes in every repository. */
function hooksOf(name: string, directory: string): Readonly<Record<string, Row>> {
  return Object.fromEntries(
    hookNames.map((hook) => [
      `${name}-${hook}`,
      { path: `${directory}/${hook}`, kind: 'hook', source: 'https://git-scm.com/docs/githooks; Mindgard 1.5' },
    ]),
  );
}
