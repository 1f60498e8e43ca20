import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { binary, Project, repository } from './lib/holdfast.ts';

/** The modules that one process has loaded. */
interface Loaded {
  readonly bundles: readonly { readonly name: string; readonly bytes: number }[];
  /** Modules of Node, public and internal. */
  readonly builtins: readonly string[];
}

/**
 * Bytes of Holdfast's own code: Node reads all of it and evaluates most of it. A feature that a plain run does not need
 * goes into a separate bundle: see `apart` and `light` in scripts/build.ts.
 */
const mostBytes = 172_500;
/** System calls beyond those of `node -e 0`. The start of a process takes 33 of them. */
const mostBuiltins = 40;

/** Each takes longer to load than the whole run's code to evaluate, or starts threads. */
const heavy = [
  'crypto',
  'tls',
  'http',
  'https',
  'http2',
  'zlib',
  'worker_threads',
  'v8',
  'util/parse_args',
  'timers/promises',
  'dns',
  'readline',
];

function loadedBy(project: Project, words: readonly string[]): Loaded {
  const note = join(project.root, 'loaded.json');
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--require', join(import.meta.dirname, 'fixtures/note-loaded.cjs'), ...words],
    {
      cwd: project.workspace,
      env: { ...project.environment, NOTE_LOADED: note },
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
    },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(readFileSync(note, 'utf8')) as Loaded;
}

test('a plain run with a remembered plan loads one small bundle, and little of Node', () => {
  using project = new Project();
  const run = [join(repository, 'dist/holdfast.cjs'), 'run', '--', 'true'];
  const first = loadedBy(project, run);
  expect(first.bundles.map(({ name }) => name)).toEqual(['run.cjs', 'planner.cjs']);
  const bare = new Set(loadedBy(project, ['-e', '0']).builtins);
  const { bundles, builtins } = loadedBy(project, run);
  const more = builtins.filter((name) => !bare.has(name));
  expect(bundles.map(({ name }) => name)).toEqual(['run.cjs']);
  expect(bundles[0]?.bytes).toBeLessThan(mostBytes);
  expect(more.filter((name) => heavy.includes(name) || name.startsWith('internal/crypto/'))).toEqual([]);
  expect(more.length, more.join(' ')).toBeLessThanOrEqual(mostBuiltins);
});

test('a run with a profile loads policies in one bundle', () => {
  using project = new Project();
  const key = `sk-ant-api03-${'a'.repeat(93)}AA`;
  const words = ['run', '--profile', 'claude', '--', 'sleep', '1'];
  const environment = { ...project.environment, ANTHROPIC_API_KEY: key };
  for (const _ of ['the first makes the plan', 'the second has it']) {
    const note = join(project.root, 'loaded.json');
    const { status } = spawnSync(
      process.execPath,
      [
        '--require',
        join(import.meta.dirname, 'fixtures/note-loaded.cjs'),
        join(repository, 'dist/holdfast.cjs'),
        ...words,
      ],
      { cwd: project.workspace, env: { ...environment, NOTE_LOADED: note }, stdio: 'ignore' },
    );
    expect(status).toBe(0);
    const { bundles } = JSON.parse(readFileSync(note, 'utf8')) as Loaded;
    expect(bundles.filter(({ bytes }) => bytes > mostBytes).map(({ name }) => name)).toEqual(['parts.cjs']);
    expect(bundles.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['agent-planner.cjs', 'session-credentials.cjs']),
    );
  }
});

/** Modules beyond those of `node -e 0`. For its front, Node loads nothing that starts processes or reads sockets. */
const mostOfServed = 8;

test('a run whose front Node serves loads almost nothing of Node', () => {
  using project = new Project();
  const note = join(project.root, 'loaded.json');
  const environment = {
    ...project.environment,
    NOTE_LOADED: note,
    NODE_OPTIONS: `--require=${join(import.meta.dirname, 'fixtures/note-loaded.cjs')}`,
  };
  const loaded = (program: string, words: readonly string[]): Loaded => {
    expect(spawnSync(program, words, { cwd: project.workspace, env: environment, encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    });
    return JSON.parse(readFileSync(note, 'utf8')) as Loaded;
  };
  const bare = new Set(loaded(process.execPath, ['-e', '0']).builtins);
  loaded(binary, ['run', '--', 'true']);
  const { bundles, builtins } = loaded(binary, ['run', '--', 'true']);
  const more = builtins.filter((name) => !bare.has(name));
  expect(bundles.map(({ name }) => name)).toEqual(['run.cjs']);
  expect(more.length, more.join(' ')).toBeLessThanOrEqual(mostOfServed);
});
