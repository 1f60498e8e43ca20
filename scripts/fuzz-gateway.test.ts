import process from 'node:process';
import { expect, test } from 'vitest';
import { fuzz, targets } from '../test/fuzz/run.ts';
import type { Target } from '../test/fuzz/types.ts';

const seed = Number(process.env['HOLDFAST_SEED'] ?? '20261122');
const iterations = 30;

test.each(targets)('$name: the laws of every input hold', (target) => {
  const failures = fuzz({ seed, from: 0, goesOn: (iteration) => iteration < iterations, only: [target] });
  expect(
    failures.map(
      ({ iteration, problem, bytes }) =>
        `node scripts/fuzz-gateway.ts 60 ${seed} ${iteration}: ${problem} with ${JSON.stringify(bytes.toString('latin1'))}`,
    ),
  ).toEqual([]);
});

test('a broken law is reported with the shortest input and the way to repeat it', () => {
  const target: Target = {
    name: 'no x',
    generate: (random) =>
      Buffer.from(`${'a'.repeat(random.below(50))}${random.chance(0.2) ? 'x' : 'b'}${'c'.repeat(20)}`),
    problemOf(bytes) {
      if (bytes.includes('x')) throw new Error('an x');
      return undefined;
    },
    goOver: () => undefined,
  };
  const [failure] = fuzz({ seed, from: 0, goesOn: (iteration) => iteration < 200, only: [target] });
  expect(failure).toMatchObject({ target: 'no x', seed, bytes: Buffer.from('x') });
  const [again] = fuzz({
    seed,
    from: failure?.iteration ?? 0,
    goesOn: (iteration) => iteration === failure?.iteration,
    only: [target],
  });
  expect(again).toMatchObject({ iteration: failure?.iteration, bytes: failure?.bytes });
});
