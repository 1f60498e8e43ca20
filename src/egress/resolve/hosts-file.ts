import { isIP } from 'node:net';
import { normaliseHost } from '../../policy/index.ts';

/** Addresses by name, in the order of the file (hosts(5)). */
export type Hosts = ReadonlyMap<string, readonly string[]>;

/** Lines that are no entry are skipped, as every other reader of the file does. */
export function parseHosts(text: string): Hosts {
  const hosts = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const canonical = isIP(address) === 0 ? undefined : normaliseHost(address)?.text;
    if (canonical !== undefined) names.forEach((name) => addEntry(hosts, name, canonical));
  }
  return hosts;
}

function addEntry(hosts: Map<string, string[]>, text: string, address: string): void {
  const host = normaliseHost(text);
  if (host === undefined || host.address !== undefined) return;
  const addresses = hosts.get(host.text);
  if (addresses === undefined) hosts.set(host.text, [address]);
  else if (!addresses.includes(address)) addresses.push(address);
}
