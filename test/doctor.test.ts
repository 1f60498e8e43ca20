import { expect, test } from 'vitest';
import { isBroken, proofs, prove } from '../src/sandbox/doctor/prove.ts';
import { Project } from './lib/holdfast.ts';

test('every attempt is tried and told of in its order, however many run at a time', { timeout: 240_000 }, async () => {
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
  // Each has shown outside that it would work.
  expect(results.filter(({ result }) => result === 'inconclusive')).toEqual([]);
  expect(results.filter(isBroken)).toEqual([]);
});
