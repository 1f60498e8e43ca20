import { defineConfig } from 'vitest/config';

const common = { testTimeout: 30_000, isolate: false, setupFiles: ['scripts/testing/property-seed.ts'] } as const;

export default defineConfig({
  test: {
    projects: [
      { test: { ...common, name: 'units', include: ['src/**/*.test.ts', 'attacks/**/*.test.ts', 'bench/**/*.test.ts', 'scripts/**/*.test.ts'], maxWorkers: 2, sequence: { groupOrder: 0 } } },
      // One after the other: they start boxes and look at the whole machine for what is left of them. Each file has a process of its own:
      // the supervisors of all their boxes are threads of it.
      { test: { ...common, isolate: true, pool: 'forks', name: 'machine', include: ['test/**/*.test.ts'], fileParallelism: false, maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
  },
});
