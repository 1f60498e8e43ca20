import type { Feature } from './feature.ts';

export const cluster = {
  name: 'cluster',
  commands: [
    {
      name: 'cluster',
      module: 'cluster/index.ts',
      export: 'clusterCommand',
      summary: 'Run commands in a Kubernetes cluster under the policy',
      section: 'machine',
    },
  ],
} as const satisfies Feature;
