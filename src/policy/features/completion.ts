import type { Feature } from './feature.ts';

export const completion = {
  name: 'completion',
  commands: [
    {
      name: 'completion',
      module: 'completion/index.ts',
      export: 'completionCommand',
      summary: 'print what bash, zsh and fish need to complete commands',
      section: 'records',
    },
  ],
} as const satisfies Feature;
