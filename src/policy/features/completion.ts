import type { Feature } from './feature.ts';

export const completion = {
  name: 'completion',
  commands: [
    {
      name: 'completion',
      module: 'completion/index.ts',
      export: 'completionCommand',
      summary: 'Print completion scripts for bash, zsh and fish',
      section: 'machine',
    },
  ],
} as const satisfies Feature;
