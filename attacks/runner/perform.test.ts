import { join, resolve } from 'node:path';
import process from 'node:process';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Backend } from './attack.ts';
import { loadAttacks, selectTrials } from './catalogue.ts';
import { buildTools } from './installation.ts';
import { performTrial, type Result } from './perform.ts';

const fixtures = resolve(import.meta.dirname, 'testing');
/** The runner's own user, who can certainly reach the fixtures. */
const self = process.getuid?.() === 0 ? 'root' : 'user';
let tools: string;
beforeAll(() => {
  tools = buildTools(resolve(import.meta.dirname, '../programs'));
});

async function perform(name: string, holdfast: string, backend: Backend = 'native'): Promise<Result> {
  const trial = selectTrials(loadAttacks(fixtures), { only: [name], users: [self] })[0];
  if (trial === undefined) throw new Error(`there is no fixture ${name}`);
  const results = await performTrial(trial, {
    tools,
    holdfast: join(fixtures, holdfast),
    backends: new Map([[backend, undefined]]),
  });
  expect(results).toHaveLength(1);
  return results[0] as Result;
}

describe('the runner can fail', () => {
  test('an attack that nothing stops is reported as failed', async () => {
    const { control, outcome } = await perform('fs-unblocked', 'no-holdfast');
    expect(control).toBe('worked');
    expect(outcome).toEqual({ kind: 'failed', reasons: ['the attack succeeded inside the box'] });
  });

  test('an attack whose control does not work is reported as skipped, with the control’s output', async () => {
    const { control, outcome } = await perform('fs-broken-control', 'no-holdfast');
    expect(control).toBe('failed');
    expect(outcome).toEqual({ kind: 'skipped', reason: expect.stringContaining('the control could not succeed here') });
  });

  test('a box that was never built does not pass', async () => {
    const { outcome } = await perform('fs-unblocked', 'refusing-holdfast');
    expect(outcome).toEqual({
      kind: 'failed',
      reasons: [expect.stringContaining('Holdfast refused to start the box')],
    });
  });

  test('a box that a backend cannot enforce is refused; the native backend has to enforce it', async () => {
    expect((await perform('fs-unblocked', 'unable-holdfast', 'landlock')).outcome).toEqual({
      kind: 'refused',
      missing: ['fs.stage'],
      message: 'the landlock backend cannot enforce here: fs.stage',
    });
    expect((await perform('fs-unblocked', 'unable-holdfast')).outcome.kind).toBe('failed');
    expect((await perform('fs-unblocked', 'refusing-holdfast', 'landlock')).outcome.kind).toBe('failed');
  });

  test('each remaining piece is reported', async () => {
    const { outcome } = await perform('leftover-everything', 'no-holdfast');
    expect(outcome.kind === 'failed' && outcome.reasons).toEqual([
      expect.stringMatching(/^left behind: process \d+ sleep 30$/u),
      'left behind: fifo outside/fifo',
      'left behind: file ghost in the workspace',
    ]);
  });

  test('a backend that is absent is skipped with its reason, and the control still runs', async () => {
    const trial = selectTrials(loadAttacks(fixtures), { only: ['fs-unblocked'], users: [self] });
    const results = await Promise.all(
      trial.map((one) =>
        performTrial(one, { tools, holdfast: '/nowhere', backends: new Map([['bubblewrap', 'it is not here']]) }),
      ),
    );
    expect(results.flat()).toEqual([
      expect.objectContaining({ control: 'worked', outcome: { kind: 'skipped', reason: 'it is not here' } }),
    ]);
  });
});
