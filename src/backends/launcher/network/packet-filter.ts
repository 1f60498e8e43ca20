import { attribute, bigEndianAttribute, nest, netlinkFlags, netlinkMessage, textAttribute } from './netlink.ts';
import type { AddressFamily } from './routes.ts';

/**
 * The one rule of the box's packet filter: TCP to any port of any address but loopback is handed to the listener on
 * `port` with its destination intact (TPROXY). As netlink messages, so that no `nft` program is needed: numbers of
 * include/uapi/linux/netfilter/nf_tables.h.
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
    message(family, messages.chain, textAttribute(1, table), textAttribute(3, chain), hook, bigEndianAttribute(5, accept), textAttribute(7, 'filter')),
    message(family, messages.rule, textAttribute(1, table), textAttribute(2, chain), nest(4, ...divert(family, port))),
  ];
}

function message(family: AddressFamily, type: number, ...attributes: readonly Buffer[]): Buffer {
  const { request, acknowledge, create, append } = netlinkFlags;
  const head = Buffer.from([protocolFamilies[family], 0, 0, 0]);
  return netlinkMessage({ type: (subsystem << 8) | type, flags: request | acknowledge | create | append }, head, ...attributes);
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

/** The first byte of an IPv4 destination is not 127; an IPv6 destination is not ::1. */
function notLoopback(family: AddressFamily): readonly Buffer[] {
  const [offset, value] = family === 'ipv4' ? [16, Buffer.from([127])] : [24, Buffer.from([...Array<number>(15).fill(0), 1])];
  const load = expression('payload', bigEndianAttribute(1, 1), bigEndianAttribute(2, 1), bigEndianAttribute(3, offset), bigEndianAttribute(4, value.length));
  return [load, expression('cmp', bigEndianAttribute(1, 1), bigEndianAttribute(2, 1), nest(3, attribute(1, value)))];
}

function expression(name: string, ...attributes: readonly Buffer[]): Buffer {
  return nest(1, textAttribute(1, name), nest(2, ...attributes));
}
