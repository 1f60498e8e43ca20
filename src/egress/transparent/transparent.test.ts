import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serve } from '../dial/testing/loopback.ts';
import type { LookupRecord } from '../dns/find.ts';
import { createNameTable, type NameTable } from '../dns/name-table.ts';
import { type Bench, bench, heard, pair } from '../pipeline/testing/pipeline.ts';
import { dialledBy, serveTransparent, type TransparentBox } from './transparent.ts';

interface Box extends Bench {
  readonly box: TransparentBox;
  readonly names: NameTable;
  readonly answered: LookupRecord[];
  /** A client whose connection was accepted at an address of the box's network. */
  dial(address: string, port: number): Promise<Socket>;
}

const resolver = '198.18.0.1';

function boxWith(policy: string): Box {
  const own = bench(policy);
  const names = createNameTable();
  const answered: LookupRecord[] = [];
  const box = serveTransparent({
    pipeline: own.context,
    names,
    resolver,
    recordLookup: (lookup) => void answered.push(lookup),
    lookups: { authority: own.context.authority, names, mode: { kind: 'fake' }, refusedNames: 'explain' },
  });
  const dial = async (address: string, port: number): Promise<Socket> => {
    const { client, accepted } = await pair();
    // Where a packet filter or an AnyIP route delivers it, the socket's own end is the destination.
    Object.defineProperties(accepted, { localAddress: { value: address }, localPort: { value: port } });
    box.accept(accepted);
    return client;
  };
  return { ...own, box, names, answered, dial };
}

const grant = (port: number): string => `[network]\nhosts = ["a.example:${port}", "127.0.0.1:${port}"]`;

describe('connections of a box', () => {
  test('go to the name behind the dialled address', async () => {
    const { port } = await serve((socket) => void socket.end('hello'));
    const { dial, names, connections, box } = boxWith(grant(port));
    const client = await dial(names.addressFor('a.example') ?? '', port);
    expect(await heard(client)).toBe('hello');
    await box.close();
    expect(connections).toMatchObject([
      { front: 'transparent', destination: { host: 'a.example', port }, address: '127.0.0.1', bytesReceived: 5 },
    ]);
  });

  test('to loopback are recorded as such', async () => {
    const { port } = await serve((socket) => void socket.end('hello'));
    const { dial, connections, box } = boxWith(`[network]\nhosts = ["localhost:${port}"]`);
    for (const address of ['127.0.0.1', '::ffff:127.0.0.1', '::1'])
      expect(await heard(await dial(address, port))).toBe('hello');
    await box.close();
    expect(connections.map(({ front }) => front)).toEqual(['loopback', 'loopback', 'loopback']);
  });

  test('to a literal address are judged as that address', async () => {
    const { dial, refusals, box } = boxWith(grant(443));
    expect(await heard(await dial('93.184.216.34', 22))).toBe('reset');
    await box.close();
    expect(refusals).toMatchObject([
      { code: 'policy', message: 'connecting to 93.184.216.34:22 is refused: nothing in the policy grants it' },
    ]);
  });

  // Attack: an address that was cached in an earlier session.
  test('to an address without a name are refused, reported and recorded once', async () => {
    const { dial, connections, refusals, lookups, box } = boxWith('[network]\nhosts = ["any"]');
    const client = await dial('198.19.7.7', 80);
    const said = heard(client);
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await said).toMatch(/^HTTP\/1\.1 403 [^]*198\.19\.7\.7 belongs to no name/u);
    await box.close();
    expect(connections).toEqual([
      {
        front: 'transparent',
        destination: { host: '198.19.7.7', port: 80 },
        refusal: expect.objectContaining({ code: 'special-address' }),
        bytesSent: 0,
        bytesReceived: 0,
        duration: 0,
      },
    ]);
    expect([refusals.length, lookups]).toEqual([1, []]);
  });

  test('that were reset before they were accepted cost nothing', async () => {
    const { box, connections } = boxWith('');
    const { accepted } = await pair();
    Object.defineProperties(accepted, { localAddress: { value: undefined } });
    box.accept(accepted);
    await box.close();
    expect([accepted.destroyed, connections]).toEqual([true, []]);
  });
});

describe('the resolver of a box', () => {
  const question = Buffer.concat([
    Buffer.from([0, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1]),
    Buffer.from('a'),
    Buffer.from([7]),
    Buffer.from('example'),
    Buffer.from([0, 0, 1, 0, 1]),
  ]);
  const framed = Buffer.concat([Buffer.from([0, question.length]), question]);

  async function withDns(policy: string): Promise<Box & { readonly port: number }> {
    const made = boxWith(policy);
    const socket = createSocket('udp4').bind(0, '127.0.0.1');
    await once(socket, 'listening');
    const { port } = socket.address();
    made.box.dns(socket);
    return { ...made, port };
  }

  test('answers over UDP with an address that leads to the name', async () => {
    const { port, names, box, answered } = await withDns('[network]\nhosts = ["a.example"]');
    const client = createSocket('udp4');
    onTestFinished(() => void client.close());
    client.send(question, port, '127.0.0.1');
    const [answer] = (await once(client, 'message')) as [Buffer];
    expect([...answer.subarray(-4)].join('.')).toBe(names.addressFor('a.example'));
    expect(answered).toMatchObject([{ name: 'a.example', type: 'A', verdict: { decision: 'allow' } }]);
    await box.close();
  });

  test('answers over TCP on the same address', async () => {
    const { dial, names, box, connections } = await withDns('[network]\nhosts = ["a.example"]');
    const client = await dial(resolver, 53);
    client.write(framed);
    const [answer] = (await once(client, 'data')) as [Buffer];
    expect([...answer.subarray(-4)].join('.')).toBe(names.addressFor('a.example'));
    client.end();
    await box.close();
    expect(connections).toEqual([]);
  });

  test('resets a client over TCP before it exists', async () => {
    const { dial, box } = boxWith('');
    expect(await heard(await dial(resolver, 53))).toBe('reset');
    await box.close();
  });

  test('answers nothing after the box', async () => {
    const { port, box, answered } = await withDns('');
    await box.close();
    const client = createSocket('udp4');
    onTestFinished(() => void client.close());
    const answers: Buffer[] = [];
    client.on('message', (answer) => answers.push(answer)).send(question, port, '127.0.0.1');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect([answers, answered]).toEqual([[], []]);
  });
});

describe('the end of a box', () => {
  test('ends every connection and waits for its record', async () => {
    const { port, accepted } = await serve((socket) => void socket.write('hello'));
    const { dial, names, connections, box } = boxWith(grant(port));
    const clients = await Promise.all([1, 2, 3].map(() => dial(names.addressFor('a.example') ?? '', port)));
    await Promise.all(clients.map((client) => once(client, 'data')));
    expect(connections).toEqual([]);
    await box.close();
    expect(connections).toHaveLength(3);
    await expect
      .poll(() => accepted.every((socket) => socket.readableEnded || socket.destroyed || socket.resume().readableEnded))
      .toBe(true);
  });

  test('does not wait for a dial', async () => {
    const never = Promise.withResolvers<never>();
    const own = bench('[network]\nhosts = ["a.example"]', {
      names: { 'a.example': ['93.184.216.34'] },
      dial: () => never.promise,
    });
    const names = createNameTable();
    const box = serveTransparent({
      pipeline: own.context,
      names,
      resolver,
      recordLookup: () => undefined,
      lookups: { authority: own.context.authority, names, mode: { kind: 'fake' }, refusedNames: 'explain' },
    });
    const { client, accepted } = await pair();
    Object.defineProperties(accepted, {
      localAddress: { value: names.addressFor('a.example') },
      localPort: { value: 80 },
    });
    box.accept(accepted);
    const said = heard(client);
    const closed = box.close();
    setTimeout(() => never.reject(new Error('given up')), 30);
    await closed;
    expect(await said).toMatch(/^(?:reset|)$/u);
    expect(own.connections).toHaveLength(1);
  });
});

// Attack: connections without end would take the supervisor's descriptors.
test('connections beyond the limit of a box are reset', async () => {
  const { box } = boxWith('');
  let resets = 0;
  const fake = {
    localAddress: undefined,
    destroy: () => undefined,
    resetAndDestroy: () => (resets += 1),
  } as unknown as Socket;
  for (let count = 0; count < 16_384; count += 1) box.accept(Object.create(fake) as Socket);
  expect(resets).toBe(0);
  box.accept(fake);
  expect(resets).toBe(1);
  await new Promise((resolve) => setImmediate(resolve));
  box.accept(fake);
  expect(resets).toBe(1);
  await box.close();
});

describe('dialledBy', () => {
  test('finds the name of a fake address, even as an IPv6 spelling', () => {
    const names = createNameTable();
    const address = names.addressFor('example.com') ?? '';
    const expected = { kind: 'destination', destination: { host: 'example.com', port: 443 } };
    expect(dialledBy(address, 443, { names, resolver })).toEqual(expected);
    expect(dialledBy(`::ffff:${address}`, 443, { names, resolver })).toEqual(expected);
  });

  // Attack: an address that was cached from an earlier session.
  test('refuses an address of the range that this session never gave out', () => {
    const other = createNameTable().addressFor('example.com') ?? '';
    const dialled = dialledBy(other, 443, { names: createNameTable(), resolver });
    expect(dialled).toMatchObject({
      kind: 'unknown',
      destination: { host: other, port: 443 },
      refusal: { code: 'special-address' },
    });
  });

  test('the resolver is one address and one port', () => {
    const names = createNameTable();
    expect(dialledBy(resolver, 53, { names, resolver })).toEqual({ kind: 'resolver' });
    expect(dialledBy(`::ffff:${resolver}`, 53, { names, resolver })).toEqual({ kind: 'resolver' });
    expect(dialledBy(resolver, 80, { names, resolver })).toMatchObject({ kind: 'unknown' });
    expect(dialledBy('8.8.8.8', 53, { names, resolver })).toEqual({
      kind: 'destination',
      destination: { host: '8.8.8.8', port: 53 },
    });
    expect(dialledBy('127.0.0.1', 53, { names, resolver: '127.0.0.1' })).toEqual({ kind: 'resolver' });
  });

  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::1', '::1'],
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['1.2.3.4', '1.2.3.4'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['2606:4700:0:0::1', '2606:4700::1'],
    ['169.254.169.254', '169.254.169.254'],
  ])('%s stays the same', (address, host) => {
    expect(dialledBy(address, 80, { names: createNameTable(), resolver })).toEqual({
      kind: 'destination',
      destination: { host, port: 80 },
    });
  });

  test('with real addresses it finds the name that was answered with them last', () => {
    const names = createNameTable();
    names.remember('a.example', ['1.2.3.4']);
    expect(dialledBy('1.2.3.4', 443, { names, resolver })).toEqual({
      kind: 'destination',
      destination: { host: 'a.example', port: 443 },
    });
  });
});
