import { clientOn, type NetworkBench } from './bench.ts';
import { hosts } from './ways.ts';

/**
 * Looks who signed the certificate at the end of each way: a row about TLS that ends in Holdfast measures nothing where it
 * passes through, and the other way round. Rejects with the name of the way that is not what it is said to be.
 */
export async function checkWays(bench: NetworkBench): Promise<void> {
  for (const way of bench.ways.filter(({ peer }) => peer.kind === 'present')) {
    const client = clientOn(bench, way);
    const issuer = await client.ask({ verb: 'issuer', host: way.host, port: bench.server.secure });
    await client.close();
    const ended = !issuer.includes(bench.server.issuer);
    if (ended !== (way.host === hosts.intercepted)) throw new Error(`${way.name}: the certificate is from ${issuer}`);
  }
}
