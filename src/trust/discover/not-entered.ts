/** Directories that are not looked into, and why. Whatever a launcher hides by name is hidden in them as well. */
export const notEntered: ReadonlyMap<string, string> = new Map([
  ['node_modules', 'installed packages: tens of thousands of files that nobody wrote here'],
  ['.venv', 'installed packages of Python'],
  ['site-packages', 'installed packages of Python'],
  ['__pycache__', 'compiled files'],
  ['.hg', "Mercurial's own files"],
  ['.svn', "Subversion's own files"],
]);

/** Directories in which only what the table names below them is looked for. */
export const closedDirectories: ReadonlySet<string> = new Set(['.git']);

/** Claude Code keeps whole work trees in `.claude/worktrees`: each is a repository, with a workspace of its own. */
export const otherWorkspaces = { name: 'worktrees', below: '.claude' } as const;
