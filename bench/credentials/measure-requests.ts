import { difference } from '../lib/compare.ts';
import type { Absent } from '../lib/contestant.ts';
import { type Batch, measureBatches } from '../lib/measure.ts';
import { type Client, milliseconds, openClient } from '../network/client.ts';
import type { Part } from '../network/part.ts';
import type { Batches } from '../network/sizes.ts';
import { latencyTable } from '../network/tables.ts';
import { type Around, box, direct, key } from './box.ts';
import type { CredentialBench } from './bench.ts';

const names = { direct: 'without Holdfast', plain: 'holdfast, TLS ended', injected: 'holdfast, key put in' } as const;

export interface Requests {
  readonly title: string;
  readonly verb: 'ask' | 'secure' | 'events';
  readonly claim: string;
  readonly sizes: Batches;
  /** The selection among a client's figures. With `events`, later events follow the first `count`. */
  readonly figures: 'first' | 'later';
}

/** A server on the loopback that asks for the key. */
export interface KeyedServer {
  readonly port: number;
  /** PEM file. */
  readonly authority: string;
}

export interface ClientProgram {
  /** The words before the command lines that it reads. */
  readonly words: readonly string[];
  /** For the client without a box, which trusts no authority by default. */
  readonly environment?: NodeJS.ProcessEnv;
  readonly server: KeyedServer;
}

/** Opens a client at the end of each way: without Holdfast, through plain interception, and with a phantom of a key. */
export function openClients({ scratch }: CredentialBench, { words, environment = {}, server }: ClientProgram): Clients {
  const arounds = [
    direct(scratch, names.direct, { ...environment, BENCH_KEY: key.value }),
    box(scratch, names.plain, plainPolicy(server)),
    box(scratch, names.injected, injectedPolicy(server)),
  ];
  const all = arounds.map((around): Opened => openAt(around, words, scratch.workspace));
  return {
    all,
    port: server.port,
    close: async () =>
      void (await Promise.all(all.map((opened) => (opened.kind === 'opened' ? opened.client.close() : undefined)))),
  };
}

export interface Clients {
  readonly all: readonly Opened[];
  readonly port: number;
  close(): Promise<void>;
}

function openAt({ name, peer, environment }: Around, words: readonly string[], cwd: string): Opened {
  if (peer.kind === 'absent') return { ...peer, name };
  const [program = '', ...before] = words.toReversed();
  return {
    kind: 'opened',
    name,
    client: openClient({ prefix: [...peer.prefix, ...before.toReversed()], program, cwd, environment }),
  };
}

type Opened = Absent | { readonly kind: 'opened'; readonly name: string; readonly client: Client };

export async function measureRequests(
  { title, verb, claim, sizes, figures }: Requests,
  { all, port }: Clients,
): Promise<Part> {
  const { count, ...options } = sizes;
  const ask = async (client: Client): Promise<readonly number[]> => {
    const times = milliseconds(await client.ask({ verb, host: 'localhost', port, count }));
    return figures === 'first' ? times.slice(0, count) : times.slice(count);
  };
  const results = await measureBatches(
    all.map((opened): Batch | Absent =>
      opened.kind === 'absent' ? opened : { kind: 'batch', name: opened.name, run: () => ask(opened.client) },
    ),
    options,
  );
  return {
    title: `${title} (${count * options.rounds} of each${figures === 'later' ? ' with four' : ''})`,
    text: latencyTable(results, names.plain),
    budgets: [
      {
        claim: `${claim}: ${names.injected} − ${names.plain}`,
        measured: difference(results, names.injected, names.plain),
        limit: 1,
        unit: 'ms',
        direction: 'at-most',
      },
    ],
  };
}

/** TLS ends because of a rule about requests, which allows all of these. */
function plainPolicy(server: KeyedServer): string {
  return `environment.set = { BENCH_KEY = "${key.value}" }
${network(server)}
[[http]]
name = "bench-requests"
decision = "allow"
hosts = ["localhost:${server.port}"]
methods = ["GET"]
`;
}

function injectedPolicy(server: KeyedServer): string {
  return `${network(server)}
[[credentials]]
name = "bench"
source = { env = "${key.variable}" }
hosts = ["localhost:${server.port}"]
inject = { kind = "bearer" }
environment = ["BENCH_KEY"]
`;
}

function network({ port, authority }: KeyedServer): string {
  return `[network]\nhosts = ["localhost:${port}"]\nca = ${JSON.stringify([authority])}\n`;
}
