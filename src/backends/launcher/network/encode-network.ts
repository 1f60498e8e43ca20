import { isIPv6 } from 'node:net';
import type { NetworkPlan, OpenNetwork } from '../../../plan/types.ts';
import type { RecordWriter } from '../record-writer.ts';

export const networkRecordKinds = { netlink: 29, listener: 30, sysctl: 31, forward: 32 } as const;

/** Flags of `native/src/launch/plan/plan.h`. */
const listenerFlags = { udp: 1, dual: 2, transparent: 4, fallback: 8 } as const;
const netlinkProtocols = { route: 0, netfilter: 12 } as const;
const optional = 0x100;

/** The resolver's usual address. With it, programs see a machine that has a network. */
const visibleAddress = '198.18.0.1';

interface Listener {
  readonly address: string;
  readonly port: number;
  readonly flags: number;
  readonly tag: 'tcp' | 'dns';
}

/** Writes the routes, the packet filter and the listeners of an open network. Writes nothing for a closed one. */
export function encodeNetwork(out: RecordWriter, network: NetworkPlan): void {
  if (network.kind === 'closed') return;
  for (const [name, value] of Object.entries(settings(network)))
    out.record(networkRecordKinds.sysctl, 0).text(`/proc/sys/net/${name}`).text(value);
  out.record(networkRecordKinds.netlink, netlinkProtocols.route).bytes(loopbackAddress(visibleAddress));
  for (const family of network.families)
    out.record(networkRecordKinds.netlink, netlinkProtocols.route).bytes(anyAddressRoute(family));
  out
    .record(networkRecordKinds.netlink, netlinkProtocols.netfilter | optional)
    .bytes(transparentProxyBatch(network.families, network.divertPort));
  for (const { address, port, flags, tag } of listenersOf(network))
    out.record(networkRecordKinds.listener, flags).text(tag).bytes(socketAddress(address, port));
  if (network.forward.length > 0) out.record(networkRecordKinds.forward, 0);
}

/**
 * Turns off answers to pings: every address belongs to the namespace, so a ping to any address would succeed. Opens the
 * ports below 1024, because a development server may need port 80.
 */
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
    {
      address: everywhere.address,
      port: network.divertPort,
      flags: everywhere.flag | listenerFlags.transparent,
      tag: 'tcp',
    },
    // The packet filter does not touch loopback.
    {
      address: network.resolver,
      port: 53,
      flags: network.resolver.startsWith('127.') ? 0 : listenerFlags.fallback,
      tag: 'tcp',
    },
    ...network.fallbackPorts.map(
      (port): Listener => ({
        address: everywhere.address,
        port,
        flags: everywhere.flag | listenerFlags.fallback,
        tag: 'tcp',
      }),
    ),
    ...network.loopbackPorts.flatMap((port) =>
      loopbacks.map((address): Listener => ({ address, port, flags: loopbackFlags(network, port), tag: 'tcp' })),
    ),
  ];
}

/** The fallback listens on its ports at every address, so no other listener can take these ports at loopback. */
function loopbackFlags({ fallbackPorts }: OpenNetwork, port: number): number {
  return fallbackPorts.includes(port) ? listenerFlags.transparent : 0;
}

/**
 * Returns `struct sockaddr_in` or `sockaddr_in6` of an address literal: `0.0.0.0`, `127.0.0.1`, `198.18.0.1`, `::`,
 * `::1`.
 */
export function socketAddress(address: string, port: number): Buffer {
  const bytes = Buffer.alloc(isIPv6(address) ? 28 : 16);
  bytes.writeUInt16LE(isIPv6(address) ? 10 : 2, 0);
  bytes.writeUInt16BE(port, 2);
  if (address === '::1') bytes[23] = 1;
  else if (!isIPv6(address)) bytes.set(address.split('.').map(Number), 4);
  return bytes;
}

/**
 * The only rule of the box's packet filter. It redirects TCP connections, except those to loopback, to the listener on
 * `port`, and keeps their destination (TPROXY). Encoded as netlink messages, so that no `nft` program is needed.
 * Numbers: include/uapi/linux/netfilter/nf_tables.h.
 */
export function transparentProxyBatch(families: readonly AddressFamily[], port: number): Buffer {
  const { request } = netlinkFlags;
  const mark = Buffer.from([0, 0, 0, subsystem]);
  const begin = netlinkMessage({ type: 0x10, flags: request }, mark);
  const end = netlinkMessage({ type: 0x11, flags: request }, mark);
  return Buffer.concat([begin, ...families.flatMap((family) => tableOf(family, port)), end]);
}

const subsystem = 10;
const table = 'holdfast';
const chain = 'divert';
const messages = { table: 0, chain: 3, rule: 6 } as const;
const protocolFamilies = { ipv4: 2, ipv6: 10 } as const;
const prerouting = 0;
const manglePriority = -150;
const accept = 1;
const tcp = 6;

function tableOf(family: AddressFamily, port: number): readonly Buffer[] {
  const hook = nest(4, bigEndianAttribute(1, prerouting), bigEndianAttribute(2, manglePriority));
  return [
    message(family, messages.table, textAttribute(1, table)),
    message(
      family,
      messages.chain,
      textAttribute(1, table),
      textAttribute(3, chain),
      hook,
      bigEndianAttribute(5, accept),
      textAttribute(7, 'filter'),
    ),
    message(family, messages.rule, textAttribute(1, table), textAttribute(2, chain), nest(4, ...divert(family, port))),
  ];
}

function message(family: AddressFamily, type: number, ...attributes: readonly Buffer[]): Buffer {
  const { request, acknowledge, create, append } = netlinkFlags;
  const head = Buffer.from([protocolFamilies[family], 0, 0, 0]);
  return netlinkMessage(
    { type: (subsystem << 8) | type, flags: request | acknowledge | create | append },
    head,
    ...attributes,
  );
}

/** TCP, not to loopback: `tproxy to :port`, accept. */
function divert(family: AddressFamily, port: number): readonly Buffer[] {
  const target = Buffer.alloc(2);
  target.writeUInt16BE(port);
  return [
    expression('meta', bigEndianAttribute(1, 1), bigEndianAttribute(2, 16)),
    expression('cmp', bigEndianAttribute(1, 1), bigEndianAttribute(2, 0), nest(3, attribute(1, Buffer.from([tcp])))),
    ...notLoopback(family),
    expression('immediate', bigEndianAttribute(1, 1), nest(2, attribute(1, target))),
    expression('tproxy', bigEndianAttribute(1, protocolFamilies[family]), bigEndianAttribute(3, 1)),
    expression('immediate', bigEndianAttribute(1, 0), nest(2, nest(2, bigEndianAttribute(1, accept)))),
  ];
}

/** Matches if the first byte of an IPv4 destination is not 127, or an IPv6 destination is not ::1. */
function notLoopback(family: AddressFamily): readonly Buffer[] {
  const [offset, value] =
    family === 'ipv4' ? [16, Buffer.from([127])] : [24, Buffer.from([...Array<number>(15).fill(0), 1])];
  const load = expression(
    'payload',
    bigEndianAttribute(1, 1),
    bigEndianAttribute(2, 1),
    bigEndianAttribute(3, offset),
    bigEndianAttribute(4, value.length),
  );
  return [load, expression('cmp', bigEndianAttribute(1, 1), bigEndianAttribute(2, 1), nest(3, attribute(1, value)))];
}

function expression(name: string, ...attributes: readonly Buffer[]): Buffer {
  return nest(1, textAttribute(1, name), nest(2, ...attributes));
}

type AddressFamily = 'ipv4' | 'ipv6';

/** Source: include/uapi/linux/rtnetlink.h and socket.h. */
const newAddress = 20;
const newRoute = 24;
const families = { ipv4: 2, ipv6: 10 } as const;
const scopes = { ipv4: 254, ipv6: 0 } as const;
const localTable = 255;
const bootProtocol = 3;
const localType = 2;
const interfaceAddress = 1;
const localAddress = 2;
const outputInterface = 4;
const preferredSource = 7;
/** `lo` is the first interface in every namespace. */
const loopback = 1;

/**
 * The AnyIP route makes every address of the family local, so any connection arrives at a listener in the same
 * namespace. Without a preferred source address, a client would get the dialled address as its own, and could connect
 * to itself.
 */
export function anyAddressRoute(family: AddressFamily): Buffer {
  const route = Buffer.from([
    families[family],
    0,
    0,
    0,
    localTable,
    bootProtocol,
    scopes[family],
    localType,
    0,
    0,
    0,
    0,
  ]);
  const index = Buffer.alloc(4);
  index.writeUInt32LE(loopback);
  const source = family === 'ipv4' ? Buffer.from([127, 0, 0, 1]) : Buffer.from([...Array<number>(15).fill(0), 1]);
  const { request, acknowledge, create } = netlinkFlags;
  return netlinkMessage(
    { type: newRoute, flags: request | acknowledge | create },
    route,
    attribute(outputInterface, index),
    attribute(preferredSource, source),
  );
}

/**
 * Gives `lo` an IPv4 address other than 127.0.0.1. Without one, C libraries with `AI_ADDRCONFIG` (RFC 3493 §6.1) do not
 * look up IPv4 addresses.
 */
export function loopbackAddress(address: string): Buffer {
  const head = Buffer.from([families.ipv4, 32, 0, 0, loopback, 0, 0, 0]);
  const bytes = Buffer.from(address.split('.').map(Number));
  const { request, acknowledge, create } = netlinkFlags;
  return netlinkMessage(
    { type: newAddress, flags: request | acknowledge | create },
    head,
    attribute(localAddress, bytes),
    attribute(interfaceAddress, bytes),
  );
}

/**
 * Builds netlink messages: include/uapi/linux/netlink.h. Header fields are in the machine's byte order, which is
 * little-endian on all supported machines.
 */

const netlinkFlags = { request: 1, acknowledge: 4, create: 0x400, append: 0x800 } as const;

interface MessageOptions {
  readonly type: number;
  readonly flags: number;
  readonly sequence?: number;
}

/** Returns one message with its header, padded to four bytes. */
function netlinkMessage({ type, flags, sequence }: MessageOptions, ...payload: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(payload);
  const head = Buffer.alloc(16);
  head.writeUInt32LE(16 + body.length, 0);
  head.writeUInt16LE(type, 4);
  head.writeUInt16LE(flags, 6);
  head.writeUInt32LE(sequence ?? 0, 8);
  return padded(Buffer.concat([head, body]));
}

const nested = 0x8000;

/** Returns one attribute, padded to four bytes. */
function attribute(type: number, value: Uint8Array): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(4 + value.length, 0);
  head.writeUInt16LE(type, 2);
  return padded(Buffer.concat([head, value]));
}

function nest(type: number, ...attributes: readonly Uint8Array[]): Buffer {
  return attribute(type | nested, Buffer.concat(attributes));
}

function textAttribute(type: number, text: string): Buffer {
  return attribute(type, Buffer.from(`${text}\0`, 'latin1'));
}

/** Netfilter's numbers are in network byte order. */
function bigEndianAttribute(type: number, value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value | 0);
  return attribute(type, bytes);
}

function padded(bytes: Buffer): Buffer {
  const rest = bytes.length % 4;
  return rest === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(4 - rest)]);
}
