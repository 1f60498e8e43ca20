import { join } from 'node:path';
import process from 'node:process';
import type * as Session from '../../src/cluster/session/open-cluster.ts';

/*
 * The client of a fleet, in a separate process with the built library, so that its memory is not the server's.
 * Arguments: the number of claims, how many run at a time, the size of the pool, and the workspace. Prints one line of
 * JSON for each end, and finally one with the memory.
 */

const library = join(import.meta.dirname, '../../dist/index.js');
const { openCluster } = (await import(library)) as typeof Session;
const [, , claims = '0', together = '1', size = '1', cwd = '.'] = process.argv;
const session = { cwd, environment: process.env };
const cluster = await openCluster({ cwd, patience: { answer: 20_000, tries: 120_000 } });
await cluster.pools.up({ name: 'fast', size: Number(size), session });
let next = 0;

async function worker(): Promise<void> {
  while (next < Number(claims)) {
    const index = next;
    next += 1;
    const name = `agent-${index}`;
    let said = '';
    const script = `cat input.txt; echo ${name} > own.txt; exit ${index % 3}`;
    const command = await cluster.run({
      argv: ['sh', '-c', script],
      session,
      pool: 'fast',
      name,
      onOutput: (_, bytes) => void (said += bytes.toString()),
      onNotice: () => undefined,
    });
    await command.endInput();
    const end = await command.ended;
    process.stdout.write(`${JSON.stringify({ name, said, end })}\n`);
  }
}

await Promise.all(Array.from({ length: Number(together) }, worker));
process.stdout.write(`${JSON.stringify({ megabytes: Math.round(process.resourceUsage().maxRSS / 1024) })}\n`);
