import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createAuthority } from '../../egress/tls/authority.ts';
import { identity } from '../../egress/tls/testing/servers.ts';
import { createApprovalQueue } from '../queue/approval-queue.ts';
import { subject, writing } from '../queue/testing/subjects.ts';
import type { ApprovalQueue, ApprovalOutcome, PendingApproval } from '../types.ts';
import { mostRequests, signatureHeader, signedAt, webhookChannel, type WebhookOptions } from './webhook-channel.ts';

const secret = 'a secret of more than sixteen bytes';
const authority = createAuthority();

interface Posted {
  readonly version: number;
  readonly nonce: string;
  readonly attempt: number;
  readonly last?: string;
  readonly approval: PendingApproval;
}

interface Service {
  readonly url: string;
  readonly received: Posted[];
}

type Respond = (question: Posted, response: ServerResponse) => void;

/** A service on this machine that checks its messages, as docs/approval-channels.md describes. */
async function service(respond: Respond, protocol: 'http' | 'https' = 'http'): Promise<Service> {
  const received: Posted[] = [];
  const listener: RequestListener = (request, response) =>
    void receive(request).then((question) => {
      received.push(question);
      respond(question, response);
    });
  const server =
    protocol === 'http' ? createServer(listener) : createTlsServer(identity(authority, 'localhost'), listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `${protocol}://${protocol === 'http' ? '127.0.0.1' : 'localhost'}:${port}/hook?x=1`, received };
}

async function receive(request: IncomingMessage): Promise<Posted> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  expect([request.method, request.url, request.headers['content-type']]).toEqual([
    'POST',
    '/hook?x=1',
    'application/json',
  ]);
  const timestamp = signedAt(secret, 'question', { header: String(request.headers['holdfast-signature']), body });
  expect(Math.abs(Date.now() / 1000 - (timestamp ?? 0))).toBeLessThan(60);
  return JSON.parse(body) as Posted;
}

interface Forged {
  readonly [key: string]: unknown;
}

function answerTo({ nonce, approval }: Posted, rest: Forged = {}): string {
  return JSON.stringify({
    version: 1,
    hash: approval.hash,
    nonce,
    decision: 'once',
    expires: Math.floor(Date.now() / 1000) + 60,
    ...rest,
  });
}

function send(
  response: ServerResponse,
  body: string,
  header = signatureHeader(secret, 'answer', { timestamp: Math.floor(Date.now() / 1000), body }),
): void {
  response.writeHead(200, { 'holdfast-signature': header }).end(body);
}

interface Scene {
  readonly queue: ApprovalQueue;
  readonly told: string[];
}

/** Pauses take a hundredth of their usual time. */
function scene(url: string, options: { readonly timeout?: number } & Partial<WebhookOptions> = {}): Scene {
  const { timeout = 20_000, ...rest } = options;
  const clock = {
    now: Date.now,
    elapsed: () => performance.now(),
    after: (milliseconds: number, act: () => void) => {
      const timer = setTimeout(act, milliseconds / 100);
      return () => clearTimeout(timer);
    },
  };
  const queue = createApprovalQueue({ session: 's1', workspace: '/home/dev/app', journal: () => undefined, timeout });
  const told: string[] = [];
  const close = webhookChannel(queue, {
    url,
    secret: () => Promise.resolve(secret),
    clock,
    tell: (message) => told.push(message),
    ...rest,
  });
  onTestFinished(() => {
    close();
    queue.close();
  });
  return { queue, told };
}

const allowed: ApprovalOutcome = { kind: 'allowed', decision: 'once', channel: 'webhook' };

describe('a service', () => {
  test('gets the question, and its answer counts', async () => {
    const { url, received } = await service((question, response) => send(response, answerTo(question)));
    const { queue, told } = scene(url);
    expect(await queue.ask(subject())).toEqual(allowed);
    expect(received).toMatchObject([
      {
        version: 1,
        attempt: 1,
        nonce: expect.stringMatching(/^[0-9a-f]{32}$/u),
        approval: { title: expect.any(String), lines: expect.any(Array), rule: 'ask-migrations' },
      },
    ]);
    expect(told).toEqual([]);
  });

  test('over TLS, whose certificate is verified', async () => {
    const { url } = await service((question, response) => send(response, answerTo(question)), 'https');
    const { queue } = scene(url, { authorities: [authority.certificatePem] });
    expect(await queue.ask(subject())).toEqual(allowed);
  });

  test('with an untrusted certificate never sees the question, whatever the environment', async () => {
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    onTestFinished(() => {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    });
    const { url, received } = await service((question, response) => send(response, answerTo(question)), 'https');
    const { queue, told } = scene(url, { timeout: 2000 });
    expect(await queue.ask(subject())).toMatchObject({ because: 'time-out' });
    expect(received).toEqual([]);
    expect(told).toEqual([expect.stringMatching(/^the webhook at localhost:\d+ does not work: it cannot be reached/u)]);
  });

  test('that has no answer yet is asked again, with the same nonce', async () => {
    const { url, received } = await service((question, response) =>
      question.attempt < 3
        ? response.writeHead(question.attempt === 1 ? 204 : 202).end()
        : send(response, answerTo(question, { decision: 'deny' })),
    );
    const { queue, told } = scene(url);
    expect(await queue.ask(subject())).toMatchObject({ kind: 'denied', because: 'answer' });
    expect(received.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(new Set(received.map(({ nonce }) => nonce)).size).toBe(1);
    expect(told).toEqual([]);
  });

  test('may hold the request until someone answers, and is let go when it is answered elsewhere', async () => {
    let closed = false;
    const { url, received } = await service(
      (_, response) =>
        void response.once('close', () => {
          closed = true;
        }),
    );
    const { queue } = scene(url);
    const outcome = queue.ask(subject());
    await expect.poll(() => received.length).toBe(1);
    queue.answer({ hash: queue.pending()[0]?.hash ?? '', decision: 'once', channel: 'terminal' });
    expect(await outcome).toMatchObject({ kind: 'allowed', channel: 'terminal' });
    await expect.poll(() => closed).toBe(true);
  });

  test('connected late gets the waiting questions', async () => {
    const { url } = await service((question, response) => send(response, answerTo(question)));
    const queue = createApprovalQueue({ session: 's1', workspace: '/home/dev/app', journal: () => undefined });
    const outcome = queue.ask(subject());
    const close = webhookChannel(queue, {
      url,
      secret: () => Promise.resolve(secret),
      clock: { now: Date.now, elapsed: () => 0, after: () => () => undefined },
      tell: () => undefined,
    });
    onTestFinished(close);
    expect(await outcome).toEqual(allowed);
  });
});

describe('an answer does not count that', () => {
  test.each<readonly [string, Respond, RegExp]>([
    [
      'is not signed',
      (question, response) => void response.writeHead(200).end(answerTo(question)),
      /not signed with the secret/u,
    ],
    [
      'is signed with another secret',
      (question, response) => {
        const body = answerTo(question);
        send(
          response,
          body,
          signatureHeader('another secret of that length', 'answer', {
            timestamp: Math.floor(Date.now() / 1000),
            body,
          }),
        );
      },
      /not signed with the secret/u,
    ],
    [
      'is signed as a question',
      (question, response) => {
        const body = answerTo(question);
        send(response, body, signatureHeader(secret, 'question', { timestamp: Math.floor(Date.now() / 1000), body }));
      },
      /not signed with the secret/u,
    ],
    [
      'was changed afterwards',
      (question, response) => {
        const body = answerTo(question, { decision: 'deny' });
        send(
          response,
          body.replace('deny', 'once'),
          signatureHeader(secret, 'answer', { timestamp: Math.floor(Date.now() / 1000), body }),
        );
      },
      /not signed with the secret/u,
    ],
    [
      'was signed an hour ago',
      (question, response) => {
        const body = answerTo(question);
        send(
          response,
          body,
          signatureHeader(secret, 'answer', { timestamp: Math.floor(Date.now() / 1000) - 3600, body }),
        );
      },
      /signed at another time/u,
    ],
    [
      'has expired',
      (question, response) => send(response, answerTo(question, { expires: Math.floor(Date.now() / 1000) - 1 })),
      /has expired/u,
    ],
    [
      'is to another hash',
      (question, response) => send(response, answerTo(question, { hash: 'a'.repeat(64) })),
      /answers another question/u,
    ],
    [
      'has the nonce of another question',
      (question, response) => send(response, answerTo(question, { nonce: 'a'.repeat(32) })),
      /answers another question/u,
    ],
    [
      'has an unknown decision',
      (question, response) => send(response, answerTo(question, { decision: 'allow' })),
      /form of an answer/u,
    ],
    [
      'has further keys',
      (question, response) => send(response, answerTo(question, { all: true })),
      /form of an answer/u,
    ],
    [
      'is of a newer version',
      (question, response) => send(response, answerTo(question, { version: 2 })),
      /form of an answer/u,
    ],
    ['is garbage, well signed', (_, response) => send(response, '\u0000\u001b[2J{{'), /form of an answer/u],
    [
      'is the question, sent back',
      (question, response) => send(response, JSON.stringify(question)),
      /form of an answer/u,
    ],
    [
      'comes with an error',
      (question, response) => {
        const body = answerTo(question);
        response
          .writeHead(500, {
            'holdfast-signature': signatureHeader(secret, 'answer', { timestamp: Math.floor(Date.now() / 1000), body }),
          })
          .end(body);
      },
      /the status 500/u,
    ],
    [
      'comes with another status',
      (question, response) => {
        const body = answerTo(question);
        response
          .writeHead(201, {
            'holdfast-signature': signatureHeader(secret, 'answer', { timestamp: Math.floor(Date.now() / 1000), body }),
          })
          .end(body);
      },
      /the status 201/u,
    ],
    [
      'would have another place asked',
      (_, response) => void response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
      /the status 307/u,
    ],
    [
      'breaks off',
      (_, response) => {
        response.writeHead(200, { 'content-length': 1000 });
        response.write('{');
        response.socket?.destroy();
      },
      /cannot be reached/u,
    ],
    [
      'switches to another protocol',
      (_, response) => {
        response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
      },
      /switched to another protocol/u,
    ],
    [
      'is followed by something else',
      (question, response) => {
        response.socket?.end(`HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}${JSON.stringify(question)}\r\n\r\n`);
      },
      /cannot be reached|not signed/u,
    ],
    [
      'has two lengths',
      (question, response) => {
        const body = answerTo(question);
        response.socket?.end(
          `HTTP/1.1 200 OK\r\nHoldfast-Signature: ${signatureHeader(secret, 'answer', { timestamp: Math.floor(Date.now() / 1000), body })}\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
        );
      },
      /cannot be reached/u,
    ],
    [
      'is signed twice',
      (question, response) => {
        const body = answerTo(question);
        const header = signatureHeader(secret, 'answer', { timestamp: Math.floor(Date.now() / 1000), body });
        response
          .writeHead(
            200,
            [
              ['holdfast-signature', header],
              ['holdfast-signature', header],
            ].flat(),
          )
          .end(body);
      },
      /not signed with the secret/u,
    ],
    [
      'is no HTTP',
      (_, response) => {
        response.socket?.end('SSH-2.0-OpenSSH\r\n');
      },
      /cannot be reached/u,
    ],
  ])('%s', async (...[, respond, why]) => {
    const { url } = await service(respond);
    const { queue, told } = scene(url);
    void queue.ask(subject());
    await expect.poll(() => told).toEqual([expect.stringMatching(why)]);
    expect(queue.pending()).toHaveLength(1);
    expect(told.join('\n')).not.toContain(secret);
    expect(told.join('\n')).not.toContain('x=1');
  });

  test('comes after its question is over, when the same is asked again', async () => {
    const late: (() => void)[] = [];
    const { queue } = scene('http://127.0.0.1:1/', {
      send: ({ body }) => {
        const answer = answerTo(JSON.parse(body) as Posted);
        const signature = signatureHeader(secret, 'answer', { timestamp: Math.floor(Date.now() / 1000), body: answer });
        return new Promise((resolve) =>
          late.push(() => resolve({ kind: 'response', status: 200, signature, body: answer })),
        );
      },
    });
    const first = queue.ask(subject());
    await expect.poll(() => late.length).toBe(1);
    queue.answer({ hash: queue.pending()[0]?.hash ?? '', decision: 'once', channel: 'terminal' });
    expect(await first).toMatchObject({ channel: 'terminal' });
    void queue.ask(subject());
    await expect.poll(() => late.length).toBe(2);
    late[0]?.();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(queue.pending()).toHaveLength(1);
  });

  test('is replayed from an earlier question of the same request', async () => {
    const answers: string[] = [];
    const { url } = await service((question, response) => {
      answers.push(answerTo(question));
      send(response, answers[0] ?? '');
    });
    const { queue, told } = scene(url, { timeout: 2000 });
    expect(await queue.ask(subject())).toEqual(allowed);
    expect(await queue.ask(subject())).toMatchObject({ because: 'time-out' });
    expect(told).toEqual([expect.stringMatching(/answers another question/u)]);
  });
});

describe('other channels go on', () => {
  test.each<readonly [string, Respond]>([
    ['that never answers', () => undefined],
    [
      'that sends a byte now and then',
      (_, response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write(' '), 10);
        response.once('close', () => clearInterval(timer));
      },
    ],
    ['that fails', (_, response) => void response.writeHead(500).end()],
  ])('with a service %s', async (...[, respond]) => {
    const { url, received } = await service(respond);
    const { queue } = scene(url);
    const outcome = queue.ask(subject());
    await expect.poll(() => received.length).toBeGreaterThan(0);
    queue.answer({ hash: queue.pending()[0]?.hash ?? '', decision: 'session', channel: 'dashboard' });
    expect(await outcome).toMatchObject({ kind: 'allowed', channel: 'dashboard' });
  });

  test('with a service that answers with a gigabyte: it is cut off', async () => {
    let sent = 0;
    const { url } = await service((_, response) => {
      const chunk = Buffer.alloc(65_536, 32);
      const more = (): void => {
        while (!response.destroyed && sent < 1e9) {
          sent += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', more);
        }
      };
      response.writeHead(200);
      more();
    });
    const { queue, told } = scene(url, { timeout: 2000 });
    const outcome = queue.ask(subject());
    await expect.poll(() => told).toEqual([expect.stringMatching(/more than 65536 bytes/u)]);
    expect(await outcome).toMatchObject({ because: 'time-out' });
    expect(sent).toBeLessThan(100e6);
  });

  test.each([
    [
      'cannot be read',
      () => Promise.reject(new Error('the secret of the webhook cannot be read: no such file')),
      /cannot be read/u,
    ],
    ['is short', () => Promise.resolve('short'), /fewer than 16 bytes/u],
  ])('where its secret %s: nothing is sent', async (...[, read, why]) => {
    const { url, received } = await service((question, response) => send(response, answerTo(question)));
    const { queue, told } = scene(url, { secret: read, timeout: 2000 });
    expect(await queue.ask(subject())).toMatchObject({ because: 'time-out' });
    expect(told).toEqual([expect.stringMatching(why)]);
    expect(received).toEqual([]);
  });

  test('without anyone at the other end', async () => {
    const { queue, told } = scene('http://127.0.0.1:1/', { timeout: 2000 });
    expect(await queue.ask(subject())).toMatchObject({ because: 'time-out' });
    expect(told).toEqual(['the webhook at 127.0.0.1:1 does not work: it cannot be reached (ECONNREFUSED)']);
  });
});

test('a flood of questions is no flood of requests, and each has its turn', async () => {
  let open = 0;
  let most = 0;
  const { url, received } = await service((_, response) => {
    open += 1;
    most = Math.max(most, open);
    setTimeout(() => {
      open -= 1;
      response.writeHead(204).end();
    }, 5);
  });
  const { queue } = scene(url);
  for (let index = 0; index < 200; index += 1) void queue.ask(subject(writing(`/home/dev/app/${index}`)));
  await expect.poll(() => new Set(received.map(({ approval }) => approval.hash)).size).toBe(200);
  expect(most).toBeLessThanOrEqual(mostRequests);
});

test('codes: a service hears what became of its answer, and the same answer is not tried again', async () => {
  const checked: string[] = [];
  const codes = {
    covers: () => true,
    check: (code: string) => {
      checked.push(code);
      return { kind: code === '222222' ? 'right' : 'wrong' } as const;
    },
  };
  let wrong = '';
  const { url, received } = await service((question, response) => {
    if (question.attempt <= 4)
      return send(
        response,
        (wrong ||= answerTo(question, { code: '111111' })),
        signatureHeader(secret, 'answer', { timestamp: Math.floor(question.approval.askedAt / 1000), body: wrong }),
      );
    send(response, answerTo(question, { code: '222222' }));
  });
  const queue = createApprovalQueue({ session: 's1', workspace: '/home/dev/app', journal: () => undefined, codes });
  const close = webhookChannel(queue, {
    url,
    secret: () => Promise.resolve(secret),
    clock: {
      now: Date.now,
      elapsed: () => 0,
      after: (_, act) => {
        const timer = setTimeout(act, 5);
        return () => clearTimeout(timer);
      },
    },
    tell: () => undefined,
  });
  onTestFinished(close);
  expect(await queue.ask(subject())).toEqual(allowed);
  expect(checked).toEqual(['111111', '222222']);
  expect(received.map(({ last }) => last)).toEqual([undefined, 'code-wrong', 'code-wrong', 'code-wrong', 'code-wrong']);
});
