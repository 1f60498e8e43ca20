/**
 * Kills supervisors at random moments, for as long as you like: `kill-sweep.ts [MINUTES]`. Run it each night, as root
 * and as an ordinary user. Prints leftovers, and exits with 1 after any.
 */
import process from 'node:process';
import { kinds, killSweep, manners } from '../test/lib/kill-sweep.ts';

const end = Date.now() + Number(process.argv[2] ?? 60) * 60_000;
const batch = 10;
let killed = 0;
let left = 0;

do {
  for (const kind of kinds) {
    for (const manner of manners) {
      const longest = Math.random() < 0.5 ? 8 : 60;
      for (const line of await killSweep({ kind, manner, rounds: batch, longest })) {
        console.error(`${kind}, ${manner}: ${line}`);
        left++;
      }
      killed += batch;
    }
  }
} while (Date.now() < end);

console.log(`kill-sweep: ${killed} supervisors killed, ${left} remains`);
process.exitCode = left === 0 ? 0 : 1;
