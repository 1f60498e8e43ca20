/**
 * Fuzzes the editors of streams and of JSON, the meters, and the search for keys, with inputs from real ones. Exits
 * with 1 if a law fails that must hold for every input.
 *
 * usage: node scripts/fuzz-gateway.ts SECONDS [SEED] [ITERATION] With an iteration, it runs only that one.
 */
import process from 'node:process';
import { fuzz, targets } from '../test/fuzz/run.ts';

const [, , seconds = '60', seedText = String(Date.now() % 1_000_000_000), iterationText] = process.argv;
const seed = Number(seedText);
const from = Number(iterationText ?? 0);
const end = performance.now() + Number(seconds) * 1000;
let done = 0;

const goesOn = (iteration: number): boolean => {
  done = iteration - from;
  return iterationText === undefined ? performance.now() < end : done === 0;
};
const failures = fuzz({ seed, from, goesOn });
for (const { target, iteration, problem, bytes } of failures) {
  console.log(
    `FAILED ${target}: ${problem}\n  again: node scripts/fuzz-gateway.ts 60 ${seed} ${iteration}\n  with: ${JSON.stringify(bytes.toString('latin1'))}\n`,
  );
}
console.log(`seed ${seed}: ${done} iterations of ${targets.length} targets, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;
