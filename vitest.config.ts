import { defineConfig } from 'vitest/config';

const common = { testTimeout: 30_000, isolate: false, setupFiles: ['scripts/testing/property-seed.ts'] } as const;

export default defineConfig({
  test: {
    projects: [
      { test: { ...common, name: 'units', include: ['src/**/*.test.ts', 'attacks/**/*.test.ts', 'bench/**/*.test.ts', 'scripts/**/*.test.ts'], maxWorkers: 2, sequence: { groupOrder: 0 } } },
      // One after the other: they start boxes and look at the whole machine for what is left of them.
      { test: { ...common, name: 'machine', include: ['test/**/*.test.ts'], fileParallelism: false, maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
  },
});
