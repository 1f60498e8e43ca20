import type { Feature } from './feature.ts';

export const dashboard = {
  name: 'dashboard',
  commands: [
    {
      name: 'dashboard',
      module: 'dashboard.ts',
      export: 'dashboardCommand',
      summary: 'Show sessions, approvals and the journal in a browser',
      section: 'record',
    },
  ],
} as const satisfies Feature;
