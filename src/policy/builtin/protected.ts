import type { BuiltinName } from './builtin-name.ts';
import { toolFiles } from './tool-files.ts';

type Scope = BuiltinName['scope'];

/** The launcher's limit. */
const longestChain = 8;

/**
 * Files that programs outside the box later execute or obey. They are readable and never writable, in every writable
 * root, at every depth. Entries follow the catalogue of Mindgard (ai-ide-vuln-patterns), by pattern number.
 */
export const protectedNames: readonly BuiltinName[] = [
  ...git('git runs hooks outside the box', ['.git/hooks', '.git/worktrees/*/hooks', ...inSubmodules('hooks')]),
  // Mindgard 1.10.
  ...git('git configuration names programs to run: fsmonitor, pager, sshCommand, filters', [
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
  // Mindgard 1.10.
  ...git('attributes choose filters and diff programs', [
    '.git/info/attributes',
    '.git/worktrees/*/info/attributes',
    ...inSubmodules('info/attributes'),
  ]),

  ...git('it says where git fetches and pushes', ['.git/remotes']),

  ...pointers('a .git file says which git directory, and so which configuration, is used', ['.git']),

  ...toolFiles.flatMap(({ kind, reason, names }) => tools(kind, reason, names)),
];

/**
 * Git directories of submodules, whose names may have slashes, of their own submodules (`modules/a/modules/b`), and of
 * their linked worktrees. Covers chains of up to eight components.
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

/** A directory with this name is git's own working directory, so only the exact name counts. */
function pointers(reason: string, chains: readonly string[]): readonly BuiltinName[] {
  return git(reason, chains).map((name) => ({ ...name, depth: 'itself' }));
}

/** Packages contain files with these names, which no tool obeys there. An installation must be able to write them. */
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
