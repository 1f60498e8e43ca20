import { once } from 'node:events';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { EgressRefusal } from '../types.ts';
import { settle, stopClock } from '../testing/stopped-clock.ts';
import { refuseClient } from './refuse-client.ts';
import { type Bench, bench, heard, origin, pair, type Pair } from './testing/pipeline.ts';

const refusal: EgressRefusal = {
  code: 'policy',
  message: 'connecting to a.example:443 is refused',
  remedy: 'ask for it',
};
const destination = { host: 'a.example', port: 443 };

interface Refused extends Pair {
  readonly done: Promise<void>;
  readonly said: Promise<string>;
}

async function refused(
  { context }: Bench,
  first: string | Buffer | undefined,
  explainTls: 'answer' | 'alert' = 'answer',
): Promise<Refused> {
  const { client, accepted } = await pair();
  const said = heard(client);
  if (first !== undefined) client.write(first);
  return {
    client,
    accepted,
    said,
    done: refuseClient({ client: accepted, destination, origin }, refusal, {
      contextFor: context.contextFor,
      explainTls,
    }),
  };
}

function secured(client: Pair['client'], { session }: Bench, servername = 'a.example'): TLSSocket {
  const secure = connectTls({
    socket: client,
    servername,
    ca: session.certificatePem,
    ALPNProtocols: ['h2', 'http/1.1'],
  });
  onTestFinished(() => void secure.destroy());
  return secure;
}

describe('a client that speaks HTTP', () => {
  test('is answered 403 with reason and remedy', async () => {
    const { said, done } = await refused(bench(''), 'GET / HTTP/1.1\r\nHost: a.example\r\n\r\n');
    const answer = await said;
    await done;
    expect(answer).toMatch(/^HTTP\/1\.1 403 /u);
    expect(answer).toContain(refusal.message);
    expect(answer).toContain(refusal.remedy);
    expect(answer).toMatch(/holdfast-refusal: policy/u);
  });

  test('is answered at once, without waiting for the rest of a request', async () => {
    stopClock();
    const { said } = await refused(
      bench(''),
      'POST / HTTP/1.1\r\nHost: a.example\r\nContent-Length: 1000000\r\n\r\npart',
    );
    expect(await said).toMatch(/^HTTP\/1\.1 403 /u);
  });

  // What is not read when a connection closes becomes a reset, and the answer with it is lost.
  test('gets its answer although it sends more than is read', async () => {
    const { said, client } = await refused(
      bench(''),
      'POST / HTTP/1.1\r\nHost: a.example\r\nContent-Length: 3000000\r\n\r\n',
    );
    client.write(Buffer.alloc(300_000));
    expect(await said).toContain(refusal.message);
  });
});

// Attack: anyone who has its answer and stays would hold descriptors of the supervisor that nobody counts.
describe('a client that stays after its answer', () => {
  test('counts as a connection until it is closed, soon', async () => {
    const { client, accepted } = await pair();
    const clock = stopClock();
    client.write('GET / HTTP/1.1\r\n\r\n');
    const done = refuseClient({ client: accepted, destination, origin }, refusal, {
      contextFor: bench('').context.contextFor,
      explainTls: 'answer',
    });
    const [answer] = (await once(client, 'data')) as [Buffer];
    expect(String(answer)).toContain('403');
    expect(accepted.destroyed).toBe(false);
    await clock.pass(3000);
    await done;
    expect(accepted.destroyed).toBe(true);
  });

  test('is released at once when it ends', async () => {
    const { client, accepted } = await pair();
    stopClock();
    client.write('GET / HTTP/1.1\r\n\r\n');
    const done = refuseClient({ client: accepted, destination, origin }, refusal, {
      contextFor: bench('').context.contextFor,
      explainTls: 'answer',
    });
    await once(client, 'data');
    client.end();
    await done;
    expect(accepted.destroyed).toBe(true);
  });
});

describe('a client that speaks TLS', () => {
  test('is answered inside TLS, with the requested name', async () => {
    const box = bench('');
    const { client, accepted } = await pair();
    const done = refuseClient({ client: accepted, destination, origin }, refusal, {
      contextFor: box.context.contextFor,
      explainTls: 'answer',
    });
    const secure = secured(client, box, 'other.example');
    await once(secure, 'secureConnect');
    expect(secure.alpnProtocol).toBe('http/1.1');
    expect(secure.getPeerCertificate().subjectaltname).toBe('DNS:other.example');
    const said = heard(secure as never);
    secure.write('GET / HTTP/1.1\r\nHost: other.example\r\n\r\n');
    expect(await said).toMatch(/^HTTP\/1\.1 403 [^]*connecting to a\.example:443 is refused/u);
    await done;
  });

  test('gets an alert if it does not trust the session’s authority', async () => {
    const box = bench('');
    const { client, accepted } = await pair();
    const done = refuseClient({ client: accepted, destination, origin }, refusal, {
      contextFor: box.context.contextFor,
      explainTls: 'alert',
    });
    const [error] = (await once(secured(client, box), 'error')) as [NodeJS.ErrnoException];
    expect(error.message).toMatch(/access denied/u);
    await done;
    expect(accepted.destroyed || accepted.writableEnded).toBe(true);
  });

  test('that leaves in the middle is released', async () => {
    const box = bench('');
    const { client, accepted } = await pair();
    const done = refuseClient({ client: accepted, destination, origin }, refusal, {
      contextFor: box.context.contextFor,
      explainTls: 'answer',
    });
    secured(client, box).on('error', () => undefined);
    setTimeout(() => client.destroy(), 5);
    await done;
    await expect.poll(() => accepted.destroyed).toBe(true);
  });

  test('that rejects the certificate is released', async () => {
    const box = bench('');
    const { client, accepted } = await pair();
    const done = refuseClient({ client: accepted, destination, origin }, refusal, {
      contextFor: box.context.contextFor,
      explainTls: 'answer',
    });
    const secure = connectTls({ socket: client, servername: 'a.example' });
    const [error] = (await once(secure, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toMatch(/CERT|ISSUER|SIGNATURE/u);
    secure.destroy();
    await done;
    expect(accepted.destroyed).toBe(true);
  });
});

describe('every other client', () => {
  test.each([
    ['speaks something else', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['begins like TLS', Buffer.from([22, 3, 1, 0, 4, 2, 0, 0, 0])],
    ['waits for the server', undefined],
    ['sends an incomplete start', 'GE'],
  ])('that %s is reset at once', async (_, first) => {
    const clock = stopClock();
    const { said, done } = await refused(bench(''), first);
    await settle();
    await clock.pass(200);
    expect(await said).toBe('reset');
    await done;
  });

  test('that is already gone costs nothing', async () => {
    const { client, accepted } = await pair();
    client.destroy();
    await refuseClient({ client: accepted, destination, origin }, refusal, {
      contextFor: bench('').context.contextFor,
      explainTls: 'answer',
    });
    expect(accepted.destroyed).toBe(true);
  });
});
