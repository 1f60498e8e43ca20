import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Scratch } from '../lib/scratch.ts';
import { type Client, connectTo } from './client.ts';
import type { Ask, CarrierStart, Say } from './message.ts';

export const names = { direct: 'direct', plain: 'TLS ended, no gateway', gateway: 'gateway' } as const;

export interface Way {
  readonly name: string;
  /** A separate connection, which stays open between requests. */
  connect(): Client;
  /** Resident bytes of the process that carries it. Absent without such a process. */
  readonly memory?: () => Promise<number>;
}

export interface Ways {
  readonly all: readonly Way[];
  close(): void;
}

/** All of them lead to one server in a separate process. Their carrier has a separate process too. */
export async function openWays(scratch: Scratch, secrets: readonly string[]): Promise<Ways> {
  const program = await bundledCarrier(scratch);
  const server = fork(join(import.meta.dirname, 'model-server.ts'));
  const { port, authority } = await ready(server);
  const children = [server];
  const carried = async (name: string, gateway: CarrierStart['gateway']): Promise<Way> => {
    const child = fork(program);
    children.push(child);
    const start: CarrierStart = {
      kind: 'carrier',
      gateway,
      serverPort: port,
      serverAuthority: authority,
      directory: scratch.beside,
      secrets,
    };
    child.send(start);
    const carrier = await ready(child);
    return {
      name,
      connect: () =>
        connectTo(port, { authority: carrier.authority, proxy: { port: carrier.port, secret: carrier.secret ?? '' } }),
      memory: () => memoryOf(child),
    };
  };
  const direct: Way = { name: names.direct, connect: () => connectTo(port, { authority }) };
  const all = [direct, await carried(names.plain, 'without'), await carried(names.gateway, 'with')];
  return { all, close: () => children.forEach((child) => child.disconnect()) };
}

/** In one file, as an installed Holdfast: separate sources take 40 MB more. */
async function bundledCarrier({ beside }: Scratch): Promise<string> {
  const outfile = join(beside, 'carrier.mjs');
  const banner = { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" };
  await build({
    entryPoints: [join(import.meta.dirname, 'carrier.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['koffi'],
    logLevel: 'warning',
    banner,
  });
  return outfile;
}

async function ready(child: ChildProcess): Promise<Extract<Say, { readonly kind: 'ready' }>> {
  const [said] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error(`${child.spawnargs[1] ?? ''} ended before it was ready`))),
  ])) as [Say];
  if (said.kind !== 'ready') throw new Error(`expected it to be ready, and it said ${said.kind}`);
  return said;
}

async function memoryOf(child: ChildProcess): Promise<number> {
  const ask: Ask = { kind: 'memory' };
  child.send(ask);
  const [said] = (await once(child, 'message')) as [Say];
  return said.kind === 'memory' ? said.rss : Number.NaN;
}
