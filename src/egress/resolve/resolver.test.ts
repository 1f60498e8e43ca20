import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { labels, responsePacket, recordBytes, wireName, words } from '../dns/testing/packets.ts';
import { grace } from './look-up.ts';
import type { NameServer } from './ask-udp.ts';
import { createResolver, type ResolverOptions } from './resolver.ts';
import { hasSettled, stopClock } from '../testing/stopped-clock.ts';
import { systemFiles } from './testing/files.ts';
import { a, aaaa, type Asked, type Behaviour, cname, onlyV4, replyTo, startNameServer } from './testing/name-server.ts';

const v6 = [0x2001, 0xdb8, 0, 0, 0, 0, 0, 1] as const;
const ok = { kind: 'resolved', addresses: ['192.0.2.1'] };
const nowhere = { hostsFile: '/nonexistent/hosts', resolvConf: '/nonexistent/resolv.conf' };

const resolverFor = (
  servers: readonly NameServer[],
  options: ResolverOptions = {},
): ReturnType<typeof createResolver> => createResolver({ ...nowhere, servers, budget: 20_000, ...options });

/** A port of the loopback where nobody listens. */
async function closedPort(): Promise<NameServer> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  return { address: '127.0.0.1', port };
}

const pause = async (milliseconds: number): Promise<void> =>
  await new Promise((resolve) => void setTimeout(resolve, milliseconds));

describe('a name', () => {
  test('is queried once as A and once as AAAA', async () => {
    await using name = await startNameServer((asked) => [
      replyTo(asked, { records: [asked.type === 'A' ? a('192.0.2.1') : aaaa(v6)] }),
    ]);
    expect(await resolverFor([name.server]).resolve('Example.COM.')).toEqual({
      kind: 'resolved',
      aliases: [],
      addresses: ['192.0.2.1', '2001:db8::1'],
    });
    expect(name.asked.map(({ type, name: asked, transport }) => `${transport} ${type} ${asked}`).sort()).toEqual([
      'udp A example.com',
      'udp AAAA example.com',
    ]);
  });

  test('is queried with a new id, source port and case of letters every time', async () => {
    await using name = await startNameServer(onlyV4(a('192.0.2.1', { ttl: 0 })));
    const resolver = resolverFor([name.server]);
    for (let turn = 0; turn < 20; turn += 1) await resolver.resolve('a-rather-long-name.example.com');
    expect(name.asked).toHaveLength(40);
    const distinct = (of: (asked: Asked) => unknown): number => new Set(name.asked.map(of)).size;
    expect(distinct(({ query }) => query.header.id)).toBeGreaterThan(35);
    expect(distinct(({ from }) => from)).toBeGreaterThan(30);
    expect(distinct(({ packet }) => packet.subarray(12).toString('latin1'))).toBeGreaterThan(35);
    expect(name.asked.every(({ query }) => query.header.recursionDesired && query.edns === undefined)).toBe(true);
  });

  test('comes with the names of its aliases', async () => {
    await using name = await startNameServer(
      onlyV4(
        cname('CDN.test'),
        cname('edge.cdn.test', { owner: 'cdn.test' }),
        a('192.0.2.1', { owner: 'edge.cdn.test' }),
      ),
    );
    expect(await resolverFor([name.server]).resolve('www.example.com')).toEqual({
      kind: 'resolved',
      aliases: ['cdn.test', 'edge.cdn.test'],
      addresses: ['192.0.2.1'],
    });
  });

  test('may have only IPv6 addresses', async () => {
    await using name = await startNameServer((asked) => [
      replyTo(asked, asked.type === 'AAAA' ? { records: [aaaa(v6)] } : {}),
    ]);
    expect(await resolverFor([name.server]).resolve('six.test')).toMatchObject({ addresses: ['2001:db8::1'] });
  });

  test('that is private is resolved too: vetting is done elsewhere', async () => {
    await using name = await startNameServer(onlyV4(a('127.0.0.1'), a('169.254.169.254')));
    expect(await resolverFor([name.server]).resolve('rebind.test')).toMatchObject({
      addresses: ['127.0.0.1', '169.254.169.254'],
    });
  });

  test('with very many addresses gives sixteen', async () => {
    await using name = await startNameServer(
      onlyV4(...Array.from({ length: 25 }, (_, index) => a(`192.0.2.${index}`))),
    );
    expect(await resolverFor([name.server]).resolve('many.test')).toMatchObject({ addresses: { length: 16 } });
  });

  test('may be queried from a server with an IPv6 address', async () => {
    await using name = await startNameServer(onlyV4(a('192.0.2.1')), '::1');
    expect(await resolverFor([name.server]).resolve('a.test')).toMatchObject(ok);
    expect(await resolverFor([{ ...name.server, address: '::1%lo' }]).resolve('a.test')).toMatchObject(ok);
  });
});

describe('no server is queried for', () => {
  test.each([
    ['127.0.0.1', ['127.0.0.1']],
    ['0x7f.1', ['127.0.0.1']],
    ['[::ffff:10.0.0.1]', ['10.0.0.1']],
    ['2001:DB8::1', ['2001:db8::1']],
    ['localhost', ['127.0.0.1', '::1']],
    ['a.localhost.', ['127.0.0.1', '::1']],
  ])('%s', async (host, addresses) => {
    await using name = await startNameServer(onlyV4(a('192.0.2.1')));
    expect(await resolverFor([name.server]).resolve(host)).toEqual({ kind: 'resolved', aliases: [], addresses });
    expect(name.asked).toEqual([]);
  });

  test.each([
    ['', 'malformed-host'],
    ['a b', 'malformed-host'],
    ['a\0.test', 'malformed-host'],
    ['256.1.1.1', 'malformed-host'],
    [`${'a.'.repeat(130)}test`, 'malformed-host'],
    ['x.invalid', 'name-not-found'],
    ['abc.onion', 'name-not-found'],
  ])('%j', async (host, code) => {
    await using name = await startNameServer(onlyV4(a('192.0.2.1')));
    expect(await resolverFor([name.server]).resolve(host)).toMatchObject({ kind: 'refused', refusal: { code } });
    expect(name.asked).toEqual([]);
  });
});

describe('a missing name', () => {
  test('does not exist', async () => {
    await using name = await startNameServer((asked) => [replyTo(asked, { rcode: 3 })]);
    expect(await resolverFor([name.server]).resolve('nope.test')).toEqual({
      kind: 'refused',
      refusal: { code: 'name-not-found', message: 'nope.test does not exist', remedy: expect.any(String) },
    });
  });

  test('has no address', async () => {
    await using name = await startNameServer((asked) => [
      replyTo(asked, { records: [recordBytes({ type: 16, data: Buffer.of(1, 65) })] }),
    ]);
    expect(await resolverFor([name.server]).resolve('text.test')).toMatchObject({
      refusal: { code: 'name-not-found', message: expect.stringMatching(/no address/) },
    });
  });

  test('is remembered as missing for five seconds', async () => {
    let time = 0;
    await using name = await startNameServer((asked) => [replyTo(asked, { rcode: 3 })]);
    const resolver = resolverFor([name.server], { now: () => time });
    await resolver.resolve('nope.test');
    time = 4999;
    await resolver.resolve('nope.test');
    expect(name.asked).toHaveLength(2);
    time = 5000;
    await resolver.resolve('nope.test');
    expect(name.asked).toHaveLength(4);
  });
});

describe('servers', () => {
  test.each([
    ['SERVFAIL', 2],
    ['REFUSED', 5],
    ['NOTIMP', 4],
    ['FORMERR', 1],
  ])('that answer %s are followed by the next', async (word, rcode) => {
    await using broken = await startNameServer((asked) => [replyTo(asked, { rcode })]);
    await using good = await startNameServer(onlyV4(a('192.0.2.1')));
    expect(await resolverFor([broken.server, good.server]).resolve('a.test')).toMatchObject(ok);
    expect(broken.asked).toHaveLength(2);
    expect(await resolverFor([broken.server]).resolve('b.test')).toMatchObject({
      refusal: { code: 'resolver-failed', message: `b.test could not be looked up (127.0.0.1: ${word})` },
    });
    expect(broken.asked).toHaveLength(6);
  });

  test('that reject the query may omit the question', async () => {
    await using broken = await startNameServer(({ query }) => [
      responsePacket({ id: query.header.id, rcode: 1, counts: [0, 0, 0, 0] }).subarray(0, 12),
    ]);
    stopClock();
    expect(await resolverFor([broken.server]).resolve('a.test')).toMatchObject({
      refusal: { message: expect.stringMatching(/FORMERR/) },
    });
  });

  test('that are down are skipped at once', async () => {
    const down = await closedPort();
    await using good = await startNameServer(onlyV4(a('192.0.2.1')));
    stopClock();
    expect(await resolverFor([down, good.server]).resolve('a.test')).toMatchObject(ok);
    expect(await resolverFor([down]).resolve('b.test')).toMatchObject({
      refusal: {
        code: 'resolver-failed',
        message: expect.stringMatching(/127\.0\.0\.1: ECONNREFUSED/),
        remedy: expect.stringMatching(/resolv\.conf/),
      },
    });
  });

  test('that cannot be reached cause no exception', async () => {
    const resolver = resolverFor(
      [
        { address: 'fe80::1%nonexistent', port: 53 },
        { address: '255.255.255.255', port: 53 },
      ],
      { budget: 500 },
    );
    expect(await resolver.resolve('a.test')).toMatchObject({ refusal: { code: 'resolver-failed' } });
  });

  test('that are silent share the time with the others', async () => {
    await using silent = await startNameServer(() => []);
    await using good = await startNameServer(onlyV4(a('192.0.2.1')));
    const clock = stopClock();
    const resolving = resolverFor([silent.server, good.server], { budget: 2000 }).resolve('a.test');
    await clock.until(() => silent.asked.length === 2);
    await clock.pass(1000);
    expect(await resolving).toMatchObject(ok);
  });

  test('that are all silent end the look-up in time, after the configured attempts', async () => {
    using files = systemFiles({ resolvConf: 'options attempts:3' });
    await using silent = await startNameServer(() => []);
    const clock = stopClock();
    const resolving = resolverFor([silent.server], { ...files, budget: 600 }).resolve('a.test');
    for (const asked of [2, 4, 6]) {
      await clock.until(() => silent.asked.length === asked);
      expect(await hasSettled(resolving)).toBe(false);
      await clock.pass(200);
    }
    expect(await resolving).toMatchObject({
      refusal: { code: 'resolver-failed', message: 'a.test could not be looked up (127.0.0.1: no answer)' },
    });
    expect(silent.asked).toHaveLength(6);
  });

  test('that never answer for AAAA cause only a short delay, and are queried again soon', async () => {
    let time = 0;
    await using name = await startNameServer((asked) =>
      asked.type === 'A' ? [replyTo(asked, { records: [a('192.0.2.1', { ttl: 300 })] })] : [],
    );
    using files = systemFiles({ resolvConf: 'options timeout:30 attempts:1' });
    const resolver = resolverFor([name.server], { ...files, budget: 600_000, now: () => time });
    const started = performance.now();
    expect(await resolver.resolve('a.test')).toMatchObject(ok);
    // Between half a second and the thirty of a server that is waited for.
    expect(performance.now() - started).toBeLessThan(20 * grace);
    time = 4999;
    expect(await resolver.resolve('a.test')).toMatchObject(ok);
    expect(name.asked.filter(({ type }) => type === 'A')).toHaveLength(1);
    time = 5001;
    await resolver.resolve('a.test');
    expect(name.asked.filter(({ type }) => type === 'A')).toHaveLength(2);
  });

  test('that fail for AAAA do not spoil A', async () => {
    await using name = await startNameServer((asked) => [
      replyTo(asked, asked.type === 'A' ? { records: [a('192.0.2.1')] } : { rcode: 2 }),
    ]);
    expect(await resolverFor([name.server]).resolve('a.test')).toMatchObject(ok);
  });

  test('that truncate their answer are queried over TCP', async () => {
    const many = Array.from({ length: 12 }, (_, index) => a(`192.0.2.${index}`));
    await using name = await startNameServer((asked) => [
      replyTo(
        asked,
        asked.transport === 'udp'
          ? { flags: 0x8380, records: many.slice(0, 3) }
          : { records: asked.type === 'A' ? many : [] },
      ),
    ]);
    expect(await resolverFor([name.server]).resolve('a.test')).toMatchObject({ addresses: { length: 12 } });
    expect(name.asked.map(({ transport }) => transport).sort()).toEqual(['tcp', 'tcp', 'udp', 'udp']);
  });

  test('that change the case of letters are queried over TCP, and trusted there', async () => {
    await using name = await startNameServer((asked) => {
      const lower = { ...asked, packet: Buffer.from(asked.packet.toString('latin1').toLowerCase(), 'latin1') };
      return [
        replyTo(lower, {
          records: asked.type === 'A' ? [a(asked.transport === 'tcp' ? '192.0.2.1' : '192.0.2.66')] : [],
        }),
      ];
    });
    expect(await resolverFor([name.server]).resolve('a-rather-long-name-with-many-letters.test')).toMatchObject(ok);
  });

  test('change with resolv.conf, and old answers are forgotten', async () => {
    using files = systemFiles({ resolvConf: 'nameserver 192.0.2.53' });
    await using name = await startNameServer(onlyV4(a('192.0.2.1')));
    const resolver = resolverFor([name.server], files);
    await resolver.resolve('a.test');
    await resolver.resolve('a.test');
    expect(name.asked).toHaveLength(2);
    files.replace('resolv.conf', 'nameserver 192.0.2.54');
    await resolver.resolve('a.test');
    expect(name.asked).toHaveLength(4);
  });
});

describe('hostile answers', () => {
  const evil = { records: [a('192.0.2.66')] };
  /** Sends something else first and the honest answer after it. */
  const after =
    (first: (asked: Asked) => readonly Buffer[]): Behaviour =>
    (asked) => [...first(asked), replyTo(asked, asked.type === 'A' ? { records: [a('192.0.2.1')] } : {})];
  const otherId = ({ query, ...asked }: Asked): Buffer =>
    replyTo({ ...asked, query: { ...query, header: { ...query.header, id: query.header.id ^ 1 } } }, evil);

  test.each([
    ['another id', (asked: Asked) => [otherId(asked)]],
    [
      'another name',
      ({ query }: Asked) => [responsePacket({ id: query.header.id, name: wireName('evil.test'), ...evil })],
    ],
    [
      'a longer name',
      ({ query }: Asked) => [responsePacket({ id: query.header.id, name: wireName('a.test.evil.test'), ...evil })],
    ],
    [
      'another type',
      ({ query, packet }: Asked) => [
        responsePacket({ id: query.header.id, name: packet.subarray(12, -4), type: 16, ...evil }),
      ],
    ],
    [
      'another class',
      ({ query, packet }: Asked) => [
        responsePacket({
          id: query.header.id,
          name: packet.subarray(12, -4),
          type: query.question.type,
          class: 3,
          ...evil,
        }),
      ],
    ],
    ['no question', ({ query }: Asked) => [responsePacket({ id: query.header.id, counts: [0, 1, 0, 0] })]],
    ['a query', ({ packet }: Asked) => [packet]],
    ['nothing', () => [Buffer.alloc(0)]],
    ['garbage', () => [Buffer.alloc(100, 0xff)]],
    ['half an answer', (asked: Asked) => [replyTo(asked, evil).subarray(0, -2)]],
    [
      'a record that loops',
      (asked: Asked) => [
        replyTo(asked, { records: [recordBytes({ type: 5, data: words(0xc000 | (asked.packet.length + 12)) })] }),
      ],
    ],
    [
      'more records announced than present',
      (asked: Asked) => [replyTo(asked, { records: [...evil.records, Buffer.of(0xc0)] })],
    ],
    ['all of it ten times', (asked: Asked) => Array<Buffer>(10).fill(otherId(asked))],
  ])('%s: it waits for the right one', async (_, first) => {
    await using name = await startNameServer(after(first));
    expect(await resolverFor([name.server]).resolve('a.test')).toMatchObject(ok);
  });

  test('so many that they look like a guessing attack: the query moves to TCP', async () => {
    await using name = await startNameServer((asked) =>
      asked.transport === 'udp'
        ? Array<Buffer>(40).fill(otherId(asked))
        : [replyTo(asked, asked.type === 'A' ? { records: [a('192.0.2.1')] } : {})],
    );
    expect(await resolverFor([name.server]).resolve('a.test')).toMatchObject(ok);
    expect(name.asked.filter(({ transport }) => transport === 'tcp')).toHaveLength(2);
  });

  test('from another port are dropped', async () => {
    const forger = createSocket('udp4').bind(0, '127.0.0.1');
    await once(forger, 'listening');
    await using name = await startNameServer(async (asked) => {
      forger.send(replyTo(asked, evil), asked.from, '127.0.0.1');
      await pause(50);
      return [replyTo(asked, asked.type === 'A' ? { records: [a('192.0.2.1')] } : {})];
    });
    expect(await resolverFor([name.server]).resolve('a.test')).toMatchObject(ok);
    forger.close();
  });

  test('about other names are ignored', async () => {
    await using name = await startNameServer(onlyV4(a('192.0.2.66', { owner: 'bank.test' }), a('192.0.2.1')));
    const resolver = resolverFor([name.server]);
    expect(await resolver.resolve('a.test')).toMatchObject(ok);
    await resolver.resolve('bank.test');
    expect(name.asked.map(({ name: asked }) => asked)).toContain('bank.test');
  });

  test.each([
    ['a circle', [cname('b.test'), cname('a.test', { owner: 'b.test' }), a('192.0.2.66')], /circle/],
    ['itself', [cname('a.test')], /circle/],
    ['two aliases', [cname('b.test'), cname('c.test'), a('192.0.2.66', { owner: 'b.test' })], /several/],
    [
      'seventeen aliases',
      Array.from({ length: 17 }, (_, index) =>
        cname(`n${index + 1}.test`, { owner: index === 0 ? 'a.test' : `n${index}.test` }),
      ),
      /16/,
    ],
    ['an alias that is an address', [cname('127.0.0.1'), a('192.0.2.66', { owner: '127.0.0.1' })], /no host/],
    [
      'an alias with a dot in a label',
      [recordBytes({ type: 5, data: labels('metadata.google', 'internal') })],
      /no host/,
    ],
  ])('%s: no record of it is used', async (_, records, message) => {
    await using name = await startNameServer(onlyV4(...records));
    await using other = await startNameServer(onlyV4(a('192.0.2.66')));
    expect(await resolverFor([name.server, other.server]).resolve('a.test')).toMatchObject({
      kind: 'refused',
      refusal: { code: 'resolver-failed', message: expect.stringMatching(message) },
    });
    expect(other.asked).toEqual([]);
  });

  test.each([
    ['is truncated again', (asked: Asked) => [replyTo(asked, { flags: 0x8380 })]],
    ['has another id', (asked: Asked) => [otherId(asked)]],
    ['is garbage', () => [Buffer.alloc(60, 7)]],
    ['never comes', () => []],
  ])('an answer over TCP that %s: the look-up fails in time', async (_, overTcp) => {
    await using name = await startNameServer((asked) =>
      asked.transport === 'udp' ? [replyTo(asked, { flags: 0x8380 })] : overTcp(asked),
    );
    // Without the budget a server that is silent would be waited for until long after the test has failed.
    using files = systemFiles({ resolvConf: 'options timeout:30 attempts:5' });
    expect(await resolverFor([name.server], { ...files, budget: 400 }).resolve('a.test')).toMatchObject({
      refusal: { code: 'resolver-failed' },
    });
  });

  test('any bytes over UDP and TCP give a resolution or a refusal', async () => {
    let bytes = Buffer.alloc(0);
    await using name = await startNameServer((asked) => {
      const reply =
        asked.transport === 'udp' ? replyTo(asked, { flags: 0x8380 }) : replyTo(asked, { records: [a('192.0.2.1')] });
      bytes.copy(reply, Math.min(reply.length, 2 + ((bytes[0] ?? 0) % 40)));
      return [reply];
    });
    const resolver = resolverFor([name.server], { budget: 60 });
    let turn = 0;
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 30 }), async (noise) => {
        bytes = Buffer.from(noise);
        turn += 1;
        expect(['resolved', 'refused']).toContain((await resolver.resolve(`n${turn}.test`)).kind);
      }),
      { numRuns: 25 },
    );
  });
});

describe('answers are cached', () => {
  test('for the shortest lifetime of their records, aliases included', async () => {
    let time = 0;
    await using name = await startNameServer(
      onlyV4(cname('b.test', { ttl: 10 }), a('192.0.2.1', { owner: 'b.test', ttl: 50 })),
    );
    const resolver = resolverFor([name.server], { now: () => time });
    await resolver.resolve('a.test');
    time = 9999;
    await resolver.resolve('A.test.');
    expect(name.asked).toHaveLength(2);
    time = 10_000;
    await resolver.resolve('a.test');
    expect(name.asked).toHaveLength(4);
  });

  test('for a minute at most', async () => {
    let time = 0;
    await using name = await startNameServer(onlyV4(a('192.0.2.1', { ttl: 86_400 })));
    const resolver = resolverFor([name.server], { now: () => time });
    await resolver.resolve('a.test');
    time = 60_000;
    await resolver.resolve('a.test');
    expect(name.asked).toHaveLength(4);
  });

  test('not at all with a lifetime of zero, or after a failure', async () => {
    let rcode = 2;
    await using name = await startNameServer((asked) => [
      replyTo(asked, { rcode, records: asked.type === 'A' && rcode === 0 ? [a('192.0.2.1', { ttl: 0 })] : [] }),
    ]);
    const resolver = resolverFor([name.server], { now: () => 0 });
    expect(await resolver.resolve('a.test')).toMatchObject({ kind: 'refused' });
    rcode = 0;
    expect(await resolver.resolve('a.test')).toMatchObject(ok);
    const before = name.asked.length;
    await resolver.resolve('a.test');
    expect(name.asked).toHaveLength(before + 2);
  });
});

describe('look-ups at the same time', () => {
  test('of one name are a single one', async () => {
    await using name = await startNameServer(async (asked) => {
      await pause(50);
      return [replyTo(asked, asked.type === 'A' ? { records: [a('192.0.2.1', { ttl: 0 })] } : {})];
    });
    const resolver = resolverFor([name.server]);
    const all = await Promise.all(
      Array.from({ length: 30 }, (_, index) => resolver.resolve(index % 2 === 0 ? 'a.test' : 'A.TEST.')),
    );
    expect(all.every(({ kind }) => kind === 'resolved')).toBe(true);
    expect(name.asked).toHaveLength(2);
  });

  test('may be cancelled one by one', async () => {
    const held = Promise.withResolvers<void>();
    await using name = await startNameServer(async (asked) => {
      await held.promise;
      return [replyTo(asked, asked.type === 'A' ? { records: [a('192.0.2.1')] } : {})];
    });
    const resolver = resolverFor([name.server]);
    const controller = new AbortController();
    const given = resolver.resolve('a.test', controller.signal);
    const kept = resolver.resolve('a.test');
    await expect.poll(() => name.asked.length).toBe(2);
    controller.abort();
    expect(await given).toMatchObject({
      kind: 'refused',
      refusal: { code: 'resolver-failed', message: expect.stringMatching(/given up/) },
    });
    held.resolve();
    expect(await kept).toMatchObject(ok);
  });

  test('are bounded', async () => {
    await using name = await startNameServer(() => []);
    const resolver = resolverFor([name.server], { mostLookUps: 2, budget: 300 });
    const running = [resolver.resolve('a.test'), resolver.resolve('b.test')];
    expect(await resolver.resolve('c.test')).toMatchObject({ refusal: { code: 'overloaded' } });
    await Promise.all(running);
  });

  test('of 200 names leave no socket and no timer behind', async () => {
    await using name = await startNameServer(onlyV4(a('192.0.2.1')));
    const resolver = resolverFor([name.server]);
    const before = process.getActiveResourcesInfo().length;
    const all = await Promise.all(Array.from({ length: 200 }, (_, index) => resolver.resolve(`n${index}.test`)));
    expect(all.filter(({ kind }) => kind === 'resolved')).toHaveLength(200);
    await expect.poll(() => process.getActiveResourcesInfo().length).toBeLessThanOrEqual(before + 2);
  });
});

describe('the hosts file', () => {
  test('comes first, and is read again when it changes', async () => {
    using files = systemFiles({ hosts: '10.0.0.5 db.test\n::1 db.test' });
    await using name = await startNameServer(onlyV4(a('192.0.2.1')));
    const resolver = createResolver({ ...files, servers: [name.server] });
    expect(await resolver.resolve('DB.test')).toEqual({
      kind: 'resolved',
      aliases: [],
      addresses: ['10.0.0.5', '::1'],
    });
    expect(name.asked).toEqual([]);
    files.replace('hosts', '10.0.0.6 db.test');
    expect(await resolver.resolve('db.test')).toMatchObject({ addresses: ['10.0.0.6'] });
    files.remove('hosts');
    expect(await resolver.resolve('db.test')).toMatchObject(ok);
  });

  test('may list more addresses than are used', async () => {
    using files = systemFiles({
      hosts: Array.from({ length: 30 }, (_, index) => `10.0.0.${index} many.test`).join('\n'),
    });
    expect(await createResolver({ ...files, servers: [] }).resolve('many.test')).toMatchObject({
      addresses: { length: 16 },
    });
  });

  test('does not redefine localhost', async () => {
    using files = systemFiles({ hosts: '192.0.2.66 localhost' });
    expect(await createResolver({ ...files, servers: [] }).resolve('localhost')).toMatchObject({
      addresses: ['127.0.0.1', '::1'],
    });
  });

  test('is that of the host by default', async () => {
    expect(await createResolver().resolve('localhost')).toMatchObject({ kind: 'resolved' });
  });
});

test('ignores the search list: the judged name is the queried name', async () => {
  using files = systemFiles({ resolvConf: 'search evil.test\ndomain evil.test\noptions ndots:5' });
  await using name = await startNameServer((asked) => [replyTo(asked, { rcode: 3 })]);
  const resolver = createResolver({ ...files, servers: [name.server] });
  await resolver.resolve('intranet');
  await resolver.resolve('a.b');
  expect(new Set(name.asked.map(({ name: asked }) => asked))).toEqual(new Set(['intranet', 'a.b']));
});
