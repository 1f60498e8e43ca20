import { normaliseHost } from '../../policy/index.ts';
import { contains, type Network } from '../ssrf/network.ts';
import type { Destination } from '../types.ts';

type Test = (destination: Destination) => boolean;

/**
 * Reads `NO_PROXY`: names, which stand for themselves and all below them, with or without a leading `.` or `*.`;
 * addresses; networks as `10.0.0.0/8`; each with an optional `:port`; `*` for everything. Entries are parted by commas
 * or blanks. What cannot be read bypasses nothing.
 */
export function noProxyOf(text: string): Test {
  const tests = text.split(/[\s,]+/).flatMap((entry) => testOf(entry) ?? []);
  return (destination) => tests.some((test) => test(destination));
}

function testOf(entry: string): Test | undefined {
  if (entry === '') return undefined;
  if (entry === '*') return () => true;
  const { hostText, port } = splitPort(entry);
  const test = hostTest(hostText);
  if (test === undefined) return undefined;
  return (destination) => (port === undefined || destination.port === port) && test(destination.host);
}

/** A bare IPv6 address is full of colons; with a port it stands in brackets. */
function splitPort(entry: string): { readonly hostText: string; readonly port?: number } {
  const match = /^(\[[^\]]*\]|[^:]*):(\d{1,5})$/.exec(entry);
  return match === null ? { hostText: entry } : { hostText: match[1] ?? '', port: Number(match[2]) };
}

function hostTest(text: string): ((host: string) => boolean) | undefined {
  const network = networkOf(text);
  if (network !== undefined) return (host) => isIn(network, host);
  const host = normaliseHost(text.replace(/^\*?\./, ''));
  if (host === undefined) return undefined;
  return (other) => other === host.text || (host.address === undefined && other.endsWith(`.${host.text}`));
}

function networkOf(text: string): Network | undefined {
  const [base = '', prefixText = '', ...more] = text.split('/');
  const address = normaliseHost(base)?.address;
  const prefix = /^\d{1,3}$/.test(prefixText) ? Number(prefixText) : Number.NaN;
  if (address === undefined || more.length > 0 || !(prefix <= (address.kind === 'v4' ? 32 : 128))) return undefined;
  return { address, prefix };
}

function isIn(network: Network, host: string): boolean {
  const address = normaliseHost(host)?.address;
  return address !== undefined && contains(network, address);
}
