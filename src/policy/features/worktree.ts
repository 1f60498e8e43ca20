import type { Feature } from './feature.ts';

export const worktree = {
  name: 'worktree',
  commands: [
    {
      name: 'worktree',
      module: 'worktree/index.ts',
      export: 'worktreeCommand',
      summary: 'work on a branch in a directory of its own, where no box can be had',
      section: 'places',
    },
  ],
} as const satisfies Feature;
