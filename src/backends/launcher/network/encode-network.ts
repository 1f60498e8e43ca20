import type { NetworkPlan, OpenNetwork } from '../../../plan/index.ts';
import type { RecordWriter } from '../record-writer.ts';
import { transparentProxyBatch } from './packet-filter.ts';
import { anyAddressRoute, loopbackAddress } from './routes.ts';
import { socketAddress } from './socket-address.ts';

export const networkRecordKinds = { netlink: 29, listener: 30, sysctl: 31, forward: 32 } as const;

/** Of `native/src/launch/plan/plan.h`. */
const listenerFlags = { udp: 1, dual: 2, transparent: 4, fallback: 8 } as const;
const netlinkProtocols = { route: 0, netfilter: 12 } as const;
const optional = 0x100;

/** The usual resolver's: whoever looks sees a machine with a network. */
const visibleAddress = '198.18.0.1';

interface Listener {
  readonly address: string;
  readonly port: number;
  readonly flags: number;
  readonly tag: 'tcp' | 'dns';
}

/** The routes, the packet filter and the listeners of an open network; nothing for a closed one. */
export function encodeNetwork(out: RecordWriter, network: NetworkPlan): void {
  if (network.kind === 'closed') return;
  for (const [name, value] of Object.entries(settings(network))) out.record(networkRecordKinds.sysctl, 0).text(`/proc/sys/net/${name}`).text(value);
  out.record(networkRecordKinds.netlink, netlinkProtocols.route).bytes(loopbackAddress(visibleAddress));
  for (const family of network.families) out.record(networkRecordKinds.netlink, netlinkProtocols.route).bytes(anyAddressRoute(family));
  out.record(networkRecordKinds.netlink, netlinkProtocols.netfilter | optional).bytes(transparentProxyBatch(network.families, network.divertPort));
  for (const { address, port, flags, tag } of listenersOf(network)) out.record(networkRecordKinds.listener, flags).text(tag).bytes(socketAddress(address, port));
  if (network.forward.length > 0) out.record(networkRecordKinds.forward, 0);
}

/** With every address its own, the namespace would answer a ping to anywhere; and a development server may want port 80. */
function settings({ families }: OpenNetwork): Readonly<Record<string, string>> {
  const ipv6 = families.includes('ipv6') ? { 'ipv6/icmp/echo_ignore_all': '1' } : {};
  return { 'ipv4/icmp_echo_ignore_all': '1', 'ipv4/ip_unprivileged_port_start': '0', ...ipv6 };
}

function listenersOf(network: OpenNetwork): readonly Listener[] {
  const dual = network.families.includes('ipv6');
  const everywhere = dual ? { address: '::', flag: listenerFlags.dual } : { address: '0.0.0.0', flag: 0 };
  const loopbacks = dual ? ['127.0.0.1', '::1'] : ['127.0.0.1'];
  return [
    { address: network.resolver, port: 53, flags: listenerFlags.udp, tag: 'dns' },
    { address: everywhere.address, port: network.divertPort, flags: everywhere.flag | listenerFlags.transparent, tag: 'tcp' },
    // The packet filter leaves loopback alone.
    { address: network.resolver, port: 53, flags: network.resolver.startsWith('127.') ? 0 : listenerFlags.fallback, tag: 'tcp' },
    ...network.fallbackPorts.map((port): Listener => ({ address: everywhere.address, port, flags: everywhere.flag | listenerFlags.fallback, tag: 'tcp' })),
    ...network.loopbackPorts.flatMap((port) => loopbacks.map((address): Listener => ({ address, port, flags: loopbackFlags(network, port), tag: 'tcp' }))),
  ];
}

/** A port that the fallback listens on everywhere cannot be listened on at loopback as well. */
function loopbackFlags({ fallbackPorts }: OpenNetwork, port: number): number {
  return fallbackPorts.includes(port) ? listenerFlags.transparent : 0;
}
