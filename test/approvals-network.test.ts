import { readFileSync } from 'node:fs';
import process from 'node:process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { dealt } from '../scripts/testing/extent.ts';
import type { JournalEvent } from '../src/audit/index.ts';
import { hasRedis, startRedis } from '../src/credentials/redis/testing/redis.ts';
import { replyTo, type RunningNameServer, startNameServer } from '../src/egress/resolve/testing/name-server.ts';
import { asked, type Running, running, waiting, watching } from './lib/approvals.ts';
import { backends } from './lib/holdfast.ts';
import { publicFile } from './network/lib/public-file.ts';
import { identityFor, newAuthority, secureServer, tellRequest, webServer } from './network/lib/servers.ts';
import { World, type WorldOptions } from './network/lib/world.ts';

const name = 'web.example';
const secret = 'EXAMPLE-real-secret-of-the-api';

interface Upstream {
  readonly port: number;
  /** Received requests: method, path, and the field `authorization`. */
  readonly arrived: string[];
  /** Connections so far. */
  readonly accepted: readonly unknown[];
  /** PEM file of the authority behind it. */
  readonly ca: string;
}

type Handler = (request: Parameters<typeof tellRequest>[0], response: Parameters<typeof tellRequest>[1]) => void;

async function upstream(scheme: 'http' | 'https'): Promise<Upstream> {
  const arrived: string[] = [];
  const authority = newAuthority();
  const handler: Handler = (request, response) => {
    arrived.push([request.method, request.url, request.headers.authorization].filter(Boolean).join(' '));
    tellRequest(request, response);
  };
  const { port, accepted } = await (scheme === 'http'
    ? webServer(handler)
    : secureServer(identityFor(authority, name), handler));
  return { port, arrived, accepted, ca: publicFile('ca.pem', authority.certificatePem) };
}

/** A world whose policy asks, with a person in another terminal. */
async function asking(policy: string, options: Partial<WorldOptions> = {}): Promise<World> {
  const world = new World({ names: [name], ...options, policy });
  await watching(world.project);
  return world;
}

const start = (world: World, words: readonly string[]): Running => running(world.start(words));
/** `allow ID`, in another terminal. */
const answer = (world: World, ...words: readonly string[]): void =>
  expect(world.project.holdfast(['approvals', ...words])).toMatchObject({ status: 0, stderr: '' });
const resolutions = (world: World): readonly JournalEvent[] =>
  (world.journal() as unknown as readonly JournalEvent[]).filter(({ type }) => type === 'approval.resolved');

const granted = (port: number): string => `[network]\nhosts = ["127.0.0.1:${port}"]\n`;
const trusting = ({ port, ca }: Upstream): string =>
  `[network]\nhosts = ["${name}:${port}", "127.0.0.1:${port}"]\nca = ["${ca}"]\n`;
const connectRule = '[[connect]]\nname = "first"\ndecision = "ask"\nhosts = ["*.example"]\n';
const postRule = `[[http]]\nname = "posts"\ndecision = "ask"\nhosts = ["${name}"]\nmethods = ["POST"]\n`;
const credential = (port: number): string =>
  `[[credentials]]\nname = "api"\ndecision = "ask"\nsource = { env = "REAL_SECRET" }\nhosts = ["${name}:${port}"]\ninject = { kind = "bearer" }\nenvironment = ["API_TOKEN"]\n`;

interface Point {
  readonly scheme: 'http' | 'https';
  policy(served: Upstream): string;
  words(served: Upstream): readonly string[];
  readonly title: RegExp;
  readonly allowed: RegExp;
  readonly denied: RegExp;
  readonly arrives: string;
  /** Connections that may exist before the answer: Holdfast dials a granted host to learn its protocol. */
  readonly dialled?: number;
}

const inBox = (...argv: readonly string[]): readonly string[] => ['run', '--', ...argv];
const deniedText = /Holdfast refused [^]*first of [^]*; it was denied when asked/u;

const points: Readonly<Record<string, Point>> = {
  'a connection': {
    scheme: 'http',
    policy: ({ port }) => granted(port) + connectRule,
    words: ({ port }) => inBox('curl', '-sS', `http://${name}:${port}/`),
    title: /connect to web\.example/u,
    allowed: /^GET web\.example \/$/mu,
    denied: deniedText,
    arrives: 'GET /',
  },
  'a connection that is carried on unseen': {
    scheme: 'https',
    policy: ({ port }) => granted(port) + connectRule,
    words: ({ port }) => inBox('curl', '-sSk', `https://${name}:${port}/`),
    title: /connect to web\.example/u,
    allowed: /^GET web\.example \/$/mu,
    denied: /^holdfast: connecting to web\.example:\d+ waits for approval: first of [^]*; it was denied when asked/mu,
    arrives: 'GET /',
  },
  'an HTTP/1.1 request': {
    scheme: 'https',
    policy: (served) => trusting(served) + postRule,
    words: ({ port }) => inBox('curl', '-sS', '--http1.1', '-d', 'body', `https://${name}:${port}/items?all=1`),
    title: /POST https:\/\/web\.example:\d+\/items/u,
    allowed: /^POST web\.example \/items\?all=1\nbody/mu,
    denied: /Holdfast refused this request: [^]*posts of [^]*; it was denied when asked/u,
    arrives: 'POST /items?all=1',
  },
  'an HTTP/2 request': {
    scheme: 'https',
    policy: (served) => trusting(served) + postRule,
    words: ({ port }) =>
      inBox('curl', '-sS', '--http2', '-d', 'body', '-w', 'version %{http_version}', `https://${name}:${port}/items`),
    title: /POST https:\/\/web\.example:\d+\/items/u,
    allowed: /^POST web\.example \/items\nbodyversion 2/mu,
    denied: /; it was denied when asked[^]*version 2/u,
    arrives: 'POST /items',
    dialled: 1,
  },
  'a request that nothing else grants': {
    scheme: 'https',
    policy: (served) => `${granted(served.port)}ca = ["${served.ca}"]\n${postRule}`,
    words: ({ port }) => inBox('curl', '-sS', '--http2', '-d', 'body', `https://${name}:${port}/items`),
    title: /POST https:\/\/web\.example:\d+\/items/u,
    allowed: /^POST web\.example \/items\nbody/mu,
    denied: /; it was denied when asked/u,
    arrives: 'POST /items',
  },
  'a fetch': {
    scheme: 'http',
    policy: ({ port }) => granted(port) + connectRule,
    words: ({ port }) => ['fetch', `http://${name}:${port}/page`],
    title: /GET http:\/\/web\.example:\d+\/page/u,
    allowed: /^GET web\.example \/page$/mu,
    denied: /^holdfast: GET http:\/\/web\.example:\d+\/page waits for approval: [^]*; it was denied when asked/mu,
    arrives: 'GET /page',
  },
  'a credential': {
    scheme: 'https',
    policy: (served) => trusting(served) + credential(served.port),
    words: ({ port }) =>
      inBox('sh', '-c', `curl -sS --http1.1 -H "Authorization: Bearer $API_TOKEN" https://${name}:${port}/account`),
    title: /GET https:\/\/web\.example:\d+\/account/u,
    allowed: /^GET web\.example \/account$/mu,
    denied: /Holdfast refused this request: The credential "api" is used at [^]*; it was denied when asked/u,
    arrives: `GET /account Bearer ${secret}`,
  },
};

describe.each(Object.entries(points))('%s', { timeout: 60_000 }, (_, point) => {
  test.each(['allow', 'deny'] as const)('waits for someone in another terminal, who answers %s', async (how) => {
    const served = await upstream(point.scheme);
    const world = await asking(point.policy(served), { environment: { REAL_SECRET: secret } });
    const run = start(world, point.words(served));
    const { id, title, hash, lines } = await asked(world.project).catch((error: unknown) =>
      expect.unreachable(`${String(error)}: ${run.printed()}`),
    );
    expect(title).toMatch(point.title);
    expect(lines.join('\n')).not.toContain(secret);
    expect([served.arrived, served.accepted.length]).toEqual([[], point.dialled ?? 0]);
    answer(world, how, id);
    await run.status;
    expect(run.printed()).toMatch(how === 'allow' ? point.allowed : point.denied);
    expect(served.arrived).toEqual(how === 'allow' ? [point.arrives] : []);
    expect(resolutions(world)).toMatchObject([
      { hash, decision: how === 'allow' ? 'once' : 'deny', channel: 'terminal' },
    ]);
    expect(readFileSync(`${world.project.state}/journal.jsonl`, 'utf8')).not.toContain(secret);
  });
});

describe('the reason of a refusal', { timeout: 60_000 }, () => {
  const post = ({ port }: Upstream): readonly string[] => inBox('curl', '-sS', '-d', 'x', `https://${name}:${port}/`);

  test('names the time-out if no one answered', async () => {
    const served = await upstream('https');
    const world = await asking(`[approvals]\ntimeout = "1s"\n${trusting(served)}${postRule}`);
    const run = start(world, post(served));
    expect(await run.status).toBe(0);
    expect(run.printed()).toContain('; nobody answered within 1 s, so it was denied');
    expect(served.arrived).toEqual([]);
  });

  test('names the absence of an approver', async () => {
    const served = await upstream('https');
    const world = new World({ names: [name], policy: trusting(served) + postRule });
    const { stdout } = await world.holdfast(post(served));
    expect(stdout).toContain('; nobody was there to ask, so it was denied');
    expect(served.arrived).toEqual([]);
  });
});

describe('once and session', { timeout: 60_000 }, () => {
  const twice = (port: number): readonly string[] =>
    inBox('sh', '-c', `curl -sS http://${name}:${port}/1; curl -sS http://${name}:${port}/2`);

  test('once covers one connection', async () => {
    const served = await upstream('http');
    const world = await asking(granted(served.port) + connectRule);
    const run = start(world, twice(served.port));
    const first = await asked(world.project);
    answer(world, 'allow', first.id, '--once');
    const second = await asked(world.project);
    expect(second.hash).toBe(first.hash);
    expect(served.arrived).toEqual(['GET /1']);
    answer(world, 'deny', second.id);
    await run.status;
    expect(served.arrived).toEqual(['GET /1']);
  });

  test('a session covers all equal connections', async () => {
    const served = await upstream('http');
    const world = await asking(granted(served.port) + connectRule);
    const run = start(world, twice(served.port));
    answer(world, 'allow', (await asked(world.project)).id, '--session');
    expect(await run.status).toBe(0);
    expect(served.arrived).toEqual(['GET /1', 'GET /2']);
    expect(resolutions(world)).toHaveLength(1);
  });

  test.each(['http1.1', 'http2'])('a kept connection does not avoid a question: %s', async (version) => {
    const served = await upstream('https');
    const world = await asking(trusting(served) + postRule);
    const url = `https://${name}:${served.port}/`;
    // One process of curl keeps its connection, and the second finds it.
    const both = ['curl', '-sS', `--${version}`, '-d', 'x', url, url].join(' ');
    const run = start(
      world,
      inBox('sh', '-c', `curl -sS --${version} ${url}; ${both}; curl -sS --${version} -d x ${url}`),
    );
    const first = await asked(world.project);
    expect(served.arrived).toEqual(['GET /']);
    answer(world, 'allow', first.id, '--once');
    const second = await asked(world.project);
    expect(served.arrived).toEqual(['GET /', 'POST /']);
    answer(world, 'deny', second.id);
    await run.status;
    expect(run.printed()).toMatch(
      /; it was denied when asked[^]*; the same request was denied before, so it is not asked again for/u,
    );
    expect(served.arrived).toEqual(['GET /', 'POST /']);
  });

  test('many equal connections at once are one question', async () => {
    const served = await upstream('https');
    const world = await asking(trusting(served) + postRule);
    const run = start(
      world,
      inBox('sh', '-c', `for i in 1 2 3 4 5 6 7 8; do curl -sS -d same https://${name}:${served.port}/ & done; wait`),
    );
    await asked(world.project, ({ waiting: callers }) => callers === 8);
    expect([waiting(world.project).length, served.arrived]).toEqual([1, []]);
    answer(world, 'allow', waiting(world.project)[0]?.id ?? '', '--once');
    expect(await run.status).toBe(0);
    expect(served.arrived).toHaveLength(8);
    expect(resolutions(world)).toHaveLength(1);
  });
});

describe('a client that is gone withdraws its question', { timeout: 60_000 }, () => {
  const ways: Readonly<
    Record<string, readonly ['http' | 'https', (served: Upstream) => string, (port: number) => string]>
  > = {
    'a connection': ['http', ({ port }) => granted(port) + connectRule, (port) => `curl -sS http://${name}:${port}/`],
    'a connection that has spoken TLS': [
      'https',
      ({ port }) => granted(port) + connectRule,
      (port) => `curl -sSk https://${name}:${port}/`,
    ],
    'a plain request': [
      'http',
      ({ port }) => granted(port) + postRule,
      (port) => `curl -sS -d x http://${name}:${port}/`,
    ],
    'an HTTP/1.1 request': [
      'https',
      (served) => trusting(served) + postRule,
      (port) => `curl -sS --http1.1 -d x https://${name}:${port}/`,
    ],
    'an HTTP/2 request': [
      'https',
      (served) => trusting(served) + postRule,
      (port) => `curl -sS --http2 -d x https://${name}:${port}/`,
    ],
    'a use of a credential': [
      'https',
      (served) => trusting(served) + credential(served.port),
      (port) => `curl -sS -H "Authorization: Bearer $API_TOKEN" https://${name}:${port}/`,
    ],
  };

  test.each(
    backends.flatMap((backend, place) =>
      dealt(Object.entries(ways), backends.length, place).map(([what, way]) => [backend, what, way] as const),
    ),
  )('%s: %s', async (backend, _, [scheme, policy, command]) => {
    const served = await upstream(scheme);
    const world = await asking(policy(served), { environment: { REAL_SECRET: secret } });
    const run = start(world, [
      'run',
      '--backend',
      backend,
      '--',
      'sh',
      '-c',
      `${command(served.port)} & read go < go; kill -9 $!; read end < end`,
    ]);
    world.project.outside('mkfifo', ['go', 'end']);
    expect(run.child.exitCode).toBeNull();
    const { id } = await asked(world.project);
    world.project.outside('sh', ['-c', 'echo > go']);
    await expect.poll(() => waiting(world.project), { interval: 200 }).toEqual([]);
    expect(world.project.holdfast(['approvals', 'allow', id]).stderr).toContain(`no waiting approval has the ID ${id}`);
    expect(resolutions(world)).toMatchObject([{ decision: 'deny', because: 'withdrawn' }]);
    expect(served.arrived).toEqual([]);
    world.project.outside('sh', ['-c', 'echo > end']);
    await run.status;
  });
});

const isRoot = process.getuid?.() === 0;
if (!isRoot) console.warn('SKIPPED: look-ups before an answer, because only root can serve port 53');

describe.skipIf(!isRoot)('no one outside learns the name before the answer', { timeout: 60_000 }, () => {
  const address = '127.0.0.77';
  const hidden = '736563726574.web.example';

  async function nameServer(): Promise<RunningNameServer> {
    const server = await startNameServer((question) => [replyTo(question, { rcode: 3 })], address, 53);
    onTestFinished(() => server[Symbol.asyncDispose]());
    return server;
  }

  const policies: Readonly<Record<string, (port: number) => string>> = {
    'a rule about connections': () => '[[connect]]\nname = "first"\ndecision = "ask"\nhosts = ["*.web.example"]\n',
    'a rule about requests': () => '[[http]]\nname = "first"\ndecision = "ask"\nhosts = ["*.web.example"]\n',
    'a rule beside a host that is granted': () =>
      '[[connect]]\nname = "first"\ndecision = "ask"\nhosts = ["*.web.example"]\n',
  };

  test.each(
    Object.entries(policies).flatMap(([rule, policy], place) =>
      dealt(['fake', 'real'] as const, 2, place).map((dns) => [rule, dns, policy] as const),
    ),
  )('%s, with %s addresses', async (rule, dns, policy) => {
    const server = await nameServer();
    const served = await upstream('https');
    const hosts = rule.includes('granted')
      ? `"*.web.example", "127.0.0.1:${served.port}"`
      : `"127.0.0.1:${served.port}"`;
    const world = await asking(`[network]\nhosts = [${hosts}]\ndns = "${dns}"\n${policy(served.port)}`, {
      files: { '/etc/resolv.conf': `nameserver ${address}\n` },
    });
    const run = start(
      world,
      inBox(
        'sh',
        '-c',
        `getent ahostsv4 ${hidden} | head -1; curl -sSk --http2 https://${hidden}:${served.port}/; curl -sSk --http2 https://${hidden}:${served.port}/`,
      ),
    );
    const first = await asked(world.project);
    expect(first.lines.join('\n')).toContain(hidden);
    expect(server.asked.map(({ name: sought }) => sought)).toEqual([]);
    answer(world, 'allow', first.id, '--once');
    const second = await asked(world.project);
    expect(new Set(server.asked.map(({ name: sought }) => sought))).toEqual(new Set([hidden]));
    const before = server.asked.length;
    answer(world, 'deny', second.id);
    await run.status;
    expect(run.printed()).toMatch(/^198\.1[89]\./mu);
    expect(server.asked).toHaveLength(before);
  });
});

if (!hasRedis)
  console.warn(
    'SKIPPED: a broker whose credential asks, because Redis is not installed (Debian: apt-get install redis-server)',
  );

describe.skipIf(!hasRedis)('a broker', { timeout: 60_000 }, () => {
  const password = 'real-EXAMPLE-password-of-the-cache';
  const cli = 'redis-cli --no-auth-warning -u "$REDIS_URL"';

  test('asks before each client, and opens and sends nothing before', async () => {
    const redis = await startRedis({ password });
    onTestFinished(() => redis.stop());
    const world = await asking(
      `[network]
hosts = ["localhost:${redis.port}"]
[[credentials]]
name = "cache"
decision = "ask"
source = { env = "REAL_PASSWORD" }
hosts = ["localhost:${redis.port}"]
inject = { kind = "redis", mode = "read-write", tls = "disable" }
environment = ["REDIS_URL=redis://default:{phantom}@localhost:${redis.port}"]
`,
      { environment: { REAL_PASSWORD: password } },
    );
    const connections = (): string => /total_connections_received:(\d+)/u.exec(redis.admin('INFO', 'stats'))?.[1] ?? '';
    const run = start(world, inBox('sh', '-c', `${cli} SET greeting hello; ${cli} DEL greeting`));
    const first = await asked(world.project);
    expect(first.lines.join('\n')).toContain('with the secret of the credential "cache"');
    const before = Number(connections());
    expect(Number(connections())).toBe(before + 1);
    answer(world, 'allow', first.id, '--once');
    const second = await asked(world.project);
    expect(Number(connections())).toBe(before + 3);
    answer(world, 'deny', second.id);
    await run.status;
    expect(run.printed()).toContain('OK\n');
    expect(run.printed()).toMatch(/The credential "cache" is used at [^]*; it was denied when asked/u);
    expect(redis.admin('GET', 'greeting')).toBe('hello');
  });
});
