import type { Report } from './lib/report.ts';
import { makeScratch } from './lib/scratch.ts';
import type { NetworkBench } from './network/bench.ts';
import { checkWays } from './network/check-ways.ts';
import { connections, secureConnections } from './network/connections.ts';
import { crowd } from './network/crowd.ts';
import { downloads, secureDownloads } from './network/downloads.ts';
import { events } from './network/events.ts';
import type { Part } from './network/part.ts';
import { compilePrograms } from './network/programs.ts';
import { requests } from './network/requests.ts';
import { startServer } from './network/server.ts';
import { full, quick, type Sizes } from './network/sizes.ts';
import { starts } from './network/start.ts';
import { hosts, openWays } from './network/ways.ts';

const parts: readonly ((bench: NetworkBench) => Promise<Part>)[] = [
  connections,
  secureConnections,
  downloads,
  secureDownloads,
  requests,
  events,
  crowd,
  starts,
];

/** The cost of a box's way out. */
export function network(): Promise<Report> {
  return run(full);
}

/** The same with small counts, as a check: its figures mean little. */
export function networkQuick(): Promise<Report> {
  return run(quick);
}

async function run(sizes: Sizes): Promise<Report> {
  const scratch = makeScratch();
  const programs = await compilePrograms(scratch.workspace);
  const server = await startServer({ program: programs.serve, directory: scratch.beside, host: hosts.intercepted });
  const ways = await openWays(scratch, server);
  const unchecked: NetworkBench = { scratch, programs, server, ways: ways.all, sizes };
  const bench: NetworkBench = { ...unchecked, ways: await checkWays(unchecked) };
  const found: Part[] = [];
  for (const measurePart of parts) found.push(await measurePart(bench));
  ways.close();
  server.close();
  return {
    title: 'network: the way out of a box',
    parts: found.map(({ title, text }) => `${title}\n${text}`),
    budgets: found.flatMap(({ budgets }) => budgets),
  };
}
