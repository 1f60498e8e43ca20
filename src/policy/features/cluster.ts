import type { Feature } from './feature.ts';

export const cluster = {
  name: 'cluster',
  commands: [
    {
      name: 'cluster',
      module: 'cluster/index.ts',
      export: 'clusterCommand',
      summary: 'Print Kubernetes manifests for a command under the policy',
      section: 'machine',
    },
  ],
} as const satisfies Feature;
