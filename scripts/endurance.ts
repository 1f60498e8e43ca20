/**
 * A day of an agent's traffic in an hour: `endurance.ts [COMMANDS]`, default 100,000. Three fifths go through
 * `serve`, and the rest through resident supervisors: undisturbed, killed at random, on clocks that jump, on disks that
 * fill. Prints a table, and exits with 1 after a loss, leftovers or growth.
 */
import process from 'node:process';
import { endurance, failings } from '../test/lib/endurance/endurance.ts';

console.log('| part | commands | a second | failed and said so | wrong | supervisors killed | memory |');
console.log('|---|--:|--:|--:|--:|--:|---|');
for await (const stretch of endurance(Number(process.argv[2] ?? 100_000))) {
  const { part, commands, seconds, failed, wrong, killed, memory } = stretch;
  const megabytes = memory === undefined ? '' : `${memory.map((each) => each.toFixed(0)).join(' → ')} MB`;
  console.log(`| ${[part, commands, (commands / seconds).toFixed(0), failed, wrong, killed, megabytes].join(' | ')} |`);
  for (const line of failings([stretch])) {
    console.error(line);
    process.exitCode = 1;
  }
}
