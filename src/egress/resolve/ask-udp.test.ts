import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { frame } from '../dns/frames.ts';
import { queryPacket, responsePacket, wireName } from '../dns/testing/packets.ts';
import { hasSettled, settle, stopClock } from '../testing/stopped-clock.ts';
import { askTcp, encodeQuery } from './ask-servers.ts';
import { askUdp, type DnsExchange, matchResponse, type NameServer, connectionReason } from './ask-udp.ts';
import { a, replyTo, startNameServer } from './testing/name-server.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const nobody: NameServer = { address: '127.0.0.1', port: 9 };
const asked = 'eXample.COM';

function exchangeWith(server: NameServer, parts: Partial<DnsExchange> = {}): DnsExchange {
  const id = 0x1234;
  const packet = encodeQuery({ id, name: asked, type: 1 }) ?? expect.fail('no packet');
  return { server, id, packet, timeout: 10_000, signal: new AbortController().signal, ...parts };
}

const match = (packet: Buffer): string => matchResponse(packet, exchangeWith(nobody)).kind;
const repeated = { name: wireName(asked) };

describe('an answer', () => {
  test.each([
    ['that repeats everything', responsePacket(repeated)],
    ['with records', responsePacket({ ...repeated, records: [a('192.0.2.1')] })],
    ['that was truncated', responsePacket({ ...repeated, flags: 0x8380 })],
    ['that the name does not exist', responsePacket({ ...repeated, rcode: 3 })],
    ['of failure without the question', responsePacket({ rcode: 2, counts: [0, 0, 0, 0] }).subarray(0, 12)],
  ])('%s is one', (_, packet) => {
    expect(match(packet)).toBe('answer');
  });

  test.each([['example.com'], ['EXAMPLE.COM'], ['ExAMPLE.com']])('about %s has another case', (name) => {
    expect(match(responsePacket({ name: wireName(name) }))).toBe('other-case');
  });

  test.each([
    ['with another id', responsePacket({ ...repeated, id: 0x1235 })],
    ['with the bytes of the id exchanged', responsePacket({ ...repeated, id: 0x3412 })],
    ['about another name', responsePacket({ name: wireName('example.org') })],
    ['about a name above', responsePacket({ name: wireName('COM') })],
    ['about a name below', responsePacket({ name: wireName(`www.${asked}`) })],
    ['about another type', responsePacket({ ...repeated, type: 28 })],
    ['about another class', responsePacket({ ...repeated, class: 3 })],
    ['that is the question itself', queryPacket(repeated)],
    [
      'of failure with another id and no question',
      responsePacket({ id: 1, rcode: 2, counts: [0, 0, 0, 0] }).subarray(0, 12),
    ],
    ['of success without the question', responsePacket({ counts: [0, 0, 0, 0] }).subarray(0, 12)],
    ['with two questions', responsePacket({ ...repeated, counts: [2, 0, 0, 0] })],
    ['that breaks off', responsePacket(repeated).subarray(0, -1)],
    ['that is empty', Buffer.alloc(0)],
  ])('%s is a stranger', (_, packet) => {
    expect(match(packet)).toBe('stranger');
  });

  test('with any changed bit of id or question does not match', () => {
    const honest = responsePacket(repeated);
    const positions = [...honest.keys()].filter((at) => at < 2 || at >= 12);
    fc.assert(
      fc.property(fc.constantFrom(...positions), fc.nat(7), (at, bit) => {
        const forged = Buffer.from(honest);
        forged[at] = (forged[at] ?? 0) ^ (1 << bit);
        expect(match(forged)).not.toBe('answer');
      }),
      { numRuns: rounds(300) },
    );
  });
});

test('the reason of a failed socket is one word', () => {
  expect(connectionReason(Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:53'), { code: 'ECONNREFUSED' }))).toBe(
    'ECONNREFUSED',
  );
  expect([connectionReason(new Error('strange')), connectionReason(null), connectionReason(undefined)]).toEqual(
    Array(3).fill('the connection failed'),
  );
});

describe('over UDP', () => {
  test('the answer is the response', async () => {
    await using name = await startNameServer((question) => [replyTo(question, { records: [a('192.0.2.1')] })]);
    expect(await askUdp(exchangeWith(name.server))).toMatchObject({
      kind: 'response',
      response: { records: [{ address: '192.0.2.1' }] },
    });
  });

  test('it ends with the time-out, and not before', async () => {
    await using name = await startNameServer(() => []);
    const clock = stopClock();
    const asking = askUdp(exchangeWith(name.server, { timeout: 120 }));
    await clock.pass(119);
    expect(await hasSettled(asking)).toBe(false);
    await clock.pass(1);
    expect(await asking).toEqual({ kind: 'failed', reason: 'no answer' });
  });

  test('strangers do not extend the time-out', async () => {
    // From the server itself, since the kernel drops what others send.
    await using name = await startNameServer(() => Array<Buffer>(10).fill(Buffer.alloc(30)));
    const clock = stopClock();
    const asking = askUdp(exchangeWith(name.server, { timeout: 100 }));
    await clock.pass(60);
    await clock.until(() => name.asked.length === 1);
    await settle();
    await clock.pass(40);
    expect(await asking).toEqual({ kind: 'failed', reason: 'no answer' });
  });

  test('it ends with its signal, before and after its start', async () => {
    await using name = await startNameServer(() => []);
    const controller = new AbortController();
    const waiting = askUdp(exchangeWith(name.server, { signal: controller.signal }));
    setTimeout(() => controller.abort(), 30);
    expect(await waiting).toEqual({ kind: 'failed', reason: 'not needed any more' });
    expect(await askUdp(exchangeWith(name.server, { signal: AbortSignal.abort() }))).toMatchObject({ kind: 'failed' });
  });

  test('sixteen strangers are too many, fifteen are not', async () => {
    const behave = (count: number) => async (question: Parameters<typeof replyTo>[0]) => [
      ...Array<Buffer>(count).fill(Buffer.alloc(40)),
      replyTo(question),
    ];
    await using patient = await startNameServer(behave(15));
    await using flooded = await startNameServer(behave(16));
    expect(await askUdp(exchangeWith(patient.server))).toMatchObject({ kind: 'response' });
    expect(await askUdp(exchangeWith(flooded.server))).toEqual({ kind: 'over-tcp' });
  });

  test.each([
    ['an address without a route', { address: 'fe80::1%nonexistent', port: 53 }],
    ['broadcast', { address: '255.255.255.255', port: 53 }],
    ['a port where nobody listens', { address: '127.0.0.1', port: 1 }],
  ])('%s is a failure with a reason', async (_, server) => {
    const result = await askUdp(exchangeWith(server, { timeout: 500 }));
    expect(result).toEqual({ kind: 'failed', reason: expect.stringMatching(/^(?:E[A-Z]+|no answer)$/) });
  });
});

describe('over TCP', () => {
  const serverOf = async (
    behave: (chunk: Buffer) => readonly Buffer[] | 'end' | 'reset',
  ): Promise<{ readonly server: NameServer } & AsyncDisposable> => {
    const listener = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (chunk) => {
        const bytes = behave(chunk);
        if (bytes === 'end') socket.end();
        else if (bytes === 'reset') socket.resetAndDestroy();
        else bytes.forEach((part, index) => void setTimeout(() => socket.destroyed || socket.write(part), index * 5));
      });
    });
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    return {
      server: { address: '127.0.0.1', port: (listener.address() as AddressInfo).port },
      [Symbol.asyncDispose]: async () => void listener.close(),
    };
  };
  const honest = frame(responsePacket({ ...repeated, records: [a('192.0.2.1')] }));

  test('the question has its length in front', async () => {
    let received: Buffer = Buffer.alloc(0);
    await using name = await serverOf((chunk) => ((received = chunk), [honest]));
    const exchange = exchangeWith(name.server);
    expect(await askTcp(exchange)).toMatchObject({
      kind: 'response',
      response: { records: [{ address: '192.0.2.1' }] },
    });
    expect(received).toEqual(frame(exchange.packet));
  });

  test('the answer may come byte by byte', async () => {
    await using name = await serverOf(() => Array.from(honest, (byte) => Buffer.of(byte)));
    expect(await askTcp(exchangeWith(name.server))).toMatchObject({ kind: 'response' });
  });

  test('the case of letters does not matter', async () => {
    await using name = await serverOf(() => [frame(responsePacket({ name: wireName('example.com') }))]);
    expect(await askTcp(exchangeWith(name.server))).toMatchObject({ kind: 'response' });
  });

  test.each([
    ['ends at once', () => 'end' as const, /ended without an answer/],
    ['is reset', () => 'reset' as const, /^ECONNRESET$/],
    ['ends in the middle of an answer', () => [honest.subarray(0, 9)], /^no answer$/],
    ['is silent', () => [], /^no answer$/],
    ['sends an empty message', () => [Buffer.of(0, 0)], /something else/],
    ['sends another id first', () => [frame(responsePacket({ ...repeated, id: 1 })), honest], /something else/],
    ['sends garbage', () => [frame(Buffer.alloc(50, 0xff))], /something else/],
    ['is cut even here', () => [frame(responsePacket({ ...repeated, flags: 0x8380 }))], /cut off/],
  ])('a server that %s has failed', async (_, behave, reason) => {
    await using name = await serverOf(behave);
    expect(await askTcp(exchangeWith(name.server, reason.test('no answer') ? { timeout: 150 } : {}))).toEqual({
      kind: 'failed',
      reason: expect.stringMatching(reason),
    });
  });

  test('no listener', async () => {
    expect(await askTcp(exchangeWith({ address: '127.0.0.1', port: 1 }))).toEqual({
      kind: 'failed',
      reason: 'ECONNREFUSED',
    });
  });

  test('it ends with its signal', async () => {
    await using name = await serverOf(() => []);
    const controller = new AbortController();
    const waiting = askTcp(exchangeWith(name.server, { signal: controller.signal }));
    setTimeout(() => controller.abort(), 30);
    expect(await waiting).toEqual({ kind: 'failed', reason: 'not needed any more' });
    expect(await askTcp(exchangeWith(name.server, { signal: AbortSignal.abort() }))).toMatchObject({ kind: 'failed' });
  });
});
