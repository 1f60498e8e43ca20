import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appendEvents } from '../src/audit/index.ts';
import { startDashboard, type Dashboard, type DashboardOptions } from '../src/dashboard/server/start.ts';
import { HoldfastError } from '../src/errors/index.ts';
import { RunningDashboard } from './lib/dashboard.ts';
import { manyEvents } from './lib/dashboard-events.ts';
import { binary, Project, repository } from './lib/holdfast.ts';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

let project: Project;
let dashboard: RunningDashboard;
let own: Readonly<Record<string, string>>;
let pass: Readonly<Record<string, string>>;

beforeAll(async () => {
  project = new Project();
  appendEvents(join(project.state, 'journal.jsonl'), [...manyEvents(20)]);
  dashboard = await RunningDashboard.start(project);
  own = { origin: dashboard.origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
});

afterAll(async () => {
  await dashboard[Symbol.asyncDispose]();
  project[Symbol.dispose]();
});

/** Sends one request byte for byte: no browser would send most of them. */
async function ask(path: string, { method = 'GET', headers = {}, body = '' }: Asked = {}): Promise<Answer> {
  const { port, host } = new URL(dashboard.origin);
  const sent = request({ host: '127.0.0.1', port, path, method, headers: { host, ...headers }, agent: false });
  sent.end(body);
  const [answer] = await once(sent, 'response');
  const chunks: Buffer[] = [];
  // The stream of events has no end.
  if (answer.headers['content-type'] === 'text/event-stream') answer.once('data', () => answer.destroy());
  for await (const chunk of answer.on('error', () => {})) chunks.push(chunk);
  return { status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks).toString() };
}

const token = (): string => new URL(dashboard.link).hash.slice(1);

test('a token opens once, from the page itself, and is worthless afterwards', async () => {
  const enter = (
    headers: Readonly<Record<string, string>>,
    body = JSON.stringify({ token: token() }),
  ): Promise<Answer> => ask('/api/enter', { method: 'POST', headers, body });
  for (const wrong of ['{}', 'null', '[]', '{"token":5}', JSON.stringify({ token: 'a'.repeat(64) })])
    expect((await enter(own, wrong)).status).toBe(403);
  expect((await enter({ ...own, origin: 'http://evil.example' })).status).toBe(403);
  expect((await enter({ ...own, 'content-type': 'text/plain' })).status).toBe(403);
  const first = await enter(own);
  expect(first.status).toBe(200);
  const [cookie = ''] = first.headers['set-cookie'] ?? [];
  expect(cookie).toMatch(/^holdfast-\d+=[0-9a-f]{64}; Path=\/api; HttpOnly; SameSite=Strict$/u);
  expect((await enter(own)).status).toBe(403);
  pass = { cookie: cookie.split(';')[0] ?? '', 'holdfast-key': (JSON.parse(first.body) as { key: string }).key };
  expect((await ask('/api/events?from=0&count=5', { headers: { ...own, ...pass } })).status).toBe(200);
});

describe('without a pass', () => {
  test.each([
    '/api/events?from=0&count=1',
    '/api/usage?range=month&by=model',
    '/api/stream',
    '/api/layers',
    '/api/layers/x',
    '/api/events/1',
    '/api/report/x',
    '/api/',
    '/api',
    '/api/unknown',
  ])('%s reveals nothing', async (path) => {
    for (const headers of [
      own,
      { ...own, cookie: pass['cookie'] ?? '' },
      { ...own, 'holdfast-key': pass['holdfast-key'] ?? '' },
      { ...own, ...pass, 'holdfast-key': '0'.repeat(64) },
    ]) {
      const answer = await ask(path, { headers });
      expect(answer.status).toBe(403);
      expect(answer.body).not.toMatch(/session|workspace/u);
    }
  });

  test.each(['/api/approvals', '/api/layers/x/accept', '/api/layers/x/discard'])('%s changes nothing', async (path) => {
    expect((await ask(path, { method: 'POST', headers: own, body: '{}' })).status).toBe(403);
  });
});

describe('with a pass, from elsewhere', () => {
  const rows: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['another name', { host: 'evil.example' }],
    ['localhost', { host: 'localhost' }],
    ['a foreign origin', { origin: 'http://evil.example' }],
    ['an origin without a name', { origin: 'null' }],
    ['another port of this address', { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
  ];
  test.each(rows)('%s is refused', async (_, headers) => {
    for (const path of ['/api/stream', '/api/events?from=0&count=1', '/page.js'])
      expect((await ask(path, { headers: { ...own, ...pass, ...headers } })).status).toBe(403);
    const answer = await ask('/api/approvals', {
      method: 'POST',
      headers: { ...own, ...pass, ...headers },
      body: '{}',
    });
    expect(answer.status).toBe(403);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('another name with the dashboard’s port is refused', async () => {
    const { port } = new URL(dashboard.origin);
    expect((await ask('/api/layers', { headers: { ...own, ...pass, host: `evil.example:${port}` } })).status).toBe(403);
  });

  test.each([
    { what: 'a link', mode: 'navigate', destination: 'document', answer: 200 },
    { what: 'a frame', mode: 'navigate', destination: 'iframe', answer: 403 },
    { what: 'a script that says it is a document', mode: 'no-cors', destination: 'document', answer: 403 },
  ])('the page itself, requested by $what: $answer', async ({ mode, destination, answer }) => {
    expect(
      (
        await ask('/', {
          headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': mode, 'sec-fetch-dest': destination },
        })
      ).status,
    ).toBe(answer);
  });

  test.each(['http://evil.example/', '//evil.example/'])('the target %s is rejected', async (target) => {
    expect((await ask(target)).status).toBe(403);
  });

  test('a web socket is not opened', async () => {
    const { port, host } = new URL(dashboard.origin);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(
      `GET /api/stream HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://evil.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
    );
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 403 /u);
    socket.destroy();
  });
});

describe('malformed requests', () => {
  test.each([
    '/api/events',
    '/api/events?from=-1&count=1',
    '/api/events?from=0&count=1000000',
    '/api/events?from=0&count=1&types=x&text=%22',
    '/api/usage',
    '/api/usage?range=month&by=host',
    '/api/usage?range=year&by=model',
    '/api/usage?range=__proto__&by=constructor',
    '/api/layers/..%2f..%2fetc',
    '/api/layers/nothing',
    '/api/report/..%2fx',
  ])('%s is an error with a remedy', async (path) => {
    const answer = await ask(path, { headers: { ...own, ...pass } });
    expect(answer.status).toBe(409);
    expect(JSON.parse(answer.body)).toMatchObject({
      code: expect.stringMatching(/^HF_/u),
      remedy: expect.stringMatching(/./u),
    });
  });

  test.each([
    '',
    '{',
    'null',
    '[]',
    '{"hash":"x","decision":"once"}',
    `{"hash":"${'a'.repeat(64)}","decision":"maybe"}`,
  ])('the answer %s is rejected', async (body) => {
    expect(
      (await ask('/api/approvals', { method: 'POST', headers: { ...own, ...pass }, body })).status,
    ).toBeGreaterThanOrEqual(400);
  });

  test('an answer to a request that no longer waits is reported as such', async () => {
    const answer = await ask('/api/approvals', {
      method: 'POST',
      headers: { ...own, ...pass },
      body: JSON.stringify({ hash: 'a'.repeat(64), decision: 'once' }),
    });
    expect(JSON.parse(answer.body)).toEqual({ kind: 'unknown' });
  });

  test('a large body is not read', async () => {
    expect(
      (
        await ask('/api/approvals', {
          method: 'POST',
          headers: { ...own, ...pass },
          body: JSON.stringify({ hash: 'a'.repeat(100_000) }),
        })
      ).status,
    ).toBe(413);
  });

  test.each(['/..%2f..%2fpackage.json', '/../package.json', '/holdfast.cjs', '/page.js.map', '/index.html'])(
    '%s is not served',
    async (path) => {
      expect((await ask(path)).status).toBe(404);
    },
  );
});

test('every answer has the protective headers', async () => {
  const answers = await Promise.all([
    ask('/'),
    ask('/page.js'),
    ask('/page.css'),
    ask('/icon.svg'),
    ask('/nothing'),
    ask('/api/layers', { headers: { ...own, ...pass } }),
    ask('/', { headers: { host: 'evil.example' } }),
  ]);
  for (const { headers } of answers) {
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
    });
    expect(headers['permissions-policy']).toContain('clipboard-read=()');
  }
});

test('no other address of this machine answers', async () => {
  const { port } = new URL(dashboard.origin);
  const others = Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses.map(({ address }) => address))
    .filter((address) => address !== '127.0.0.1');
  for (const host of [...others, '127.0.0.2']) {
    const outcome = await new Promise((resolve) =>
      connect({ host, port: Number(port) })
        .once('connect', () => resolve('connected'))
        .once('error', () => resolve('refused')),
    );
    expect([host, outcome]).toEqual([host, 'refused']);
  }
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s ends it, with pages open', async (signal) => {
  await using other = await RunningDashboard.start(project);
  const { host, port } = new URL(other.origin);
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
  socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  await once(socket, 'data');
  other.child.kill(signal);
  expect(await once(other.child, 'exit')).toEqual([0, null]);
});

test('ends after the last page has closed', async () => {
  const { environment, state } = project;
  const idle = await startDashboard({
    assets: join(repository, 'dist/dashboard'),
    ground: { paths: { state, journal: join(state, 'journal.jsonl') }, environment },
    approvals: () => ({ pending: () => [], answer: async () => ({ kind: 'unknown' }), close: () => {} }),
    idle: 200,
  });
  await idle.ended;
  await expect(fetch(`http://127.0.0.1:${idle.port}/`)).rejects.toThrow();
});

test('a port in use is reported', () => {
  const { status, stderr } = project.holdfast(['dashboard', '--no-open', '--port', new URL(dashboard.origin).port]);
  expect(status).toBe(125);
  expect(stderr).toMatch(/port \d+ cannot be used: another program uses it[^]*\[HF_USAGE\]/u);
});

test('a desktop opens the page by a private file, and no command line contains the token', async () => {
  const argv = join(project.root, 'argv');
  const opener = project.write(
    '../bin/xdg-open',
    `#!/bin/sh\nprintf '%s' "$*" > ${argv}.new; stat -c %a "$1" >> ${argv}.mode; cat "$1" > ${argv}.html; mv ${argv}.new ${argv}\n`,
  );
  chmodSync(opener, 0o755);
  const child = spawn(binary, ['dashboard', '--json'], {
    cwd: project.workspace,
    env: { ...project.environment, DISPLAY: ':0', PATH: `${dirname(opener)}:${project.environment['PATH']}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const { link } = JSON.parse(line.toString()) as { readonly link: string };
  await expect.poll(() => existsSync(argv)).toBe(true);
  const file = readFileSync(argv, 'utf8');
  expect(file).toMatch(/dashboard-\d+\.html$/u);
  expect(readFileSync(`${argv}.mode`, 'utf8')).toBe('600\n');
  expect(readFileSync(`${argv}.html`, 'utf8')).toContain(`url=${link}"`);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
  expect(existsSync(file)).toBe(false);
});

test('on a terminal Enter prints another link, which makes the previous one worthless', async () => {
  const child = spawn('script', ['-qec', `${binary} dashboard --no-open`, '/dev/null'], {
    cwd: project.workspace,
    env: project.environment,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const links = (): readonly string[] => printed.match(/http:\/\/127\.0\.0\.1:\d+\/#[0-9a-f]{64}/gu) ?? [];
  await expect.poll(() => links().length).toBe(1);
  child.stdin.write('\r');
  await expect.poll(() => links().length).toBe(2);
  const enter = async (link: string): Promise<number> => {
    const { origin, hash } = new URL(link);
    return (
      await fetch(`${origin}/api/enter`, {
        method: 'POST',
        headers: { origin, 'content-type': 'application/json' },
        body: JSON.stringify({ token: hash.slice(1) }),
      })
    ).status;
  };
  expect(await enter(links()[0] ?? '')).toBe(403);
  expect(await enter(links()[1] ?? '')).toBe(200);
  const ended = once(child, 'exit');
  child.stdin.write('\u0003');
  await ended;
});

test('a box has no dashboard, and says so', () => {
  const { status, stdout, stderr } = project.inside(`${binary} dashboard --no-open`);
  expect(status).not.toBe(0);
  expect(`${stdout}${stderr}`).toMatch(/inside a box/u);
});

async function entered(
  approvals: DashboardOptions['approvals'],
): Promise<{ readonly served: Dashboard; readonly stream: () => Promise<Response> }> {
  const { environment, state } = project;
  const served = await startDashboard({
    assets: join(repository, 'dist/dashboard'),
    ground: { paths: { state, journal: join(state, 'journal.jsonl') }, environment },
    approvals,
  });
  const { origin, hash } = new URL(served.link());
  const answer = await fetch(`${origin}/api/enter`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ token: hash.slice(1) }),
  });
  const { key } = (await answer.json()) as { readonly key: string };
  const headers = { 'holdfast-key': key, cookie: (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '' };
  return { served, stream: () => fetch(`${origin}/api/stream`, { headers }) };
}

test('the page reports that approvals cannot be watched', async () => {
  const { served, stream } = await entered(() => {
    throw new HoldfastError('HF_STATE_UNWRITABLE', 'the sockets are not ours\u202e', { remedy: 'chown them\u001b[2J' });
  });
  const answer = await stream();
  expect([answer.status, await answer.json()]).toEqual([
    409,
    { code: 'HF_STATE_UNWRITABLE', message: 'the sockets are not ours\\u{202e}', remedy: 'chown them\\u{1b}[2J' },
  ]);
  await served.close();
});

test('at most sixteen pages are open, and a closed one makes room', async () => {
  const { served, stream } = await entered(() => ({
    pending: () => [],
    answer: async () => ({ kind: 'unknown' }),
    close: () => {},
  }));
  const streams = await Promise.all(Array.from({ length: 16 }, stream));
  expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
  const refused = await stream();
  expect([refused.status, await refused.json()]).toEqual([
    409,
    { code: 'HF_USAGE', message: '16 pages are open already', remedy: 'close one' },
  ]);
  await streams[0]?.body?.cancel();
  await expect.poll(async () => (await stream()).status).toBe(200);
  await served.close();
});
