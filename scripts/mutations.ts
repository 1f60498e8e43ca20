/**
 * Removes one guard at a time in a copy of the tree, and runs the tests of its component. It prints each guard that no
 * test misses. Such a guard needs a test, or has to go. Guards without an effect are listed with the reason. usage:
 * node scripts/mutations.ts [--most N] [--only COMPONENT] [--json]
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Component, components } from './mutations/components.ts';
import { type Guard, guardsOf, spread, withoutGuard } from './mutations/guards.ts';

/** `known`: the tests pass, for a stated reason. `unbuilt`: the compiler refuses the copy. */
interface Outcome {
  readonly kind: 'red' | 'green' | 'late' | 'known' | 'unbuilt';
  /** The first test file that fails. */
  readonly test?: string;
}

/** Milliseconds. A test that never ends without the guard counts as one that misses it. */
const patience = { near: 180_000, wide: 900_000 };
const root = resolve(import.meta.dirname, '..');

const { values } = parseArgs({
  options: {
    most: { type: 'string', default: '6' },
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
// Beside the tree: a box has a separate temporary directory, without the copy.
const copy = mkdtempSync(join(root, '../holdfast-mutations-'));
// Some tests run as an ordinary user.
chmodSync(copy, 0o755);
let missed = 0;
try {
  git('worktree', 'add', '--quiet', '--force', '--detach', copy, 'HEAD');
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const component of components.filter(({ name }) => values.only === undefined || name === values.only))
    missed += examine(component, Number(values.most));
} finally {
  git('worktree', 'remove', '--force', copy);
  rmSync(copy, { recursive: true, force: true });
}
process.exitCode = missed === 0 ? 0 : 1;

/** Returns the number of guards that no test misses. */
function examine(component: Component, most: number): number {
  const files = globSync([...component.files], { cwd: copy }).filter((file) => !/\.test\.ts$|\/testing\//u.test(file));
  const guards = files.sort().flatMap((file) => guardsOf(file, readFileSync(join(copy, file), 'utf8'), component.kind));
  // Tests of the machine use it.
  if (component.built === 'launcher' || component.wide !== undefined)
    for (const made of ['dist', 'bin', 'native/build']) cpSync(join(root, made), join(copy, made), { recursive: true });
  const before = tested(component);
  if (before.kind !== 'green')
    throw new Error(`${component.name}: ${before.test ?? 'a test'} is ${before.kind} before anything is taken out`);
  const outcomes = spread(guards, most).map((guard) => ({ guard, outcome: tryWithout(guard, component) }));
  const of = (...kinds: readonly Outcome['kind'][]) => outcomes.filter(({ outcome }) => kinds.includes(outcome.kind));
  const green = of('green');
  const result = {
    component: component.name,
    guards: guards.length,
    tried: outcomes.length - of('unbuilt').length,
    red: of('red', 'late').length,
    known: of('known').length,
    noticed: [...new Set(outcomes.flatMap(({ outcome }) => outcome.test ?? []))],
  };
  console.log(
    values.json
      ? JSON.stringify({ ...result, green: green.map(({ guard }) => guard) })
      : `${component.name}: ${result.red} of ${result.tried} red, ${guards.length} guards`,
  );
  if (!values.json) for (const { guard } of green) console.log(`  ${guard.file}:${guard.line}: ${guard.text}`);
  return green.length;
}

function tryWithout(guard: Guard, component: Component): Outcome {
  const path = join(copy, guard.file);
  const source = readFileSync(path, 'utf8');
  writeFileSync(path, withoutGuard(source, guard));
  try {
    const outcome = tested(component);
    return outcome.kind === 'green' && component.known?.[guard.text] !== undefined ? { kind: 'known' } : outcome;
  } finally {
    writeFileSync(path, source);
  }
}

function tested({ tests, built, wide }: Component): Outcome {
  if (built === 'launcher' && run('make', ['-s', '-C', 'native']).status !== 0) return { kind: 'unbuilt' };
  const near = testedBy(tests, built === 'launcher' ? ['machine', 'alone'] : ['units', 'sweeps']);
  if (near.kind !== 'green' || wide === undefined) return near;
  if (run('node', ['scripts/build.ts']).status !== 0) return { kind: 'unbuilt' };
  return testedBy(wide, ['units', 'sweeps', 'machine', 'alone'], 'wide');
}

function testedBy(
  tests: readonly string[],
  projects: readonly string[],
  extent: keyof typeof patience = 'near',
): Outcome {
  const report = join(copy, 'mutation-report.json');
  rmSync(report, { force: true });
  const named = projects.flatMap((project) => ['--project', project]);
  const { status, error } = run(
    'vitest',
    ['run', ...named, '--bail', '1', '--reporter=json', `--outputFile=${report}`, ...tests],
    patience[extent],
  );
  if (error !== undefined) return { kind: 'late' };
  if (status === 0) return { kind: 'green' };
  const failed = failedFile(report);
  return failed === undefined ? { kind: 'red' } : { kind: 'red', test: failed };
}

function run(program: string, words: readonly string[], timeout = patience.near) {
  return spawnSync(program, words, { cwd: copy, timeout, killSignal: 'SIGKILL', stdio: 'ignore' });
}

function failedFile(report: string): string | undefined {
  try {
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
      testResults: readonly { readonly name: string; readonly status: string }[];
    };
    return testResults.find(({ status }) => status === 'failed')?.name.slice(copy.length + 1);
  } catch {
    return undefined;
  }
}

function git(...words: readonly string[]): void {
  const { status, stderr } = spawnSync('git', ['-C', root, ...words], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${words.join(' ')}: ${stderr}`);
}
