import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ConnectRequest, HttpRequest } from '../../policy/request.ts';
import { serve } from '../dial/testing/loopback.ts';
import type { ConnectionApproval, Broker } from '../types.ts';
import type { ServedConnection } from './context.ts';
import { serveConnection, serveRequests } from './serve-connection.ts';
import { type Bench, bench, type BenchOptions, heard, sent } from './testing/pipeline.ts';
import { upstreamAuthority, web } from './testing/web.ts';

const host = 'a.example';
const through =
  ({ context }: Bench) =>
  (served: ServedConnection) =>
    serveConnection(served, context);
const connectRule = '[[connect]]\nname = "asking"\ndecision = "ask"\nhosts = ["*.example"]\n';

interface Question {
  readonly request: ConnectRequest | HttpRequest;
  readonly signal: AbortSignal | undefined;
  answer(approval: ConnectionApproval): void;
}

interface Asking extends Bench {
  readonly questions: Question[];
  /** The next question, once it is there. */
  question(): Promise<Question>;
}

/** A box under a policy, whose questions wait for the test. */
function asking(policy: string, { authority = {}, ...more }: BenchOptions = {}): Asking {
  const questions: Question[] = [];
  let told = 0;
  const approve = (
    request: ConnectRequest | HttpRequest,
    _verdict: unknown,
    signal?: AbortSignal,
  ): Promise<ConnectionApproval> =>
    new Promise((answer) => {
      questions.push({ request, signal, answer });
      signal?.addEventListener('abort', () => answer({ kind: 'denied', message: 'anyone who asked is gone' }));
    });
  const box = bench(policy, {
    roots: [upstreamAuthority.certificatePem],
    ...more,
    authority: { approve, ...authority },
  });
  return {
    ...box,
    questions,
    async question() {
      await expect.poll(() => questions.length).toBeGreaterThan(told);
      told += 1;
      return questions[told - 1] ?? expect.unreachable();
    },
  };
}

const granted = (port: number): string => `[network]\nhosts = ["127.0.0.1:${port}"]\n`;

describe('a connection that waits for an approval', () => {
  test.each(['allowed', 'denied'] as const)('resolves and dials nothing before the answer, and is %s', async (kind) => {
    const { port } = await serve((socket) => void socket.end('served'));
    const box = asking(granted(port) + connectRule);
    const { client, ended } = await sent({ host, port }, through(box));
    const said = heard(client);
    client.write(`GET / HTTP/1.1\r\nHost: ${host}:${port}\r\n\r\n`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const { request, answer } = await box.question();
    expect(request).toEqual({ kind: 'connect', host, port, protocol: 'tcp' });
    expect([box.lookups, box.dialled]).toEqual([[], []]);
    answer(kind === 'allowed' ? { kind } : { kind, message: 'it was denied when asked' });
    expect(await said).toMatch(kind === 'allowed' ? /^served/u : /^HTTP\/1\.1 403 [^]*it was denied when asked/u);
    await ended;
    expect(box.lookups).toEqual(kind === 'allowed' ? [host] : []);
    expect(box.questions).toHaveLength(1);
  });

  test('delivers all bytes, and the end, that its client sent while it waited', async () => {
    const { port } = await serve((socket) => void socket.pipe(socket));
    const box = asking(granted(port) + connectRule, { hasLeft: () => false });
    const { client, ended } = await sent({ host, port }, through(box));
    const said = heard(client);
    client.end('x'.repeat(300_000));
    const { answer } = await box.question();
    await new Promise((resolve) => setTimeout(resolve, 100));
    answer({ kind: 'allowed' });
    expect(await said).toBe('x'.repeat(300_000));
    await ended;
  });

  test.each(['a reset', 'an end', 'an end after bytes'])('is withdrawn by %s of a client that is gone', async (way) => {
    const { port } = await serve((socket) => void socket.end('served'));
    let isThere = true;
    const box = asking(granted(port) + connectRule, { hasLeft: () => !isThere });
    const { client, ended } = await sent({ host, port }, through(box));
    const { signal } = await box.question();
    expect(signal?.aborted).toBe(false);
    isThere = false;
    if (way === 'a reset') client.resetAndDestroy();
    else client.end(way === 'an end' ? '' : 'bytes');
    await ended;
    expect(signal?.aborted).toBe(true);
    expect(box.dialled).toEqual([]);
  });

  test('is not withdrawn by a client that has ended its half, until it is gone', async () => {
    const { port } = await serve((socket) => void socket.end('served'));
    let isThere = true;
    const box = asking(granted(port) + connectRule, { hasLeft: () => !isThere });
    const { client } = await sent({ host, port }, through(box));
    const { signal } = await box.question();
    client.end('everything');
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(signal?.aborted).toBe(false);
    isThere = false;
    await expect.poll(() => signal?.aborted).toBe(true);
  });

  test('needs one approval even if a broker opens more connections', async () => {
    const { port } = await serve((socket) => void socket.end('served'));
    const broker: Broker = {
      name: 'postgres',
      async serve(client, ways) {
        const kinds = [await ways.dial(), await ways.dial()].map(({ kind }) => kind);
        client.end(kinds.join());
      },
    };
    const box = asking(granted(port) + connectRule, { broker: () => broker });
    const { client, ended } = await sent({ host, port }, through(box));
    const said = heard(client);
    (await box.question()).answer({ kind: 'allowed' });
    expect(await said).toBe('dialled,dialled');
    await ended;
    expect(box.questions).toHaveLength(1);
  });

  test('needs a new approval for the next client', async () => {
    const { port } = await serve((socket) => void socket.end('served'));
    const box = asking(granted(port) + connectRule);
    for (let round = 1; round <= 2; round += 1) {
      const { client, ended } = await sent({ host, port }, through(box));
      const said = heard(client);
      (await box.question()).answer({ kind: 'allowed' });
      expect(await said).toBe('served');
      await ended;
      expect(box.questions).toHaveLength(round);
    }
  });

  test('covers the requests without a rule of their own, and no others', async () => {
    const { port } = await serve(
      (socket) => void socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')),
    );
    const box = asking(
      `${granted(port)}${connectRule}[[http]]\nname = "posts"\ndecision = "ask"\nhosts = ["${host}"]\nmethods = ["POST"]\n`,
    );
    const { client } = await sent({ host, port }, (served) => serveRequests(served, box.context));
    const request = (method: string): void =>
      void client.write(
        `${method} / HTTP/1.1\r\nHost: ${host}:${port}\r\n${method === 'POST' ? 'Content-Length: 0\r\n' : ''}\r\n`,
      );
    request('GET');
    const first = await box.question();
    expect(first.request.kind).toBe('connect');
    expect(box.lookups).toEqual([]);
    first.answer({ kind: 'allowed' });
    await once(client, 'data');
    request('GET');
    await once(client, 'data');
    request('POST');
    const post = await box.question();
    expect(post.request).toMatchObject({ kind: 'http', method: 'POST' });
    post.answer({ kind: 'denied', message: 'it was denied when asked' });
    const [refusal] = (await once(client, 'data')) as [Buffer];
    expect(refusal.toString()).toMatch(/^HTTP\/1\.1 403 [^]*it was denied when asked/u);
    expect(box.questions).toHaveLength(2);
  });
});

describe('requests inside TLS that only an approval can allow', () => {
  const policy = (port: number): string =>
    `${granted(port)}[[http]]\nname = "asking"\ndecision = "ask"\nhosts = ["*.example"]\n`;

  test.each([
    [['h2', 'http/1.1'], 'http/1.1'],
    [['http/1.1'], 'http/1.1'],
    [['h2'], 'h2'],
  ] as const)('of a client that offers %j dial nothing before the answer', async (offered, spoken) => {
    const { port, asked } = await web(spoken === 'h2' ? 'h2' : 'h1');
    const box = asking(policy(port));
    const { client } = await sent({ host, port }, through(box));
    const secure = connectTls({
      socket: client,
      servername: host,
      ca: box.session.certificatePem,
      ALPNProtocols: [...offered],
    });
    onTestFinished(() => void secure.destroy());
    await once(secure, 'secureConnect');
    expect(secure.alpnProtocol).toBe(spoken);
    const answered = spoken === 'h2' ? overHttp2(secure, port) : overHttp1(secure, port);
    const { request, answer } = await box.question();
    expect(request).toMatchObject({ kind: 'http', path: '/secret' });
    expect([box.lookups, box.dialled, asked]).toEqual([[], [], []]);
    answer({ kind: 'allowed' });
    expect(await answered).toContain('answer');
    expect(asked).toEqual(['GET /secret']);
  });

  test('are withdrawn one by one over HTTP/2, and with their connection', async () => {
    const { port } = await web('h2');
    const box = asking(policy(port));
    const { client } = await sent({ host, port }, through(box));
    const secure = connectTls({
      socket: client,
      servername: host,
      ca: box.session.certificatePem,
      ALPNProtocols: ['h2'],
    });
    const session = connectHttp2(`https://${host}:${port}`, { createConnection: () => secure });
    session.on('error', () => undefined);
    const [one, other] = ['/1', '/2'].map((path) => session.request({ ':path': path }).on('error', () => undefined));
    const [first, second] = [await box.question(), await box.question()];
    one?.close();
    await expect.poll(() => first.signal?.aborted).toBe(true);
    expect(second.signal?.aborted).toBe(false);
    session.destroy();
    await expect.poll(() => second.signal?.aborted).toBe(true);
    expect(other).toBeDefined();
  });

  test('are withdrawn with their connection over HTTP/1.1', async () => {
    const { port } = await web('h1');
    const box = asking(policy(port));
    const { client } = await sent({ host, port }, through(box));
    const secure = connectTls({ socket: client, servername: host, ca: box.session.certificatePem });
    await once(secure, 'secureConnect');
    secure.write(`GET / HTTP/1.1\r\nHost: ${host}:${port}\r\n\r\n`);
    const { signal } = await box.question();
    client.destroy();
    await expect.poll(() => signal?.aborted).toBe(true);
  });
});

async function overHttp1(secure: Socket, port: number): Promise<string> {
  const said = heard(secure);
  secure.write(`GET /secret HTTP/1.1\r\nHost: ${host}:${port}\r\nConnection: close\r\n\r\n`);
  return said;
}

async function overHttp2(secure: Socket, port: number): Promise<string> {
  const session = connectHttp2(`https://${host}:${port}`, { createConnection: () => secure });
  onTestFinished(() => session.destroy());
  const stream = session.request({ ':path': '/secret' });
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}
