/**
 * Kills accepts and undos at random moments, for as long as you like: `accept-kill-sweep.ts [MINUTES]`. Prints losses,
 * and exits with 1 after any.
 */
import process from 'node:process';
import { acceptKillSweep } from '../src/staged/apply/testing/kill-sweep.ts';

const end = Date.now() + Number(process.argv[2] ?? 60) * 60_000;
let killed = 0;
let lost = 0;

do {
  for (const stateIn of [undefined, '/dev/shm']) {
    const report = await acceptKillSweep({ rounds: 25, ...(stateIn === undefined ? {} : { stateIn }) });
    for (const line of report.problems) console.error(line);
    killed += report.killed;
    lost += report.problems.length;
  }
} while (Date.now() < end);

console.log(`accept-kill-sweep: ${killed} processes killed, ${lost} problems`);
process.exitCode = lost === 0 ? 0 : 1;
