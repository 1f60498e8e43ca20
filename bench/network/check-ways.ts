import { setTimeout } from 'node:timers/promises';
import { clientOn, type NetworkBench } from './bench.ts';
import { hosts, names, type Way } from './ways.ts';

/**
 * Looks who signed the certificate at the end of each way: a row about TLS that ends in Holdfast measures nothing where
 * it passes through, and the other way round. Rejects with the name of the way that is not what it is said to be. A
 * peer that does not work on this machine comes back as absent.
 */
export function checkWays(bench: NetworkBench): Promise<readonly Way[]> {
  return Promise.all(bench.ways.map((way) => (way.peer.kind === 'absent' ? way : checkWay(bench, way))));
}

async function checkWay(bench: NetworkBench, way: Way): Promise<Way> {
  const client = clientOn(bench, way);
  try {
    const issuer = await Promise.race([
      client.ask({ verb: 'issuer', host: way.host, port: bench.server.secure }),
      silence(),
    ]);
    const ended = !issuer.includes(bench.server.issuer);
    if (ended !== (way.host === hosts.intercepted)) throw new Error(`${way.name}: the certificate is from ${issuer}`);
    return way;
  } catch (error) {
    if (way.name !== names.srt && way.name !== names.pasta) throw error;
    return {
      ...way,
      peer: { kind: 'absent', reason: `it does not work here: ${String(error).trim().split('\n').at(-1) ?? ''}` },
    };
  } finally {
    await client.close();
  }
}

/** Milliseconds that a tool has to start and to carry one connection. */
const patience = 20_000;

async function silence(): Promise<never> {
  await setTimeout(patience, undefined, { ref: false });
  throw new Error(`nothing was heard for ${patience} ms`);
}
