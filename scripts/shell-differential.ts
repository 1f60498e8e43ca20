/**
 * Lets a shell run random programs whose commands do not exist, and compares its lookups with the parser's
 * findings. Exits with 1 when the shell ran a command that the parser had not found.
 *
 * usage: node scripts/shell-differential.ts [COUNT] [SEED] [bash|dash|busybox]
 */
import process from 'node:process';
import { bash, busybox, compareMany, dash } from '../test/differential/compare.ts';
import { minimise } from '../test/differential/minimise.ts';

const subjects = new Map([
  ['bash', bash],
  ['dash', dash],
  ['busybox', busybox],
]);
const count = Number(process.argv[2] ?? 20_000);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000_000);
const name = process.argv[4] ?? 'bash';
const subject = subjects.get(name);
if (subject === undefined) throw new Error(`${name} is none of ${[...subjects.keys()].join(', ')}`);

const begun = performance.now();
const { misses, ...figures } = await compareMany(count, seed, subject);
console.log(`${name}, seed ${seed}, ${Math.round((performance.now() - begun) / 1000)} s:`, figures);
for (const miss of misses.slice(0, 20)) {
  console.log(`MISS seed ${miss.seed}: ran ${JSON.stringify(miss.ran)}\n${await minimise(miss.program, subject)}\n`);
}
console.log(`${misses.length} silent misses`);
process.exitCode = misses.length === 0 ? 0 : 1;
