import type { Feature } from './feature.ts';

export const worktree = {
  name: 'worktree',
  commands: [
    {
      name: 'worktree',
      module: 'worktree/index.ts',
      export: 'worktreeCommand',
      summary: 'Work on a branch in a separate directory where no sandbox is available',
      section: 'run',
    },
  ],
} as const satisfies Feature;
