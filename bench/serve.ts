import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { connectServer, type ServerConnection } from '../src/serve/client/connect-server.ts';
import { processTree } from './lib/processes.ts';
import { type Report, titles } from './lib/report.ts';
import { makeScratch } from './lib/scratch.ts';
import { table } from './lib/table.ts';

const many = 1000;
const turns = 3;

/** Requests a thousand commands at once through one server: each ends separately, with its own output. */
export async function serve(): Promise<Report> {
  const { workspace, beside, environment } = makeScratch();
  const variables = Object.fromEntries(
    Object.entries({ ...environment, XDG_RUNTIME_DIR: beside }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
  const server = spawn(resolve(import.meta.dirname, '../bin/holdfast'), ['serve'], {
    env: variables,
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  try {
    await once(server.stderr as NonNullable<ChildProcess['stderr']>, 'data');
    const client = await connectServer({ runtime: join(beside, 'holdfast') });
    await client.call({ kind: 'open', name: 'bench', options: { cwd: workspace, workspace }, environment: variables })
      .result;
    const pid = server.pid as number;
    const results = [];
    for (let turn = 0; turn < turns; turn += 1) results.push(await burst(client, pid));
    const { commands } = await client.call({ kind: 'ps' }).result;
    const [best] = results.toSorted((a, b) => b.rate - a.rate);
    client.close();
    return {
      title: `serve: ${many} commands at once through one server`,
      parts: [
        table(
          titles('turn', ['commands a second', 'server MB before', 'at most during', 'lost']),
          results.map(({ rate, before, most, lost }, turn) => [
            String(turn + 1),
            rate.toFixed(0),
            before.toFixed(0),
            most.toFixed(0),
            String(lost),
          ]),
        ),
      ],
      budgets: [
        {
          claim: 'lost commands',
          measured: results.reduce((sum, { lost }) => sum + lost, 0),
          limit: 0,
          unit: 'hits',
          direction: 'at-most',
        },
        {
          claim: 'commands that the server still knows afterwards',
          measured: commands.length,
          limit: 0,
          unit: 'hits',
          direction: 'at-most',
        },
        { claim: 'commands a second', measured: best?.rate, limit: 400, unit: 'operations/s', direction: 'at-least' },
      ],
    };
  } finally {
    server.kill();
    if (server.exitCode === null) await once(server, 'exit');
  }
}

async function burst(client: ServerConnection, server: number) {
  const memory = (): number => (processTree(server)[0]?.rss ?? 0) / 1e6;
  const before = memory();
  let most = before;
  const looking = setInterval(() => (most = Math.max(most, memory())), 200);
  const begin = performance.now();
  const right = await Promise.all(Array.from({ length: many }, (_, number) => ownWord(client, number)));
  const time = performance.now() - begin;
  clearInterval(looking);
  return { rate: (many * 1000) / time, before, most, lost: right.filter((each) => each === 'wrong').length };
}

async function ownWord(client: ServerConnection, number: number): Promise<'right' | 'wrong'> {
  const call = client.call({ kind: 'exec', session: 'bench', mode: 'foreground', argv: ['echo', `word ${number}`] });
  call.endInput();
  let said = '';
  for await (const { data } of call.output()) said += data.toString();
  const seen = await call.result;
  return seen.kind === 'ended' && seen.exitCode === 0 && said === `word ${number}\n` ? 'right' : 'wrong';
}
