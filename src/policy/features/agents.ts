import type { Feature } from './feature.ts';

/** Integration with coding agents: hooks, settings and a shell. */
export const agents = {
  name: 'agents',
  commands: [
    {
      name: 'setup',
      module: 'setup/index.ts',
      export: 'setupCommand',
      summary: 'Set up the agents on this machine: policy file, keys, hooks',
      section: 'agents',
    },
    {
      name: 'hook',
      module: 'hook.ts',
      export: 'hookCommand',
      summary: 'Answer a hook call of an agent',
      section: 'agents',
    },
    {
      name: 'init',
      module: 'init.ts',
      export: 'initCommand',
      summary: 'Add Holdfast to the settings of an agent',
      section: 'agents',
    },
    {
      name: 'shim',
      module: 'shim.ts',
      export: 'shimCommand',
      summary: 'Create a $SHELL that runs its commands in the sandbox',
      section: 'agents',
    },
  ],
} as const satisfies Feature;
