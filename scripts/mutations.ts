/**
 * Removes one guard at a time in a copy of the tree, and runs the tests of its component. It prints each guard that no
 * test misses. Such a guard needs a test, or has to go. Guards without an effect are listed with the reason. usage:
 * node scripts/mutations.ts [--most N] [--only COMPONENT]... [--json]
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { type Component, components } from './mutations/components.ts';
import { type Guard, guardsOf, spread, withoutGuard } from './mutations/guards.ts';

/** `known`: the tests pass, for a stated reason. `unbuilt`: the compiler refuses the copy. */
interface Outcome {
  readonly kind: 'red' | 'green' | 'late' | 'known' | 'unbuilt';
  /** The file and the title of the first test that fails. */
  readonly test?: string;
}

/** Of a test file, in the report of Vitest. */
interface FileResult {
  readonly name: string;
  readonly status: string;
  readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
}

/** Milliseconds. A test that never ends without the guard counts as one that misses it. */
const patience = { near: 180_000, wide: 900_000 };
const root = resolve(import.meta.dirname, '..');

const { values } = parseArgs({
  options: {
    most: { type: 'string', default: '6' },
    only: { type: 'string', multiple: true },
    json: { type: 'boolean', default: false },
  },
});
// Beside the tree: a box has a separate temporary directory, without the copy.
const copy = mkdtempSync(join(root, '../holdfast-mutations-'));
// Some tests run as an ordinary user.
chmodSync(copy, 0o755);
let missed = 0;
/** Those whose further tests pass while nothing is taken out. They take long, so they run only where one is needed. */
const provedWide = new Set<Component>();
try {
  git('worktree', 'add', '--quiet', '--force', '--detach', copy, 'HEAD');
  // Hard links, and no symlink: a box shows the copy, and not this tree.
  spawnSync('cp', ['-al', join(root, 'node_modules'), copy]);
  for (const component of components.filter(({ name }) => values.only?.includes(name) ?? true)) {
    try {
      missed += examine(component, Number(values.most));
    } catch (error) {
      // The others can still be tried.
      console.error(error instanceof Error ? error.message : error);
      missed += 1;
    }
  }
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
  build(component);
  console.error(`${component.name}: ${guards.length} guards`);
  mustPass(component, testedNear(component));
  const outcomes = spread(guards, most).map((guard) => {
    const outcome = tryWithout(guard, component);
    console.error(`${guard.file}:${guard.line}: ${outcome.kind} ${outcome.test ?? ''}`);
    return { guard, outcome };
  });
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
  const without = <Result>(work: () => Result): Result => {
    writeFileSync(path, withoutGuard(source, guard));
    try {
      return work();
    } finally {
      writeFileSync(path, source);
    }
  };
  const near = without(() => (build(component) ? testedNear(component) : ({ kind: 'unbuilt' } as const)));
  if (near.kind !== 'green') return near;
  if (component.known?.[guard.text] !== undefined) return { kind: 'known' };
  if (component.wide === undefined) return near;
  if (!provedWide.has(component)) mustPass(component, testedWide(component));
  provedWide.add(component);
  return without(() => testedWide(component));
}

function mustPass({ name }: Component, { kind, test }: Outcome): void {
  if (kind !== 'green') throw new Error(`${name}: ${test ?? 'a test'} is ${kind} before anything is taken out`);
}

function build({ built }: Component): boolean {
  return built !== 'launcher' || run('make', ['-s', '-C', 'native']).status === 0;
}

function testedNear({ tests, built }: Component): Outcome {
  return testedBy(tests, built === 'launcher' ? ['machine', 'alone'] : ['units', 'sweeps']);
}

function testedWide({ wide = [] }: Component): Outcome {
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
  const failed = failedTest(report);
  return failed === undefined ? { kind: 'red' } : { kind: 'red', test: failed };
}

function run(program: string, words: readonly string[], timeout = patience.near) {
  // The copy's own Vitest: the tests import it too, and two of them are one too many.
  const env = { ...process.env, PATH: `${copy}/node_modules/.bin:${process.env['PATH'] ?? ''}` };
  return spawnSync(program, words, { cwd: copy, env, timeout, killSignal: 'SIGKILL', stdio: 'ignore' });
}

function failedTest(report: string): string | undefined {
  try {
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as { testResults: readonly FileResult[] };
    // A file that was not finished when another one failed is `failed` too.
    const failed = testResults.filter(({ status }) => status === 'failed');
    const file = failed.find(({ assertionResults }) => assertionResults.some(isFailed)) ?? failed[0];
    const title = file?.assertionResults.find(isFailed)?.fullName;
    return file === undefined
      ? undefined
      : [file.name.slice(copy.length + 1), ...(title === undefined ? [] : [title])].join(': ');
  } catch {
    return undefined;
  }
}

function isFailed({ status }: { readonly status: string }): boolean {
  return status === 'failed';
}

function git(...words: readonly string[]): void {
  const { status, stderr } = spawnSync('git', ['-C', root, ...words], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${words.join(' ')}: ${stderr}`);
}
