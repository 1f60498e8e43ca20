/**
 * Takes out one guard at a time in a copy of the tree, and runs the tests of its component. A guard that no test misses is
 * printed: it needs a test, or has to go. usage: node scripts/mutations.ts [--most N] [--only COMPONENT] [--json]
 */
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Component, components } from './mutations/components.ts';
import { type Guard, guardsOf, spread, withoutGuard } from './mutations/guards.ts';

type Outcome = 'red' | 'green' | 'late';

/** Milliseconds. A test that never ends without the guard has noticed too. */
const patience = 180_000;
const root = resolve(import.meta.dirname, '..');

const { values } = parseArgs({
  options: {
    most: { type: 'string', default: '6' },
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const copy = mkdtempSync(join(tmpdir(), 'holdfast-mutations-'));
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
  const guards = files.sort().flatMap((file) => guardsOf(file, readFileSync(join(copy, file), 'utf8')));
  if (tested(component) !== 'green') throw new Error(`${component.name}: its tests fail before anything is taken out`);
  const outcomes = spread(guards, most).map((guard) => ({ guard, outcome: tryWithout(guard, component) }));
  const green = outcomes.filter(({ outcome }) => outcome === 'green');
  const result = {
    component: component.name,
    guards: guards.length,
    tried: outcomes.length,
    red: outcomes.length - green.length,
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
    return tested(component);
  } finally {
    writeFileSync(path, source);
  }
}

function tested({ tests }: Component): Outcome {
  const { status, error } = spawnSync(
    'vitest',
    ['run', '--project', 'units', '--project', 'sweeps', '--bail', '1', ...tests],
    {
      cwd: copy,
      timeout: patience,
      killSignal: 'SIGKILL',
      stdio: 'ignore',
    },
  );
  if (error !== undefined) return 'late';
  return status === 0 ? 'green' : 'red';
}

function git(...words: readonly string[]): void {
  const { status, stderr } = spawnSync('git', ['-C', root, ...words], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${words.join(' ')}: ${stderr}`);
}
