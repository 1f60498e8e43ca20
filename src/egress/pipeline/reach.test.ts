import { describe, expect, test } from 'vitest';
import { authorityOf, verdictOf } from '../ssrf/testing/authorities.ts';
import type { ConnectionApproval } from '../types.ts';
import { policyRefusal, reach, type Reached, vetUnresolved } from './reach.ts';
import { bench, type BenchOptions } from './testing/pipeline.ts';

const to = (host: string, port = 443) => ({ host, port });
const publicName = { 'a.example': ['93.184.216.34', '2606:2800:220:1::1'] };
const granted = '[network]\nhosts = ["a.example"]';

function outcome(reached: Reached): string {
  return reached.kind === 'refused' ? reached.refusal.code : reached.vetted.addresses.join();
}

function decided(
  decision: Parameters<typeof verdictOf>[0],
  more: Parameters<typeof verdictOf>[1] = {},
  options: BenchOptions = {},
) {
  return bench('', { names: publicName, authority: { decide: () => verdictOf(decision, more) }, ...options });
}

describe('every decision', () => {
  test.each(['allow', 'audit'] as const)('%s reaches the vetted addresses', async (decision) => {
    const { context, lookups } = decided(decision);
    const reached = await reach(to('a.example'), 'connection', context);
    expect(reached).toMatchObject({
      kind: 'reached',
      vetted: { kind: 'vetted', destination: to('a.example'), addresses: publicName['a.example'] },
      verdict: { decision },
    });
    expect(lookups).toEqual(['a.example']);
  });

  test.each([
    ['stage', 'connection'],
    ['ask', 'connection'],
    ['deny', 'connection'],
    ['stage', 'request'],
  ] as const)('%s for a %s is refused, and no name is looked up', async (decision, use) => {
    const { context, lookups } = decided(decision);
    const reached = await reach(to('a.example'), use, context);
    expect(reached).toMatchObject({
      kind: 'refused',
      refusal: {
        code: 'policy',
        message: expect.stringMatching(new RegExp(`^the test says ${decision}`, 'u')),
        remedy: 'change the test',
      },
    });
    expect(lookups).toEqual([]);
  });

  test('a connection under "ask" waits for a person, and its name is looked up after the answer', async () => {
    const { context, lookups } = decided('ask');
    const seen: unknown[] = [];
    const approve = (request: unknown): Promise<ConnectionApproval> => {
      seen.push([request, [...lookups]]);
      return Promise.resolve({ kind: 'allowed' });
    };
    const reached = await reach(to('a.example'), 'connection', {
      ...context,
      authority: { ...context.authority, approve },
    });
    expect(reached).toMatchObject({ kind: 'reached', verdict: { decision: 'allow' } });
    expect(seen).toEqual([[{ kind: 'connect', ...to('a.example'), protocol: 'tcp' }, []]]);
  });

  test('a denial by a person gives the reason', async () => {
    const { context, lookups } = decided('ask');
    const approve = (): Promise<ConnectionApproval> =>
      Promise.resolve({ kind: 'denied', message: 'it was not approved' });
    const reached = await reach(to('a.example'), 'connection', {
      ...context,
      authority: { ...context.authority, approve },
    });
    expect(reached).toMatchObject({
      kind: 'refused',
      refusal: { message: 'the test says ask; it was not approved', verdict: { decision: 'deny' } },
    });
    expect(lookups).toEqual([]);
  });

  test('a connection for requests needs no approval: each request does', async () => {
    const { context } = decided('ask');
    const approve = (): Promise<ConnectionApproval> => Promise.reject(new Error('asked'));
    expect(
      await reach(to('a.example'), 'request', { ...context, authority: { ...context.authority, approve } }),
    ).toMatchObject({ kind: 'reached' });
  });

  test('an ungranted host may have granted requests, and a denied one may not', async () => {
    const open = decided('deny', { code: 'not-granted' });
    expect(outcome(await reach(to('a.example'), 'request', open.context))).toBe(publicName['a.example'].join());
    const rule = decided('deny', { code: 'rule' });
    expect(outcome(await reach(to('a.example'), 'request', rule.context))).toBe(publicName['a.example'].join());
    const closed = decided('deny', { code: 'deny-set' });
    expect(outcome(await reach(to('a.example'), 'request', closed.context))).toBe('policy');
    expect(closed.lookups).toEqual([]);
  });

  test('the policy judges exactly the dialled destination', async () => {
    const asked: unknown[] = [];
    const { context } = bench('', {
      names: publicName,
      authority: { decide: (request) => (asked.push(request), verdictOf('allow')) },
    });
    await reach(to('a.example', 8443), 'connection', context);
    expect(asked).toEqual([{ kind: 'connect', host: 'a.example', port: 8443, protocol: 'tcp' }]);
  });
});

describe('redirects', () => {
  const redirect = (redirectTo: string | undefined, options: BenchOptions = {}) =>
    decided('redirect', redirectTo === undefined ? {} : { redirectTo }, options);

  test.each([
    ['b.example', 'b.example', 443],
    ['b.example:8443', 'b.example', 8443],
    ['B.Example.:8443', 'b.example', 8443],
    ['93.184.216.35', '93.184.216.35', 443],
    ['93.184.216.35:1', '93.184.216.35', 1],
    ['[2606:2800:220:1::2]:8443', '2606:2800:220:1::2', 8443],
    ['[2606:2800:220:1::2]', '2606:2800:220:1::2', 443],
    ['2606:2800:220:1::2', '2606:2800:220:1::2', 443],
  ])('to %s', async (redirectTo, host, port) => {
    const { context, lookups } = redirect(redirectTo, { names: { 'b.example': ['93.184.216.36'] } });
    const reached = await reach(to('a.example'), 'connection', context);
    expect(reached).toMatchObject({
      kind: 'reached',
      vetted: { destination: { host, port } },
      verdict: { decision: 'redirect' },
    });
    expect(lookups).toEqual(host === 'b.example' ? ['b.example'] : []);
  });

  test.each([
    undefined,
    '',
    ':80',
    'b.example:0',
    'b.example:70000',
    'b.example:65536',
    'not a host',
    'b.example:8443:1',
    '[::1',
    '256.1.1.1',
  ])('to %j leads nowhere', async (redirectTo) => {
    const { context, lookups } = redirect(redirectTo);
    const reached = await reach(to('a.example'), 'connection', context);
    expect(reached).toMatchObject({
      kind: 'refused',
      refusal: { code: 'policy', message: `"${redirectTo ?? ''}" is not a destination` },
    });
    expect(lookups).toEqual([]);
  });

  // Attack: one layer redirects to what another one denies, or to what nobody has granted.
  test.each([
    ['hosts = ["b.example"]', 'b.example:443', undefined],
    ['hosts = ["b.example"]\ndeny = ["b.example:443"]', 'b.example:443', 'policy'],
    ['hosts = ["c.example"]', 'b.example:443', 'policy'],
  ])('with %j, one to %s is judged on its own', async (network, redirectTo, refusal) => {
    const policy = `[network]\n${network}\n[[connect]]\nname = "r"\ndecision = "redirect"\nredirect_to = "${redirectTo}"\nhosts = ["a.example"]`;
    const { context, lookups } = bench(policy, { names: { 'b.example': ['93.184.216.36'] } });
    for (const use of ['connection', 'request'] as const) {
      const reached = await reach(to('a.example'), use, context);
      expect(reached.kind === 'refused' ? reached.refusal.code : undefined).toBe(refusal);
    }
    expect(new Set(lookups)).toEqual(new Set(refusal === undefined ? ['b.example'] : []));
  });

  // Attack: a redirect is no way around the vetting of addresses.
  test.each(['127.0.0.1:80', '[::1]:80', 'localhost:80', '169.254.169.254', '10.0.0.1', 'inside.example'])(
    'to %s is vetted',
    async (redirectTo) => {
      const { context } = redirect(redirectTo, {
        names: { 'inside.example': ['10.0.0.1'] },
        authority: { decide: () => verdictOf('redirect', { redirectTo }), decideAddress: () => verdictOf('deny') },
      });
      expect(outcome(await reach(to('a.example'), 'connection', context))).toBe('special-address');
    },
  );
});

describe('names', () => {
  test('are judged before they are looked up', async () => {
    const { context, lookups } = bench(granted, { names: publicName });
    expect(outcome(await reach(to('secret.refused.example'), 'connection', context))).toBe('policy');
    expect(lookups).toEqual([]);
  });

  test('that are not found are refused as such, with the policy’s verdict', async () => {
    const refused = { kind: 'refused', refusal: { code: 'name-not-found', message: 'm', remedy: 'r' } } as const;
    const { context } = bench(granted, { names: { 'a.example': refused } });
    expect(await reach(to('a.example'), 'connection', context)).toMatchObject({
      ...refused,
      verdict: { decision: 'allow', rule: 'network.hosts[0]' },
    });
  });

  test.each([
    ['one private address among public ones', { 'a.example': ['93.184.216.34', '10.0.0.1'] }, 'special-address'],
    ['loopback', { 'a.example': ['127.0.0.1'] }, 'special-address'],
    ['metadata', { 'a.example': ['169.254.169.254'] }, 'special-address'],
    ['an address that is mapped', { 'a.example': ['::ffff:10.0.0.1'] }, 'special-address'],
    ['the range of made-up addresses', { 'a.example': ['198.18.0.7'] }, 'special-address'],
    ['nothing', { 'a.example': [] }, 'resolver-failed'],
  ])('that resolve to %s are refused', async (_, names, code) => {
    const { context } = bench(granted, { names });
    expect(outcome(await reach(to('a.example'), 'connection', context))).toBe(code);
  });

  test('that are aliases of special ones are refused', async () => {
    const { context } = bench(granted, { names: publicName, aliases: { 'a.example': ['metadata.google.internal'] } });
    expect(outcome(await reach(to('a.example'), 'connection', context))).toBe('special-name');
  });

  test('lead to an internal address only if the policy names it and its port', async () => {
    const { context } = bench('[network]\nhosts = ["a.example", "10.0.0.1:5432"]', {
      names: { 'a.example': ['10.0.0.1'] },
    });
    expect(outcome(await reach(to('a.example', 5432), 'connection', context))).toBe('10.0.0.1');
    expect(outcome(await reach(to('a.example', 5433), 'connection', context))).toBe('special-address');
  });
});

describe('addresses', () => {
  test('need no look-up', async () => {
    const { context, lookups } = bench('[network]\nhosts = ["93.184.216.34", "[2606:2800:220:1::1]:443"]');
    expect(outcome(await reach(to('93.184.216.34'), 'connection', context))).toBe('93.184.216.34');
    expect(outcome(await reach(to('2606:2800:220:1::1'), 'connection', context))).toBe('2606:2800:220:1::1');
    expect(lookups).toEqual([]);
  });

  test('that are special need a pattern that spells them out: "any" does not cover them', async () => {
    const { context } = bench('[network]\nhosts = ["any"]');
    for (const host of ['10.0.0.1', '169.254.169.254', '127.0.0.1', '100.64.0.1'])
      expect(outcome(await reach(to(host, 80), 'connection', context))).toBe('special-address');
  });
});

describe('loopback', () => {
  const open = '[network]\nhosts = ["localhost:3000"]';

  test.each(['localhost', '127.0.0.1', '::1'])('%s means a service on either family', async (host) => {
    const { context, lookups } = bench(open);
    expect(await reach(to(host, 3000), 'connection', context)).toMatchObject({
      kind: 'reached',
      vetted: { destination: to(host, 3000), addresses: ['127.0.0.1', '::1'] },
    });
    expect(lookups).toEqual([]);
  });

  test('with one family open, only that one is dialled', async () => {
    const { context } = bench('[network]\nhosts = ["127.0.0.1:3000"]');
    expect(outcome(await reach(to('127.0.0.1', 3000), 'connection', context))).toBe('127.0.0.1');
  });

  test.each(['localhost', '127.0.0.1', '::1'])('%s is closed on every other port', async (host) => {
    const { context } = bench(open);
    expect(outcome(await reach(to(host, 3001), 'connection', context))).toBe('policy');
    const all = bench('', { authority: { decide: () => verdictOf('allow'), decideAddress: () => verdictOf('deny') } });
    expect(outcome(await reach(to(host, 3001), 'connection', all.context))).toBe('special-address');
  });
});

test('the message of a refusal is the verdict’s', () => {
  const verdict = verdictOf('deny', { message: 'm', remedy: 'r' });
  expect(policyRefusal(verdict)).toEqual({ code: 'policy', message: 'm', remedy: 'r', verdict });
});

const context = { authority: authorityOf(['10.0.0.1 443']), own: () => new Set(['127.0.0.1']) };

test.each([
  ['example.com', 'vetted', []],
  ['93.184.215.14', 'vetted', ['93.184.215.14']],
  ['10.0.0.1', 'vetted', ['10.0.0.1']],
] as const)('%s passes', (host, kind, addresses) => {
  expect(vetUnresolved({ host, port: 443 }, context)).toEqual({ kind, destination: { host, port: 443 }, addresses });
});

test.each([
  ['10.0.0.2', 'special-address'],
  ['::1', 'special-address'],
  ['localhost', 'special-name'],
  ['metadata.google.internal', 'special-name'],
  ['wiki', 'special-name'],
  ['Example.com', 'malformed-host'],
  ['127.1', 'malformed-host'],
  ['a\nb', 'malformed-host'],
])('%j is refused: %s', (host, code) => {
  expect(vetUnresolved({ host, port: 443 }, context)).toMatchObject({ kind: 'refused', refusal: { code } });
});
