import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Resolution, Refused } from '../types.ts';
import { answerQuery, failureReply } from './serve.ts';
import type { AnswerContext } from './name-table.ts';
import { decodeResponse } from './message.ts';
import type { LookupRecord } from './find.ts';
import { contextWith } from './testing/context.ts';
import { labels, optRecord, type QueryParts, queryPacket, wireName, words } from './testing/packets.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const codes: Readonly<Record<string, number>> = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  NULL: 10,
  PTR: 12,
  HINFO: 13,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  DS: 43,
  SVCB: 64,
  HTTPS: 65,
  AXFR: 252,
  ANY: 255,
  TYPE999: 999,
};

interface Seen {
  readonly rcode: number;
  readonly answers: number;
  readonly addresses: readonly string[];
  readonly record: LookupRecord;
}

async function ask(context: AnswerContext, query: string | QueryParts): Promise<Seen> {
  const [type = 'A', name = ''] = typeof query === 'string' ? query.split(' ') : [];
  const packet = queryPacket(typeof query === 'string' ? { name: wireName(name), type: codes[type] ?? 0 } : query);
  const answer = await answerQuery(packet, 'udp', context);
  if (answer.kind === 'dropped') throw new Error('dropped');
  const reply = Buffer.from(answer.reply);
  const addresses = (decodeResponse(reply)?.records ?? []).flatMap((record) =>
    record.kind === 'address' ? [record.address] : [],
  );
  return { rcode: reply.readUInt16BE(2) & 0xf, answers: reply.readUInt16BE(6), addresses, record: answer.record };
}

describe('with fake addresses', () => {
  test('an allowed name has one of its own', async () => {
    const context = contextWith();
    expect(await ask(context, 'A example.com')).toMatchObject({
      rcode: 0,
      addresses: ['198.18.0.2'],
      record: { name: 'example.com', type: 'A', outcome: 'answered', verdict: { decision: 'allow' } },
    });
    expect(await ask(context, 'A a.example.org')).toMatchObject({ addresses: ['198.18.0.3'] });
    expect(await ask(context, 'A EXAMPLE.com')).toMatchObject({
      addresses: ['198.18.0.2'],
      record: { name: 'example.com' },
    });
    expect(context.names.namesOf('198.18.0.3')).toEqual(['a.example.org']);
  });

  test.each([
    'AAAA',
    'HTTPS',
    'SVCB',
    'TXT',
    'MX',
    'NULL',
    'ANY',
    'CNAME',
    'NS',
    'SOA',
    'SRV',
    'DS',
    'AXFR',
    'HINFO',
    'PTR',
    'TYPE999',
  ])('an allowed name has no %s', async (type) => {
    const context = contextWith();
    expect(await ask(context, `${type} example.com`)).toMatchObject({
      rcode: 0,
      answers: 0,
      record: { type, outcome: 'no-data', verdict: { decision: 'allow' } },
    });
    expect(context.asked).toEqual([`${type} example.com`]);
    expect(context.names.standingOf('example.com')).toBeUndefined();
  });

  test.each(['A', 'AAAA', 'HTTPS', 'TXT', 'MX', 'NULL', 'ANY'])('a refused name does not exist: %s', async (type) => {
    const context = contextWith();
    expect(await ask(context, `${type} secret.evil.test`)).toMatchObject({
      rcode: 3,
      answers: 0,
      record: { outcome: 'refused', verdict: { decision: 'deny', code: 'not-granted' } },
    });
    expect(context.names.standingOf('secret.evil.test')).toBeUndefined();
  });

  test('denied, asking and audited names', async () => {
    expect(await ask(contextWith(), 'A bad.example.org')).toMatchObject({
      rcode: 3,
      record: { outcome: 'refused', verdict: { code: 'deny-set' } },
    });
    expect(await ask(contextWith(), 'A slow.example.org')).toMatchObject({
      rcode: 3,
      record: { outcome: 'refused', verdict: { decision: 'ask', rule: 'ask-first' } },
    });
    expect(await ask(contextWith(), 'A noted.example.org')).toMatchObject({
      rcode: 0,
      record: { outcome: 'answered', verdict: { decision: 'audit' } },
    });
  });

  test.each(['fake', 'real'] as const)(
    'an asking name has its own address, and stays unknown outside: %s',
    async (kind) => {
      const base = contextWith();
      const decide = (): ReturnType<typeof base.authority.decide> => ({
        decision: 'redirect',
        code: 'granted',
        rule: 'ask-db',
        layer: 'user',
        file: 'policy.toml',
        line: 3,
        message: 'm',
        remedy: 'r',
        redirectTo: 'an address of the session',
      });
      const mode: AnswerContext['mode'] =
        kind === 'fake'
          ? { kind }
          : {
              kind,
              resolver: { resolve: () => Promise.reject(new Error('it was looked up')) },
              vet: (_, found) => found,
            };
      const context = { ...base, authority: { ...base.authority, decide }, mode };
      expect(await ask(context, 'A secret.db.example')).toMatchObject({
        rcode: 0,
        addresses: ['198.18.0.2'],
        record: { outcome: 'answered', verdict: { rule: 'ask-db' } },
      });
      expect(context.names.namesOf('198.18.0.2')).toEqual(['secret.db.example']);
      for (const type of ['AAAA', 'TXT', 'MX', 'ANY'])
        expect(await ask(context, `${type} secret.db.example`)).toMatchObject({
          rcode: 0,
          answers: 0,
          record: { outcome: 'no-data' },
        });
    },
  );

  test('an exhausted table fails the look-up', async () => {
    const context = contextWith({ names: { ...contextWith().names, addressFor: () => undefined } });
    expect(await ask(context, 'A example.com')).toMatchObject({ rcode: 2, answers: 0, record: { outcome: 'failed' } });
  });

  test('a reverse look-up finds the name, without asking the policy', async () => {
    const context = contextWith();
    await ask(context, 'A example.com');
    context.asked.length = 0;
    const packet = queryPacket({ name: wireName('2.0.18.198.in-addr.arpa'), type: 12 });
    const answer = await answerQuery(packet, 'udp', context);
    expect(Buffer.from(answer.kind === 'answered' ? answer.reply : []).includes(wireName('example.com'))).toBe(true);
    expect(await ask(context, 'PTR 3.0.18.198.in-addr.arpa')).toMatchObject({
      rcode: 3,
      record: { outcome: 'no-such-name' },
    });
    expect(await ask(context, 'PTR 1.0.18.198.in-addr.arpa')).toMatchObject({ rcode: 3 });
    expect(await ask(context, 'PTR 8.8.8.8.in-addr.arpa')).toMatchObject({ rcode: 3 });
    expect(await ask(context, 'PTR 1.0.0.127.in-addr.arpa')).toMatchObject({ rcode: 0, answers: 1 });
    expect(await ask(context, `PTR 1.${'0.'.repeat(31)}ip6.arpa`)).toMatchObject({ rcode: 0, answers: 1 });
    expect(context.asked).toEqual([]);
  });
});

describe('refused names that explain themselves', () => {
  test('have an address of their own', async () => {
    const context = contextWith({ refusedNames: 'explain' });
    expect(await ask(context, 'A evil.test')).toMatchObject({
      rcode: 0,
      addresses: ['198.18.0.2'],
      record: { outcome: 'explained', verdict: { decision: 'deny' } },
    });
    expect(context.names.standingOf('evil.test')).toBe('refused');
    expect(context.names.namesOf('198.18.0.2')).toEqual(['evil.test']);
  });

  test.each(['AAAA', 'TXT', 'HTTPS'])('have no %s', async (type) => {
    expect(await ask(contextWith({ refusedNames: 'explain' }), `${type} evil.test`)).toMatchObject({
      rcode: 0,
      answers: 0,
      record: { outcome: 'refused' },
    });
  });

  test('do not exist when there is no address for them', async () => {
    const context = contextWith({
      refusedNames: 'explain',
      names: { ...contextWith().names, addressFor: () => undefined },
    });
    expect(await ask(context, 'A evil.test')).toMatchObject({ rcode: 3, record: { outcome: 'refused' } });
  });
});

describe('without asking the policy', () => {
  test.each([
    ['A localhost', ['127.0.0.1']],
    ['AAAA localhost', ['::1']],
    ['A x.y.LOCALHOST', ['127.0.0.1']],
    ['TXT localhost', []],
  ])('%s is the loopback of the box', async (query, addresses) => {
    const context = contextWith();
    expect(await ask(context, query)).toMatchObject({ rcode: 0, addresses });
    expect(context.asked).toEqual([]);
  });

  test.each([
    ['a dot in a label', labels('example.com')],
    ['a NUL', labels('example', 'com\0')],
    ['a line break', labels('example\n', 'com')],
    ['UTF-8', labels(Buffer.from('bücher'), 'de')],
    ['a wildcard', labels('*', 'example', 'org')],
    ['an address', labels('127', '0', '0', '1')],
    ['an address in one label', labels('127.0.0.1')],
    ['a hexadecimal address', labels('0x7f000001')],
    ['the root', labels()],
    ['base64', labels('c2VjcmV0+/==', 'example', 'org')],
  ])('%s is not a name', async (_, name) => {
    const context = contextWith({ refusedNames: 'explain' });
    expect(await ask(context, { name })).toMatchObject({
      rcode: 3,
      answers: 0,
      record: { outcome: 'no-such-name', name: expect.stringMatching(/^[\x21-\x7e]*$/) },
    });
    expect(context.asked).toEqual([]);
  });

  test.each([
    ['another class', { class: 3 }, 5],
    ['any class', { class: 255 }, 5],
    ['another opcode', { flags: 0x2800 }, 4],
    ['two questions', { counts: [2, 0, 0, 0] }, 1],
    ['another version of EDNS', { counts: [1, 0, 0, 1], tail: optRecord({ version: 1 }) }, 0],
    ['a name of 300 bytes', { name: labels(...Array<string>(6).fill('a'.repeat(50))) }, 1],
    ['a label of 64 bytes', { name: Buffer.concat([Buffer.of(64), Buffer.alloc(64, 97), Buffer.of(0)]) }, 1],
    ['a loop', { name: words(0xc00c) }, 1],
  ] satisfies readonly [string, QueryParts, number][])('%s is malformed', async (_, query, rcode) => {
    const context = contextWith();
    expect(await ask(context, query)).toMatchObject({ rcode, answers: 0, record: { outcome: 'malformed' } });
    expect(context.asked).toEqual([]);
  });

  test('responses and scraps are dropped', async () => {
    for (const packet of [queryPacket({ flags: 0x8180 }), Buffer.alloc(5)]) {
      expect(await answerQuery(packet, 'udp', contextWith())).toEqual({ kind: 'dropped' });
      expect(failureReply(packet)).toBeUndefined();
    }
  });
});

describe('names that exist only in the box', () => {
  const name = 'openai.credentials.holdfast';
  const routes = new Set([name]);
  const nobody = { resolve: () => expect.unreachable() };
  const modes: readonly AnswerContext['mode'][] = [
    { kind: 'fake' },
    { kind: 'real', resolver: nobody, vet: () => expect.unreachable() },
  ];

  test.each(modes)('have a fixed address: $kind', async (mode) => {
    const context = contextWith({ routes, mode });
    expect(await ask(context, `A ${name}`)).toMatchObject({
      rcode: 0,
      addresses: ['198.18.0.2'],
      record: { name, outcome: 'answered' },
    });
    expect(await ask(context, `A ${name.toUpperCase()}`)).toMatchObject({ addresses: ['198.18.0.2'] });
    expect([context.asked, context.names.namesOf('198.18.0.2'), context.names.standingOf(name)]).toEqual([
      [],
      [name],
      'allowed',
    ]);
  });

  test.each(['AAAA', 'HTTPS', 'TXT', 'MX', 'ANY'])('have no %s', async (type) => {
    const context = contextWith({ routes });
    expect(await ask(context, `${type} ${name}`)).toMatchObject({
      rcode: 0,
      answers: 0,
      record: { outcome: 'no-data' },
    });
    expect(context.asked).toEqual([]);
  });

  test.each([`a.${name}`, 'other.credentials.holdfast', 'credentials.holdfast'])('do not include %s', async (other) => {
    const context = contextWith({ routes });
    expect(await ask(context, `A ${other}`)).toMatchObject({ rcode: 3, record: { outcome: 'refused' } });
    expect(context.asked).toEqual([`A ${other}`]);
  });

  test('fail without a free address', async () => {
    const context = contextWith({ routes, names: { ...contextWith().names, addressFor: () => undefined } });
    expect(await ask(context, `A ${name}`)).toMatchObject({ rcode: 2, record: { outcome: 'failed' } });
  });
});

describe('with real addresses', () => {
  const real = (
    resolution: Resolution | Refused,
    vet?: (name: string, found: Resolution) => Resolution | Refused,
  ): AnswerContext & { readonly asked: string[]; readonly looked: string[] } => {
    const looked: string[] = [];
    const resolver = { resolve: async (name: string) => (looked.push(name), resolution) };
    return { ...contextWith({ mode: { kind: 'real', resolver, vet: vet ?? ((_, found) => found) } }), looked };
  };
  const found: Resolution = {
    kind: 'resolved',
    aliases: ['cdn.test'],
    addresses: ['192.0.2.1', '192.0.2.2', '2001:db8::1'],
  };
  const refused = (code: 'special-address' | 'name-not-found' | 'resolver-failed'): Refused => ({
    kind: 'refused',
    refusal: { code, message: 'm', remedy: 'r' },
  });

  test('a name has the addresses of the requested type, and all are remembered', async () => {
    const context = real(found);
    expect(await ask(context, 'A example.com')).toMatchObject({
      rcode: 0,
      addresses: ['192.0.2.1', '192.0.2.2'],
      record: { outcome: 'answered' },
    });
    expect(await ask(context, 'AAAA a.example.org')).toMatchObject({ rcode: 0, addresses: ['2001:db8::1'] });
    expect(context.names.namesOf('192.0.2.1')).toEqual(['a.example.org', 'example.com']);
    expect(context.names.namesOf('2001:db8::1')).toEqual(['a.example.org', 'example.com']);
  });

  test.each([
    'A evil.test',
    'TXT secret.evil.test',
    'TXT example.com',
    'MX example.com',
    'ANY example.com',
    'A slow.example.org',
    'A 127.0.0.1',
    'PTR 8.8.8.8.in-addr.arpa',
    'A localhost',
    'HTTPS example.com',
  ])('%s is looked up nowhere', async (query) => {
    const context = real(found);
    await ask(context, query);
    expect(context.looked).toEqual([]);
  });

  test('the vetting decides the answer', async () => {
    const vetted: unknown[] = [];
    const context = real(found, (name, resolution) => {
      vetted.push(name, resolution);
      return { ...resolution, addresses: ['192.0.2.2'] };
    });
    expect(await ask(context, 'A example.com')).toMatchObject({ addresses: ['192.0.2.2'] });
    expect(vetted).toEqual(['example.com', found]);
    expect(context.names.namesOf('192.0.2.1')).toEqual([]);
    const none = real(found, () => refused('special-address'));
    expect(await ask(none, 'A example.com')).toMatchObject({
      rcode: 3,
      record: { outcome: 'refused', refusal: { code: 'special-address' } },
    });
    expect(none.names.namesOf('192.0.2.1')).toEqual([]);
  });

  test('an address of the fake range is never handed out', async () => {
    const context = real({ ...found, addresses: ['198.18.0.2', '192.0.2.1', '198.19.9.9'] });
    expect(await ask(context, 'A example.com')).toMatchObject({ addresses: ['192.0.2.1'] });
    expect(context.names.namesOf('198.18.0.2')).toEqual([]);
  });

  test('loopback is handed out, but belongs to no name', async () => {
    const context = real({ ...found, addresses: ['127.0.0.1', '127.9.9.9', '::1', '192.0.2.1'] });
    expect(await ask(context, 'A example.com')).toMatchObject({ addresses: ['127.0.0.1', '127.9.9.9', '192.0.2.1'] });
    expect(['127.0.0.1', '127.9.9.9', '::1', '192.0.2.1'].map((address) => context.names.namesOf(address))).toEqual([
      [],
      [],
      [],
      ['example.com'],
    ]);
  });

  test('failures are distinguished', async () => {
    expect(await ask(real(refused('name-not-found')), 'A example.com')).toMatchObject({
      rcode: 3,
      record: { outcome: 'no-such-name', refusal: { code: 'name-not-found' }, verdict: { decision: 'allow' } },
    });
    expect(await ask(real(refused('resolver-failed')), 'A example.com')).toMatchObject({
      rcode: 2,
      record: { outcome: 'failed', refusal: { code: 'resolver-failed' } },
    });
  });

  test('a refused name may still have a fake address', async () => {
    const context = { ...real(found), refusedNames: 'explain' as const };
    expect(await ask(context, 'A evil.test')).toMatchObject({
      addresses: ['198.18.0.2'],
      record: { outcome: 'explained' },
    });
    expect(context.looked).toEqual([]);
  });

  test('an answer too long for a datagram fits over TCP', async () => {
    const context = real({ ...found, addresses: Array.from({ length: 16 }, (_, index) => `2001:db8::${index + 1}`) });
    const lengthOf = async (packet: Buffer, transport: 'udp' | 'tcp'): Promise<readonly number[]> => {
      const answer = await answerQuery(packet, transport, context);
      const reply = Buffer.from(answer.kind === 'answered' ? answer.reply : []);
      return [reply.length, reply.readUInt16BE(6), reply.readUInt16BE(2) & 0x0200];
    };
    const long = { name: wireName(`${'a'.repeat(60)}.example.org`), type: 28 };
    expect(await lengthOf(queryPacket(long), 'udp')).toEqual([510, 15, 0x0200]);
    expect(await lengthOf(queryPacket(long), 'tcp')).toEqual([538, 16, 0]);
    expect(
      await lengthOf(queryPacket({ ...long, counts: [1, 0, 0, 1], tail: optRecord({ size: 4096 }) }), 'udp'),
    ).toEqual([549, 16, 0]);
    expect(
      await lengthOf(queryPacket({ ...long, counts: [1, 0, 0, 1], tail: optRecord({ size: 20 }) }), 'udp'),
    ).toEqual([493, 14, 0x0200]);
  });
});

test('an internal failure reaches the client', () => {
  expect(failureReply(queryPacket())).toEqual(words(0x1234, 0x8182, 0, 0, 0, 0));
  expect(failureReply(Buffer.alloc(12))).toEqual(words(0, 0x8082, 0, 0, 0, 0));
});

test('for any bytes, the policy sees canonical names only, and nothing rejects', async () => {
  const label = fc.uint8Array({ minLength: 1, maxLength: 12 });
  const name = fc.array(
    fc.oneof(
      label,
      fc.constantFrom(Buffer.from('localhost'), Buffer.from('com'), Buffer.from('1'), Buffer.from('0x7f')),
    ),
    { maxLength: 5 },
  );
  await fc.assert(
    fc.asyncProperty(name, fc.nat(0xffff), async (parts, type) => {
      const context = contextWith({ refusedNames: 'explain' });
      const answer = await answerQuery(
        queryPacket({ name: labels(...parts.map((part) => Buffer.from(part))), type }),
        'udp',
        context,
      );
      expect(answer.kind).toBe('answered');
      for (const asked of context.asked)
        expect(asked).toMatch(/^[A-Z0-9]+ (?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]*[a-z_-][a-z0-9_-]*$/);
    }),
    { numRuns: rounds(500) },
  );
});
