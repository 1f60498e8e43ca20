import { readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Project } from './lib/holdfast.ts';

test('the second command of a new user uses the plan of the first', () => {
  using project = new Project();
  const kept = (): readonly (readonly [string, number])[] => {
    const plans = join(project.state, 'plans');
    return readdirSync(plans).map((name) => [name, statSync(join(plans, name)).mtimeMs]);
  };
  expect(project.holdfast(['run', '--', 'true']).status).toBe(0);
  const first = kept();
  expect(first).toHaveLength(1);
  expect(project.holdfast(['run', '--', 'true']).status).toBe(0);
  expect(kept()).toEqual(first);
});

test('the plan survives commands of git, but no new hook and no pointer in place of .git', () => {
  using project = new Project();
  const written = (): readonly number[] =>
    readdirSync(join(project.state, 'plans')).map((name) => statSync(join(project.state, 'plans', name)).mtimeMs);
  const run = (): readonly number[] => {
    expect(project.holdfast(['run', '--', 'true']).status).toBe(0);
    return written();
  };
  project.write('a.txt', 'a');
  const first = run();
  for (const args of [['status'], ['add', 'a.txt'], ['commit', '-qm', 'a'], ['checkout', '-qb', 'other']]) {
    expect(project.outside('git', args).status).toBe(0);
    expect([args, run()]).toEqual([args, first]);
  }
  project.write('.git/hooks/pre-commit', '#!/bin/sh\n');
  const withHook = run();
  expect(withHook).not.toEqual(first);
  renameSync(join(project.workspace, '.git'), join(project.workspace, 'repository'));
  project.write('.git', 'gitdir: repository\n');
  expect(run()).not.toEqual(withHook);
});

test('two terminals with their own variables share a plan after one run each', () => {
  using project = new Project();
  const written = (): readonly number[] =>
    readdirSync(join(project.state, 'plans')).map((name) => statSync(join(project.state, 'plans', name)).mtimeMs);
  const run = (environment: NodeJS.ProcessEnv): number | null =>
    project.holdfast(['run', '--', 'true'], { environment }).status;
  expect([run({ FIRST_TERMINAL: '1' }), run({ SECOND_TERMINAL: '1' })]).toEqual([0, 0]);
  const settled = written();
  expect([run({ FIRST_TERMINAL: '1' }), run({ SECOND_TERMINAL: '1' })]).toEqual([0, 0]);
  expect(written()).toEqual(settled);
});

test('a variable of another terminal is judged by the current policy', () => {
  using project = new Project();
  const policy = (text: string): string =>
    project.write('../home/.config/holdfast/policy.toml', `version = 1\nenvironment.pass = [${text}]\n`);
  const shown = (): string =>
    project.holdfast(['run', '--', 'sh', '-c', 'echo "$SHOWN"'], { environment: { SHOWN: 'yes' } }).stdout;
  policy('"SHOWN", "OTHER"');
  expect(shown()).toBe('yes\n');
  policy('"OTHER"        ');
  expect(shown()).toBe('\n');
});
