import { hasRedis, startRedis } from '../../src/credentials/redis/testing/redis.ts';
import { ratio } from '../lib/compare.ts';
import { measure } from '../lib/measure.ts';
import type { Part } from '../network/part.ts';
import { rateTable } from '../network/tables.ts';
import { box, direct, key } from './box.ts';
import type { CredentialBench } from './bench.ts';
import { figureIn, runInside } from './run-inside.ts';

const names = {
  direct: 'without Holdfast',
  carried: 'holdfast, carried unseen',
  readWrite: 'holdfast',
  readOnly: 'holdfast, read-only',
} as const;

/** Commands in one batch. */
const pipeline = 16;

/** Pipelined commands through the broker, over the loopback in the clear on both legs. */
export async function redis(bench: CredentialBench): Promise<readonly Part[]> {
  if (!hasRedis) return [{ title: 'Redis', text: 'absent: redis-server is not on PATH (Debian: redis)', budgets: [] }];
  const server = await startRedis({ password: key.value });
  try {
    return [await commands(bench, server.port, 'GET'), await commands(bench, server.port, 'SET')];
  } finally {
    await server.stop();
  }
}

async function commands({ scratch, sizes }: CredentialBench, port: number, command: 'GET' | 'SET'): Promise<Part> {
  const { count, ...options } = sizes.commands;
  const policy = (mode: string): string => `network.hosts = ["localhost:${port}"]
[[credentials]]
name = "bench"
source = { env = "${key.variable}" }
hosts = ["localhost:${port}"]
inject = { kind = "redis", mode = "${mode}", tls = "disable" }
environment = ["REDISCLI_AUTH"]
`;
  const unseen = `network.hosts = ["localhost:${port}"]\nenvironment.set = { REDISCLI_AUTH = "${key.value}" }\n`;
  const bare = [direct(scratch, names.direct, { REDISCLI_AUTH: key.value }), box(scratch, names.carried, unseen)];
  const brokered = [
    box(scratch, names.readWrite, policy('read-write')),
    ...(command === 'GET' ? [box(scratch, names.readOnly, policy('read-only'))] : []),
  ];
  const benchmark = `redis-benchmark -h localhost -p ${port} -a "$REDISCLI_AUTH" -P ${pipeline} -t ${command.toLowerCase()} --csv`;
  // The first run of code in a box includes its compilation, which is no cost of a command.
  const words = ['sh', '-ec', `${benchmark} -n ${Math.ceil(count / 5)} > warm-up; ${benchmark} -n ${count}`];
  const read = (printed: string): number => figureIn(printed, new RegExp(`"${command}","([\\d.]+)"`, 'u'));
  const results = await measure(
    [...bare, ...brokered].map((around) => runInside(around, { scratch, words, read })),
    options,
  );
  return {
    title: `Redis, ${command} (redis-benchmark -P ${pipeline}, 50 connections, ${count} commands after ${Math.ceil(count / 5)})`,
    text: rateTable(results, { unit: 'commands/s', baseline: names.direct, digits: 0 }),
    budgets: brokered.map(({ name }) => ({
      claim: `Redis ${command}: ${name} ÷ ${names.direct}`,
      measured: ratio(results, name, names.direct),
      limit: 0.4,
      unit: '×',
      direction: 'at-least',
    })),
  };
}
