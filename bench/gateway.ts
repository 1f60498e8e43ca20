import { loadavg } from 'node:os';
import { crowd } from './gateway/crowd.ts';
import type { GatewayBench } from './gateway/bench.ts';
import { firstBytes, largePrompts, streams } from './gateway/times.ts';
import { full, quick, type Sizes } from './gateway/sizes.ts';
import { openWays } from './gateway/ways.ts';
import type { Report } from './lib/report.ts';
import { makeScratch } from './lib/scratch.ts';
import { realSource } from './lib/source.ts';
import type { Part } from './network/part.ts';

const parts: readonly (readonly ((bench: GatewayBench) => Promise<Part>)[])[] = [
  [firstBytes, largePrompts, streams],
  [crowd],
];

/** The cost of inspecting requests to language models and their answers. */
export function gateway(): Promise<Report> {
  return run(full);
}

/** The same with small counts, as a check: its figures mean little. */
export function gatewayQuick(): Promise<Report> {
  return run(quick);
}

async function run(sizes: Sizes): Promise<Report> {
  const secrets = Array.from({ length: 10 }, (_, index) => `session-secret-${index}-of-the-bench`);
  const source = realSource(3_000_000);
  const scratch = makeScratch();
  const found: Part[] = [];
  for (const group of parts) {
    // The memory of a process that has carried nothing else.
    const ways = await openWays(scratch, secrets);
    try {
      for (const measurePart of group) found.push(await measurePart({ ways: ways.all, sizes, secrets, source }));
    } finally {
      ways.close();
    }
  }
  return {
    title: `gateway: calls of language models that are looked into (load ${loadavg()[0]?.toFixed(1)})`,
    parts: found.map(({ title, text }) => `${title}\n${text}`),
    budgets: found.flatMap(({ budgets }) => budgets),
  };
}
