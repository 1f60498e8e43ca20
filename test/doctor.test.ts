import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { isBroken, proofs, prove } from '../src/sandbox/doctor/prove.ts';
import { binary, Project } from './lib/holdfast.ts';

test('every attempt is made and reported in order, with any number in parallel', { timeout: 240_000 }, async () => {
  using project = new Project();
  const told: number[] = [];
  const results = await prove(['native'], { environment: project.libraryEnvironment, manner: 'usual' }, (tried, of) =>
    told.push(tried / of),
  );
  expect(results.map(({ title }) => title)).toEqual(
    proofs
      .filter(({ guarantee }) => results.some((result) => result.guarantee === guarantee))
      .map(({ title }) => title),
  );
  expect(results.length).toBeGreaterThan(10);
  expect(told).toHaveLength(results.length);
  expect(told.at(-1)).toBe(1);
  // Each has succeeded outside the box.
  expect(results.filter(({ result }) => result === 'inconclusive')).toEqual([]);
  expect(results.filter(isBroken)).toEqual([]);
});

test('--strict reports a kernel that is too old to compare programs, and only that', { timeout: 240_000 }, () => {
  using project = new Project();
  const told = (...before: readonly string[]) =>
    spawnSync('env', [...before, binary, 'doctor', '--strict'], { encoding: 'utf8', env: project.environment }).stdout;
  const line = /^strict compares no started programs on 2\.6\..*, so rules about arguments are best effort/mu;
  expect(told('setarch', process.arch === 'x64' ? 'x86_64' : 'aarch64', '--uname-2.6')).toMatch(line);
  expect(told()).not.toMatch(/compares no started programs/u);
});
