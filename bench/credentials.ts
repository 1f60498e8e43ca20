import type { CredentialBench } from './credentials/bench.ts';
import { http2Requests } from './credentials/http2-requests.ts';
import { postgres } from './credentials/postgres.ts';
import { redis } from './credentials/redis.ts';
import { requests } from './credentials/requests.ts';
import { full, quick, type Sizes } from './credentials/sizes.ts';
import type { Report } from './lib/report.ts';
import { makeScratch } from './lib/scratch.ts';
import type { Part } from './network/part.ts';

const measurements: readonly ((bench: CredentialBench) => Promise<readonly Part[]>)[] = [
  requests,
  http2Requests,
  postgres,
  redis,
];

/** The cost of a secret that stays outside. */
export function credentials(): Promise<Report> {
  return run(full);
}

/** The same with small counts, as a check: its figures mean little. */
export function credentialsQuick(): Promise<Report> {
  return run(quick);
}

async function run(sizes: Sizes): Promise<Report> {
  const bench: CredentialBench = { scratch: makeScratch(), sizes };
  const found: Part[] = [];
  for (const measurePart of measurements) found.push(...(await measurePart(bench)));
  return {
    title: 'credentials: secrets that stay outside',
    parts: found.map(({ title, text }) => `${title}\n${text}`),
    budgets: found.flatMap(({ budgets }) => budgets),
  };
}
