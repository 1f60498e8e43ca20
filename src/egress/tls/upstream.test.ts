import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { byteSource } from '../http/byte-source.ts';
import type { Refused } from '../types.ts';
import { createAuthority } from './authority.ts';
import { dial, listen } from './testing/loopback.ts';
import {
  authorityConstraints,
  dnsNames,
  forClientsOnly,
  type Identity,
  identity,
  oddIdentity,
  type Server,
  tlsServer,
} from './testing/servers.ts';
import { secureUpstream, type SecuredUpstream, type SecureUpstreamOptions } from './upstream.ts';
import { createUpstreamTrust } from './upstream-trust.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const authority = createAuthority();
const host = 'api.example.com';

function options(extra: Partial<SecureUpstreamOptions> = {}): SecureUpstreamOptions {
  return {
    host,
    alpn: ['h2', 'http/1.1'],
    trust: createUpstreamTrust({ roots: [authority.certificatePem] }),
    ...extra,
  };
}

async function reach(port: number, extra: Partial<SecureUpstreamOptions> = {}): Promise<SecuredUpstream | Refused> {
  return secureUpstream(await dial(port), options(extra));
}

async function secured(
  outcome: SecuredUpstream | Refused | Promise<SecuredUpstream | Refused>,
): Promise<SecuredUpstream> {
  const result = await outcome;
  if (result.kind !== 'secured') throw new Error(result.refusal.message);
  return result;
}

async function refusal(outcome: SecuredUpstream | Refused | Promise<SecuredUpstream | Refused>) {
  const result = await outcome;
  if (result.kind !== 'refused') throw new Error('it was secured');
  return result.refusal;
}

function closed(socket: Socket): Promise<unknown> {
  return socket.closed ? Promise.resolve() : new Promise((resolve) => socket.once('close', resolve));
}

describe('a connection that begins in the clear', () => {
  /** Answers a request in the clear, with more than is due where there is any, and speaks TLS after it. */
  async function upgrading(more = ''): Promise<number> {
    const behind = await tlsServer(identity(authority, host));
    return listen((socket) =>
      socket.once('data', (request: Buffer) => {
        expect(String(request)).toBe('TLS?');
        socket.write(`S${more}`);
        const inner = connect(behind.port, '127.0.0.1').on('error', () => socket.destroy());
        socket.pipe(inner).pipe(socket);
      }),
    );
  }

  const ways: Readonly<Record<string, (socket: Socket) => Promise<string>>> = {
    'by read()': async (socket) => {
      await once(socket, 'readable');
      return String(socket.read(1));
    },
    'by events': async (socket) => {
      const [bytes] = (await once(socket, 'data')) as [Buffer];
      socket.pause();
      if (bytes.length > 1) socket.unshift(bytes.subarray(1));
      return String(bytes.subarray(0, 1));
    },
    'by a source of bytes': async (socket) => {
      const source = byteSource(socket);
      const bytes = await source.read();
      source.unread(bytes?.subarray(1) ?? Buffer.alloc(0));
      source.detach();
      return String(bytes?.subarray(0, 1));
    },
  };

  test.each(Object.entries(ways))('is secured after a read %s', async (_, read) => {
    const socket = await dial(await upgrading());
    socket.write('TLS?');
    expect(await read(socket)).toBe('S');
    const upstream = await secured(secureUpstream(socket, options({ alpn: [] })));
    expect(String((await once(upstream.socket, 'data'))[0])).toBe('hello');
    expect(upstream.socket.authorized).toBe(true);
  });

  // Attack: bytes in the clear behind the answer, taken for what the server says inside TLS (CVE-2021-23222).
  test.each(Object.entries(ways))('with bytes beyond the answer is refused after a read %s', async (_, read) => {
    const socket = await dial(await upgrading('injected'));
    socket.write('TLS?');
    expect(await read(socket)).toBe('S');
    const upstream = await secureUpstream(socket, options({ alpn: [], deadline: 2000 }));
    expect((await refusal(upstream)).code).toMatch(/^upstream-/u);
  });
});

describe('a server that proves its name', () => {
  test('is connected to, with its name in the hello', async () => {
    const server = await tlsServer(identity(authority, host));
    const upstream = await secured(reach(server.port));
    expect(String((await once(upstream.socket, 'data'))[0])).toBe('hello');
    expect(upstream).toMatchObject({ alpn: 'http/1.1', session: 'new' });
    expect(upstream.socket.authorized).toBe(true);
    expect(server.secured[0]?.servername).toBe(host);
  });

  test.each([
    [['h2', 'http/1.1'], 'h2'],
    [['http/1.1'], 'http/1.1'],
    [[], 'http/1.1'],
  ] as const)('offered %j, it chooses %s', async (alpn, chosen) => {
    const server = await tlsServer({ ...identity(authority, host), ALPNProtocols: ['h2', 'http/1.1'] });
    const upstream = await secured(reach(server.port, { alpn }));
    expect(upstream.alpn).toBe(chosen);
    expect(upstream.socket.alpnProtocol).toBe(alpn.length === 0 ? false : chosen);
  });

  test('by address gets no name in the hello', async () => {
    const server = await tlsServer(identity(authority, '127.0.0.1'));
    await once((await secured(reach(server.port, { host: '127.0.0.1' }))).socket, 'data');
    expect(server.secured[0]?.servername).toBe(false);
  });

  test('under a wildcard', async () => {
    const odd = oddIdentity({ subject: 'x', issuer: authority, extensions: [dnsNames('*.example.com')] });
    const server = await tlsServer(odd);
    expect((await reach(server.port)).kind).toBe('secured');
  });

  test('through an intermediate that it sends along', async () => {
    const root = oddIdentity({ subject: 'root', extensions: [authorityConstraints] });
    const intermediate = oddIdentity({ subject: 'intermediate', issuer: root, extensions: [authorityConstraints] });
    const leaf = oddIdentity({ subject: host, issuer: intermediate, extensions: [dnsNames(host)] });
    const trust = createUpstreamTrust({ roots: [root.cert] });
    const server = await tlsServer({ key: leaf.key, cert: leaf.cert + intermediate.cert });
    expect((await reach(server.port, { trust })).kind).toBe('secured');
  });

  test('with TLS 1.2', async () => {
    const server = await tlsServer({ ...identity(authority, host), maxVersion: 'TLSv1.2' });
    expect((await secured(reach(server.port))).socket.getProtocol()).toBe('TLSv1.2');
  });
});

describe('a server whose certificate', () => {
  const day = 86_400_000;
  const stranger = createAuthority();
  const root = oddIdentity({ subject: 'root', extensions: [authorityConstraints] });
  const intermediate = oddIdentity({ subject: 'intermediate', issuer: root, extensions: [authorityConstraints] });
  const mayNotSign = oddIdentity({ subject: 'leaf', issuer: root, extensions: [dnsNames('leaf.example')] });
  const belowLeaf = oddIdentity({ subject: host, issuer: mayNotSign, extensions: [dnsNames(host)] });
  const trustRoot = createUpstreamTrust({ roots: [root.cert, authority.certificatePem] });
  const cases: readonly { readonly what: string; readonly server: Identity; readonly words: RegExp }[] = [
    {
      what: 'is for another host',
      server: identity(authority, 'other.example'),
      words: /^the certificate of api\.example\.com is for another host: other\.example$/u,
    },
    {
      what: 'is for a wildcard of another depth',
      server: oddIdentity({ subject: host, issuer: authority, extensions: [dnsNames('*.com', '*.api.example.com')] }),
      words: /for another host: \*\.com, \*\.api\.example\.com$/u,
    },
    {
      what: 'has the name only as its common name',
      server: oddIdentity({ subject: host, issuer: authority }),
      words: /is for another host$/u,
    },
    {
      what: 'is for many others',
      server: oddIdentity({
        subject: host,
        issuer: authority,
        extensions: [dnsNames('a.test', 'b.test', 'c.test', 'd.test', 'e.test')],
      }),
      words: /: a\.test, b\.test, c\.test and 2 more$/u,
    },
    {
      what: 'is for others with names that are none',
      server: oddIdentity({
        subject: host,
        issuer: authority,
        extensions: [dnsNames('a\u001b[31m.test', 'b.test', 'c\nd.test')],
      }),
      words: /: b\.test$/u,
    },
    { what: 'is for its address', server: identity(authority, '127.0.0.1'), words: /for another host: 127\.0\.0\.1$/u },
    {
      what: 'has expired',
      server: identity(authority, host, Date.now() - 60 * day),
      words: /^the certificate of api\.example\.com or of its authority has expired$/u,
    },
    { what: 'is not valid yet', server: identity(authority, host, Date.now() + 60 * day), words: /is not valid yet/u },
    {
      what: 'is signed by itself',
      server: oddIdentity({ subject: host, extensions: [dnsNames(host)] }),
      words: /is signed by itself/u,
    },
    {
      what: 'is signed by a stranger',
      server: identity(stranger, host),
      words: /comes without the certificate of the authority/u,
    },
    {
      what: 'brings its own root along',
      server: ((own) => ({ ...own, cert: own.cert + stranger.certificatePem }))(identity(stranger, host)),
      words: /rests on an authority that this machine does not trust/u,
    },
    {
      what: 'comes without its intermediate',
      server: oddIdentity({ subject: host, issuer: intermediate, extensions: [dnsNames(host)] }),
      words: /comes without the certificate of the authority/u,
    },
    {
      what: 'is for clients',
      server: oddIdentity({ subject: host, issuer: authority, extensions: [dnsNames(host), forClientsOnly] }),
      words: /is not meant for this use/u,
    },
    {
      what: 'is signed by one that may not sign',
      server: { ...belowLeaf, cert: belowLeaf.cert + mayNotSign.cert },
      words: /is not meant for this use/u,
    },
  ];

  test.each(cases)('$what is refused', async ({ server, words }) => {
    const { port } = await tlsServer(server);
    const socket = await dial(port);
    const refused = await refusal(secureUpstream(socket, options({ trust: trustRoot })));
    expect(refused.code).toBe('upstream-certificate');
    expect(refused.message).toMatch(words);
    expect(refused.remedy).not.toContain('HOST');
    // oxlint-disable-next-line no-control-regex -- what must not be there
    expect(refused.message + refused.remedy).toMatch(/^[^\u0000-\u001f\u007f]+$/u);
    expect(socket.destroyed).toBe(true);
  });

  test('for a name is not valid for an address', async () => {
    const { port } = await tlsServer(identity(authority, host));
    expect((await refusal(reach(port, { host: '127.0.0.1' }))).message).toContain('for another host');
  });

  test.each([
    ['its common name', () => [host]],
    ['the name of its authority', () => ['root']],
    ['the name of an intermediate', () => ['intermediate']],
    ['its fingerprint', (leaf: Identity) => [fingerprint(leaf.cert)]],
    ['the fingerprint of its authority', () => [fingerprint(root.cert)]],
  ] as const)('is distrusted by %s is refused', async (_, distrusted) => {
    const leaf = oddIdentity({ subject: host, issuer: intermediate, extensions: [dnsNames(host)] });
    const trust = createUpstreamTrust({ roots: [root.cert], distrusted: distrusted(leaf) });
    const { port } = await tlsServer({ key: leaf.key, cert: leaf.cert + intermediate.cert });
    expect(await refusal(reach(port, { trust }))).toMatchObject({
      code: 'upstream-certificate',
      message: expect.stringContaining('list of distrusted certificates'),
    });
  });

  test('is not on the list of distrusted ones is accepted', async () => {
    const { port } = await tlsServer(identity(authority, host));
    const trust = createUpstreamTrust({
      roots: [authority.certificatePem],
      distrusted: ['DigiNotar Root CA', 'example.com', ''],
    });
    expect((await reach(port, { trust })).kind).toBe('secured');
  });
});

describe('a TLS session', () => {
  /** Two connections one after the other, the second after the ticket of the first has come. */
  async function twice(
    server: Server,
    first: Partial<SecureUpstreamOptions>,
    second: Partial<SecureUpstreamOptions> = first,
  ): Promise<string> {
    const upstream = await secured(reach(server.port, first));
    await once(upstream.socket, 'data');
    upstream.socket.destroy();
    return (await secured(reach(server.port, second))).session;
  }

  test.each(['TLSv1.2', 'TLSv1.3'] as const)('of %s is resumed', async (version) => {
    const server = await tlsServer({ ...identity(authority, host), minVersion: version, maxVersion: version });
    expect(await twice(server, { trust: createUpstreamTrust({ roots: [authority.certificatePem] }) })).toBe('resumed');
  });

  test('belongs to one trust', async () => {
    const server = await tlsServer(identity(authority, host));
    expect(await twice(server, {}, {})).toBe('new');
  });

  test('belongs to one host: another name is verified again', async () => {
    const odd = oddIdentity({ subject: 'x', issuer: authority, extensions: [dnsNames(host, 'other.example')] });
    const server = await tlsServer(odd);
    const trust = createUpstreamTrust({ roots: [authority.certificatePem] });
    expect(await twice(server, { trust }, { trust, host: 'other.example' })).toBe('new');
    await expect.poll(() => trust.sessions.size).toBe(2);
  });

  test('belongs to one list of protocols', async () => {
    const server = await tlsServer({ ...identity(authority, host), ALPNProtocols: ['h2', 'http/1.1'] });
    const trust = createUpstreamTrust({ roots: [authority.certificatePem] });
    expect(await twice(server, { trust }, { trust, alpn: ['http/1.1'] })).toBe('new');
    await expect.poll(() => trust.sessions.size).toBe(2);
  });

  test('ends after an hour', async () => {
    let now = 0;
    const server = await tlsServer(identity(authority, host));
    const trust = createUpstreamTrust({ roots: [authority.certificatePem], now: () => now });
    expect(await twice(server, { trust })).toBe('resumed');
    now = 3_600_001;
    expect((await secured(reach(server.port, { trust }))).session).toBe('new');
  });

  test.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'with a server that did not prove its name is not kept (%s)',
    async (version) => {
      const server = await tlsServer({
        ...identity(authority, 'other.example'),
        minVersion: version,
        maxVersion: version,
      });
      const trust = createUpstreamTrust({ roots: [authority.certificatePem] });
      for (let round = 0; round < 2; round += 1)
        expect((await refusal(reach(server.port, { trust }))).code).toBe('upstream-certificate');
      expect(trust.sessions.size).toBe(0);
    },
  );

  test('is kept for 256 hosts at most', async () => {
    const trust = createUpstreamTrust({ roots: [] });
    for (let index = 0; index < 300; index += 1) trust.sessions.set(String(index), Buffer.alloc(1));
    expect(trust.sessions.size).toBe(256);
  });
});

describe('a server that violates TLS', () => {
  test.each([
    { what: 'speaks HTTP', answer: 'HTTP/1.1 400 Bad Request\r\n\r\n', words: 'does not speak TLS' },
    { what: 'speaks SSH', answer: 'SSH-2.0-OpenSSH_9.2\r\n', words: 'does not speak TLS' },
    {
      what: 'sends an alert about the name',
      answer: Buffer.from([21, 3, 3, 0, 2, 2, 112]),
      words: 'does not know this name',
    },
    { what: 'refuses the handshake', answer: Buffer.from([21, 3, 3, 0, 2, 2, 40]), words: 'refused the handshake' },
    { what: 'wants an old version', answer: Buffer.from([21, 3, 1, 0, 2, 2, 70]), words: 'another version of TLS' },
    {
      what: 'sends an empty record for ever',
      answer: Buffer.from([22, 3, 3, 0, 0]),
      words: 'could not be reached over TLS',
    },
  ])('and $what is refused', async ({ answer, words }) => {
    const port = await listen((socket) => socket.once('data', () => socket.end(answer)));
    const refused = await refusal(reach(port));
    expect(refused.code).toBe('upstream-protocol');
    expect(refused.message).toContain(words);
  });

  test('and closes at once is refused', async () => {
    const port = await listen((socket) => socket.end());
    expect(await refusal(reach(port))).toMatchObject({
      code: 'upstream-protocol',
      message: `${host} could not be reached over TLS: it closed the connection during the handshake`,
    });
  });

  test('and resets is refused', async () => {
    const port = await listen((socket) => socket.once('data', () => socket.resetAndDestroy()));
    expect((await refusal(reach(port))).message).toContain('closed the connection during the handshake');
  });

  test('and never answers is refused in time', async () => {
    const port = await listen(() => undefined);
    const socket = await dial(port);
    const started = performance.now();
    expect((await refusal(secureUpstream(socket, options({ deadline: 60 })))).code).toBe('upstream-timeout');
    // By itself it would be given up after ten seconds.
    expect(performance.now() - started).toBeLessThan(8000);
    expect(socket.destroyed).toBe(true);
  });

  test('and is not trusted is refused', async () => {
    const server = await tlsServer(identity(authority, host));
    expect((await refusal(reach(server.port, { trust: createUpstreamTrust({ roots: [] }) }))).code).toBe(
      'upstream-certificate',
    );
  });

  test('and cannot be verified, because the trust is invalid, is refused', async () => {
    const port = await listen(() => undefined);
    const socket = await dial(port);
    const trust = {
      ...createUpstreamTrust({ roots: [] }),
      context: () => {
        throw new Error('no context');
      },
    };
    expect((await refusal(secureUpstream(socket, options({ trust })))).code).toBe('upstream-protocol');
    expect(socket.destroyed).toBe(true);
  });

  test('and was already gone is refused', async () => {
    const port = await listen(() => undefined);
    const socket = await dial(port);
    socket.destroy();
    await closed(socket);
    expect((await refusal(secureUpstream(socket, options({ deadline: 500 })))).code).toMatch(/^upstream-/u);
  });

  test('and speaks TLS 1.1 only is refused', async () => {
    const server = await tlsServer({
      ...identity(authority, host),
      minVersion: 'TLSv1.1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    expect((await refusal(reach(server.port))).code).toBe('upstream-protocol');
  });

  test('and resets later ends the secured socket and nothing else', async () => {
    const server = await tlsServer(identity(authority, host));
    const back = await dial(server.port);
    const front = Promise.withResolvers<Socket>();
    const upstream = await secured(
      reach(
        await listen((socket) => {
          front.resolve(socket);
          socket.pipe(back).pipe(socket);
        }),
      ),
    );
    await once(upstream.socket, 'data');
    (await front.promise).resetAndDestroy();
    await closed(upstream.socket);
    expect(upstream.socket.destroyed).toBe(true);
  });
});

function fingerprint(pem: string): string {
  return new X509Certificate(pem).fingerprint256;
}

test('any hostile bytes of a server end in a refusal', async () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 80 }),
    fc
      .tuple(fc.constantFrom(20, 21, 22, 23), fc.uint8Array({ maxLength: 60 }))
      .map(([type, body]) => Buffer.from([type, 3, 3, 0, body.length, ...body])),
    fc
      .uint8Array({ maxLength: 60 })
      .map((body) => Buffer.from([22, 3, 3, 0, body.length + 4, 2, 0, 0, body.length, ...body])),
  );
  await fc.assert(
    fc.asyncProperty(bytes, async (answer) => {
      const port = await listen((socket) => socket.once('data', () => socket.end(answer)));
      expect((await refusal(reach(port))).code).toBe('upstream-protocol');
    }),
    { numRuns: rounds(100) },
  );
});
