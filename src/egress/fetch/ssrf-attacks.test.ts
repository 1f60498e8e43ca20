import { describe, expect, test } from 'vitest';
import { dial } from '../dial/dial.ts';
import { redirectPayloads } from '../ssrf/testing/answer-payloads.ts';
import {
  blockPayloads,
  metadataPayloads,
  schemePayloads,
  spellingPayloads,
  syntaxPayloads,
} from '../ssrf/testing/url-payloads.ts';
import { createAuthority } from '../tls/authority.ts';
import { leafMint } from '../tls/leaf.ts';
import { toPem } from '../tls/host-trust.ts';
import { createUpstreamTrust } from '../tls/upstream-trust.ts';
import { identity } from '../tls/testing/servers.ts';
import type { Vetted } from '../types.ts';
import { fetchUrl } from './fetch-url.ts';
import { messageOf, outcomeOf, secureWeb, textOf, web, world } from './testing/web.ts';

const answers = { 'inside.test': ['10.0.0.1'], 'metadata.google.internal': ['169.254.169.254'] };

describe('redirects to internal addresses', () => {
  test.each(redirectPayloads)('%j is refused on the first hop: %s', async (location, expected) => {
    const port = await web((_, response) => response.writeHead(302, { location }).end());
    const { context, connections } = world({ ports: [port], names: answers });
    expect(outcomeOf(await fetchUrl(`http://public.test:${port}/`, context))).toBe(expected);
    expect(connections.filter(({ address }) => address !== undefined).length).toBe(1);
  });

  test.each([1, 2, 3, 4, 5])('hop %i of 5 is treated like the first', async (hops) => {
    const port = await web((request, response) => {
      const left = Number(request.url?.slice(1));
      response.writeHead(307, { location: left > 1 ? `/${left - 1}` : 'http://169.254.169.254/' }).end();
    });
    const { context, connections } = world({ ports: [port], names: answers });
    expect(outcomeOf(await fetchUrl(`http://public.test:${port}/${hops}`, context))).toBe('special-address');
    expect(connections.filter(({ address }) => address !== undefined).length).toBe(hops);
  });

  test('the control: without vetting, the same redirect arrives', async () => {
    const secret = await web((_, response) => response.end('credentials of the host'));
    const port = await web((_, response) => response.writeHead(302, { location: `http://127.0.0.1:${secret}/` }).end());
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('credentials of the host');
    expect(outcomeOf(await fetchUrl(`http://public.test:${port}/`, world({ ports: [port] }).context))).toBe(
      'special-address',
    );
  });
});

describe('payloads', () => {
  const refused = [
    ...blockPayloads,
    ...metadataPayloads,
    ...spellingPayloads,
    ...syntaxPayloads,
    ...schemePayloads,
  ].filter(([, expected]) => expected !== 'passes');

  test('no payload makes a connection', async () => {
    const dialled: Vetted[] = [];
    const { context } = world({
      dial: async (vetted, options) => {
        dialled.push(vetted);
        return dial(vetted, options);
      },
    });
    for (const [url, expected, attack] of refused)
      expect([attack, outcomeOf(await fetchUrl(url, context))]).toEqual([attack, expected]);
    expect(dialled).toEqual([]);
  });
});

describe('rebinding', () => {
  test('the vetted address is dialled, and a name is resolved once', async () => {
    const dialled: Vetted[] = [];
    let asked = 0;
    const { context } = world({
      resolver: {
        resolve: async () => ({
          kind: 'resolved',
          aliases: [],
          addresses: [(asked += 1) === 1 ? '93.184.215.14' : '127.0.0.1'],
        }),
      },
      dial: async (vetted) => {
        dialled.push(vetted);
        return { kind: 'refused', refusal: { code: 'unreachable', message: 'the test dials nothing', remedy: '' } };
      },
    });
    expect(outcomeOf(await fetchUrl('http://rebind.test/', context))).toBe('unreachable');
    expect(dialled.map(({ addresses }) => addresses)).toEqual([['93.184.215.14']]);
    expect(asked).toBe(1);
  });

  test('over real sockets: the first answer is dialled, although the second is another server', async () => {
    const port = await web((_, response) => response.end('the vetted one'));
    let asked = 0;
    const { context } = world({
      ports: [port],
      resolver: {
        resolve: async () => ({
          kind: 'resolved',
          aliases: [],
          addresses: [(asked += 1) === 1 ? '127.0.0.1' : '127.0.0.2'],
        }),
      },
    });
    expect(textOf(await fetchUrl(`http://rebind.test:${port}/`, context))).toBe('the vetted one');
    expect(asked).toBe(1);
  });

  test('between hops: each is vetted again', async () => {
    const port = await web((_, response) => response.writeHead(302, { location: '/again' }).end());
    let asked = 0;
    const { context } = world({
      ports: [port],
      resolver: {
        resolve: async () => ({
          kind: 'resolved',
          aliases: [],
          addresses: [(asked += 1) === 1 ? '127.0.0.1' : '10.0.0.1'],
        }),
      },
    });
    expect(outcomeOf(await fetchUrl(`http://rebind.test:${port}/`, context))).toBe('special-address');
  });

  test('a private answer beside a public one is refused', async () => {
    const { context } = world({ names: { 'mixed.test': ['93.184.215.14', '10.0.0.1'] } });
    expect(outcomeOf(await fetchUrl('http://mixed.test/', context))).toBe('special-address');
  });
});

describe('certificates', () => {
  const authority = createAuthority();
  const trust = () => createUpstreamTrust({ roots: [authority.certificatePem] });
  const day = 86_400_000;

  async function fetchFrom(served: { readonly key: string; readonly cert: string }, host = 'secure.test') {
    const port = await secureWeb(served, (request, response) => response.end(`secured ${request.headers.host}`));
    const { context } = world({ ports: [port], trust });
    return fetchUrl(`https://${host}:${port}/`, context);
  }

  test('one for the name is accepted', async () => {
    expect(textOf(await fetchFrom(identity(authority, 'secure.test')))).toMatch(/^secured secure\.test:/);
  });

  test('one for an address is accepted for that address', async () => {
    expect(textOf(await fetchFrom(identity(authority, '127.0.0.1'), '127.0.0.1'))).toMatch(/^secured 127\.0\.0\.1:/);
  });

  test.each([
    ['another host', () => identity(authority, 'other.test')],
    ['the address instead of the name', () => identity(authority, '127.0.0.1')],
    ['an unknown authority', () => identity(createAuthority(), 'secure.test')],
    ['the past', () => ({ key: leafMint(authority).privateKeyPem, cert: '' })],
  ])('one of %s is refused', async (what, make) => {
    const served = what === 'the past' ? expired() : make();
    const result = await fetchFrom(served);
    expect(outcomeOf(result)).toBe('upstream-certificate');
    if (what === 'the past') expect(messageOf(result)).toContain('expired');
  });

  function expired(): { readonly key: string; readonly cert: string } {
    const mint = leafMint(authority, () => Date.now() - 400 * day);
    return { key: mint.privateKeyPem, cert: toPem(mint.certificateFor('secure.test')) };
  }

  test('a server without TLS is refused', async () => {
    const port = await web((_, response) => response.end('plain'));
    expect(outcomeOf(await fetchUrl(`https://secure.test:${port}/`, world({ ports: [port], trust }).context))).toBe(
      'upstream-protocol',
    );
  });

  test('a redirect from https to http is refused', async () => {
    const plain = await web((_, response) => response.end('plain'));
    const port = await secureWeb(identity(authority, 'secure.test'), (_, response) =>
      response.writeHead(302, { location: `http://plain.test:${plain}/` }).end(),
    );
    const result = await fetchUrl(`https://secure.test:${port}/`, world({ ports: [port, plain], trust }).context);
    expect(messageOf(result)).toContain('redirects from https to http');
  });
});
