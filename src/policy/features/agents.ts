import type { Feature } from './feature.ts';

/** What coding agents are given: hooks, settings and a shell. */
export const agents = {
  name: 'agents',
  commands: [
    {
      name: 'hook',
      module: 'hook.ts',
      export: 'hookCommand',
      summary: 'answer a hook of a coding agent',
      section: 'agents',
    },
    {
      name: 'init',
      module: 'init.ts',
      export: 'initCommand',
      summary: 'put Holdfast into the settings of a coding agent',
      section: 'agents',
    },
    {
      name: 'shim',
      module: 'shim.ts',
      export: 'shimCommand',
      summary: 'make a $SHELL whose scripts run in the box',
      section: 'agents',
    },
  ],
} as const satisfies Feature;
