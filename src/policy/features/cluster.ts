import * as v from 'valibot';
import { count, event, textPart, textsPart, told, workspace } from './event-parts.ts';
import type { Feature } from './feature.ts';

const run = { workspace, run: told(textPart, 'ID of the run, as its objects have it') } as const;

export const cluster = {
  name: 'cluster',
  events: [
    event('cluster.run', 'a workspace is about to leave for a cluster, with a command', {
      ...run,
      server: told(textPart, 'the API server'),
      namespace: textPart,
      name: textPart,
      argv: textsPart,
    }),
    event('cluster.proof', 'pods are about to be made that try a cluster', {
      ...run,
      server: told(textPart, 'the API server'),
      namespace: textPart,
      name: textPart,
    }),
    event('cluster.pool', 'a pool of sandboxes is about to be made, resized or removed', {
      change: v.picklist(['up', 'down']),
      server: told(textPart, 'the API server'),
      namespace: textPart,
      name: textPart,
      size: v.optional(told(count, 'sandboxes that are to wait; absent for `down`')),
      shape: v.optional(told(textPart, 'hash of its image, policy, limits and paths; absent for `down`')),
    }),
    event('cluster.collect', 'changes of a command in a cluster were staged', {
      ...run,
      layer: v.optional(told(textPart, 'absent if nothing was changed')),
      changes: told(count, 'number of entries'),
    }),
    event(
      'cluster.journal',
      'the events of a run’s supervisor came home; they follow, with the session `cluster-RUN`, and a cluster can make them up',
      {
        ...run,
        events: count,
        leftOut: told(count, 'lines of other kinds, unreadable ones, and those beyond 100,000'),
      },
    ),
  ],
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
