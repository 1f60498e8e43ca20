import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Project } from './lib/holdfast.ts';

test('the second command of a user who had nothing yet takes the plan of the first', () => {
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
