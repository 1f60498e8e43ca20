import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { OpenNetwork } from '../../../plan/types.ts';
import { planHeaderSize, RecordWriter } from '../record-writer.ts';
import {
  anyAddressRoute,
  encodeNetwork,
  loopbackAddress,
  networkRecordKinds,
  socketAddress,
  transparentProxyBatch,
} from './encode-network.ts';

const open: OpenNetwork = {
  kind: 'names',
  families: ['ipv4', 'ipv6'],
  dns: 'fake',
  resolver: '198.18.0.1',
  divertPort: 1,
  fallbackPorts: [80, 5432],
  loopbackPorts: [3000, 5432],
  forward: [],
  authority: 'none',
};

interface Step {
  readonly kind: number;
  readonly flags: number;
  readonly payload: Buffer;
}

function stepsOf(network: Parameters<typeof encodeNetwork>[1]): readonly Step[] {
  const writer = new RecordWriter();
  encodeNetwork(writer, network);
  const bytes = writer.finish().subarray(planHeaderSize);
  const steps: Step[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = bytes.readUInt32LE(at + 4);
    steps.push({
      kind: bytes.readUInt16LE(at),
      flags: bytes.readUInt16LE(at + 2),
      payload: bytes.subarray(at + 8, at + 8 + size),
    });
    at += 8 + size;
  }
  return steps;
}

function listenersOf(network: OpenNetwork): readonly string[] {
  return stepsOf(network).flatMap(({ kind, flags, payload }) => {
    if (kind !== networkRecordKinds.listener) return [];
    const end = payload.indexOf(0);
    const address = payload.subarray(end + 1);
    return [
      `${payload.toString('latin1', 0, end)} ${address.readUInt16LE(0) === 2 ? [...address.subarray(4, 8)].join('.') : `[${address.toString('hex', 8, 24).replace(/^0+/u, '') || '0'}]`}:${address.readUInt16BE(2)} ${flags}`,
    ];
  });
}

/** The messages of a batch, by their headers. */
function messagesOf(
  bytes: Buffer,
): readonly { readonly type: number; readonly flags: number; readonly length: number }[] {
  const messages = [];
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUInt32LE(at);
    messages.push({ type: bytes.readUInt16LE(at + 4), flags: bytes.readUInt16LE(at + 6), length });
    at += (length + 3) & ~3;
  }
  return messages;
}

describe('encodeNetwork', () => {
  test('a closed network needs nothing', () => {
    expect(stepsOf({ kind: 'closed' })).toEqual([]);
  });

  test('flags are those of the launcher', () => {
    const source = readFileSync(join(import.meta.dirname, '../../../../native/src/launch/plan/plan.h'), 'utf8');
    expect(source).toContain(
      'enum { LISTENER_UDP = 1, LISTENER_DUAL = 2, LISTENER_TRANSPARENT = 4, LISTENER_FALLBACK = 8, LISTENER_FLAGS = 15 }',
    );
  });

  test('routes must come, the packet filter may be missing', () => {
    const netlink = stepsOf(open).filter(({ kind }) => kind === networkRecordKinds.netlink);
    expect(netlink.map(({ flags }) => flags)).toEqual([0, 0, 0, 12 | 0x100]);
    const expected = [
      loopbackAddress('198.18.0.1'),
      anyAddressRoute('ipv4'),
      anyAddressRoute('ipv6'),
      transparentProxyBatch(['ipv4', 'ipv6'], 1),
    ];
    expect(netlink.map(({ payload }) => payload.toString('hex'))).toEqual(
      expected.map((bytes) => bytes.toString('hex')),
    );
  });

  test('one listener takes everything with a packet filter; without it, others stand in', () => {
    expect(listenersOf(open)).toEqual([
      'dns 198.18.0.1:53 1',
      'tcp [0]:1 6',
      'tcp 198.18.0.1:53 8',
      'tcp [0]:80 10',
      'tcp [0]:5432 10',
      'tcp 127.0.0.1:3000 0',
      'tcp [1]:3000 0',
      'tcp 127.0.0.1:5432 4',
      'tcp [1]:5432 4',
    ]);
  });

  test('a resolver on loopback is always listened for: the packet filter leaves loopback alone', () => {
    expect(listenersOf({ ...open, resolver: '127.0.0.1' })).toContain('tcp 127.0.0.1:53 0');
  });

  test('a machine without IPv6 gets no IPv6', () => {
    const listeners = listenersOf({ ...open, families: ['ipv4'] });
    expect(listeners).toEqual([
      'dns 198.18.0.1:53 1',
      'tcp 0.0.0.0:1 4',
      'tcp 198.18.0.1:53 8',
      'tcp 0.0.0.0:80 8',
      'tcp 0.0.0.0:5432 8',
      'tcp 127.0.0.1:3000 0',
      'tcp 127.0.0.1:5432 4',
    ]);
    expect(stepsOf({ ...open, families: ['ipv4'] }).filter(({ payload }) => payload.includes('ipv6'))).toEqual([]);
  });

  test('the namespace does not answer pings for the world', () => {
    const settings = stepsOf(open).flatMap(({ kind, payload }) =>
      kind === networkRecordKinds.sysctl ? [payload.toString('latin1')] : [],
    );
    expect(settings).toContain('/proc/sys/net/ipv4/icmp_echo_ignore_all\x001\0');
    expect(settings).toContain('/proc/sys/net/ipv6/icmp/echo_ignore_all\x001\0');
  });
});

describe('netlink messages', () => {
  test('a route is one message that asks for an answer', () => {
    expect(messagesOf(anyAddressRoute('ipv4'))).toEqual([{ type: 24, flags: 0x405, length: 44 }]);
    expect(messagesOf(anyAddressRoute('ipv6'))).toEqual([{ type: 24, flags: 0x405, length: 56 }]);
    expect(messagesOf(loopbackAddress('198.18.0.1'))).toEqual([{ type: 20, flags: 0x405, length: 40 }]);
  });

  test('a batch begins, makes table, chain and rule for each family, and ends', () => {
    const types = messagesOf(transparentProxyBatch(['ipv4', 'ipv6'], 1)).map(({ type }) => type);
    expect(types).toEqual([0x10, 0xa00, 0xa03, 0xa06, 0xa00, 0xa03, 0xa06, 0x11]);
  });

  test('every length in a batch fits', () => {
    const batch = transparentProxyBatch(['ipv4'], 65_535);
    expect(messagesOf(batch).reduce((sum, { length }) => sum + ((length + 3) & ~3), 0)).toBe(batch.length);
  });
});

test('socketAddress', () => {
  expect(socketAddress('198.18.0.1', 53).toString('hex')).toBe('02000035c61200010000000000000000');
  expect(socketAddress('::1', 443).toString('hex')).toBe(`0a0001bb00000000${'00'.repeat(15)}0100000000`);
  expect(socketAddress('::', 1).toString('hex')).toBe(`0a00000100000000${'00'.repeat(16)}00000000`);
});
