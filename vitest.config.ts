import { defineConfig } from 'vitest/config';

// What a test waits for comes late on a busy machine: the default of one second for `expect.poll` is a bound on the
// machine's speed.
const common = {
  testTimeout: 120_000,
  hookTimeout: 60_000,
  isolate: false,
  globalSetup: 'scripts/testing/run-folder.ts',
  setupFiles: ['scripts/testing/property-seed.ts'],
  env: { HOLDFAST_RESIDENT: 'never' },
  expect: { poll: { timeout: 20_000, interval: 20 } },
  // Node loads the sources as they are, and keeps their compiled code: a tenth less processor time than by way of Vite.
  experimental: { viteModuleRunner: false },
} as const;

// Boxes and programs of others take ten times as long on a machine that is slow and busy.
const ofMachine = { ...common, testTimeout: 120_000, hookTimeout: 120_000, isolate: true, pool: 'forks' } as const;

/**
 * What looks at the whole machine for what is left, mounts outside of a box, races, or measures how long something
 * takes.
 */
const alone = [
  'test/bad-input.test.ts',
  'test/containers.test.ts',
  'test/defaults.test.ts',
  'test/gvisor/boxes.test.ts',
  'test/kill-sweep.test.ts',
  'test/kube-play.test.ts',
  'test/kill.test.ts',
  'test/launcher-hostile-plans.test.ts',
  'test/landlock/forbidden-namespaces.test.ts',
  'test/limits.test.ts',
  'test/network/endings.test.ts',
  'test/races.test.ts',
  'test/session.test.ts',
];

/** What depends on how soon another process answers, such as a supervisor or a terminal. Two of them leave time for that. */
const inPairs = [
  'test/approvals-terminal.test.ts',
  'test/resident/{apart,at-that-moment,callers,endings,hooks,same-process,same-result,same-rules}.test.ts',
  'test/terminal.test.ts',
];

/**
 * Beside the code, and no units: they start real programs, kill processes, or try inputs by the thousand. `npm test`
 * leaves them out, so that it answers within two minutes; the check runs them.
 */
const sweeps = [
  '{src,attacks}/**/{any-input,any-line,clients,crash,exhaustive,full-disk,hostile,kill,kill-writers,laws}.test.ts',
  'src/**/{choosing,load,random,real-effects,real-lines,real-options,round-trip}.test.ts',
  'src/**/*.hostile.test.ts',
  'attacks/{drivers/files/rows,runner/perform}.test.ts',
  'src/agents/{hooks/quote,import/import-policy}.test.ts',
  'src/approvals/{session/session-approvals,socket/*,webhook/webhook-channel}.test.ts',
  'src/audit/{index-db/rebuild,lock,otlp/otlp,rotation,verify}.test.ts',
  'src/backends/microvm/build/*.test.ts',
  'src/credentials/sources/{readers/readers,run-program}.test.ts',
  'src/dlp/{fakes/*,rules/corpus,scan/scanner}.test.ts',
  'src/egress/{fetch/body/read-body,fetch/fetch-url,fetch/html/*,http/h1/idle-connections,resolve/resolver,tls/trust}.test.ts',
  'src/files/wire/worker/*.test.ts',
  'src/git-config/parse.test.ts',
  'src/kernel/tree/*.test.ts',
  'src/llm/session/with-content.test.ts',
  'src/notify/{supervise/executions,whole/whole-files}.test.ts',
  'src/policy/document/parse.test.ts',
  'src/shell/session/powershell.test.ts',
  'src/staged/changes/*.test.ts',
  'src/text/{outbound/*,paths/paths}.test.ts',
  'src/trust/extract/extract-fields.test.ts',
  'src/worktree/*.test.ts',
];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...common,
          name: 'units',
          include: ['src/**/*.test.ts', 'attacks/**/*.test.ts', 'bench/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: sweeps,
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
        },
      },
      // Beside the tests of the machine, which wait a good part of their time.
      { test: { ...common, name: 'sweeps', include: sweeps, maxWorkers: 4, sequence: { groupOrder: 1 } } },
      // Four at a time, on two processors too: a good part of what they do is waiting. Each file has a process of its
      // own: the supervisors of all their boxes are threads of it.
      {
        test: {
          ...ofMachine,
          name: 'machine',
          include: ['test/**/*.test.ts'],
          exclude: [...alone, ...inPairs],
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
      { test: { ...ofMachine, name: 'pairs', include: inPairs, maxWorkers: 2, sequence: { groupOrder: 2 } } },
      {
        test: {
          ...ofMachine,
          name: 'alone',
          include: alone,
          fileParallelism: false,
          maxWorkers: 1,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
