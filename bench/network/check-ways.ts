import { setTimeout } from 'node:timers/promises';
import { clientOn, type NetworkBench } from './bench.ts';
import { hosts, names, type Way } from './ways.ts';

/**
 * Checks the signer of the certificate at the end of each way. A row about TLS that ends in Holdfast measures nothing
 * if TLS passes through, and the reverse. Rejects with the name of a wrong way. A peer that does not work on this
 * machine is absent from the result.
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

/** A tool's limit in milliseconds to start and to carry one connection. */
const patience = 20_000;

async function silence(): Promise<never> {
  await setTimeout(patience, undefined, { ref: false });
  throw new Error(`nothing was heard for ${patience} ms`);
}
