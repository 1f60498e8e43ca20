import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dealt } from '../../../scripts/testing/extent.ts';
import type { Refused } from '../types.ts';
import { type CertificateAuthority, createAuthority } from './authority.ts';
import type { ClientHello } from './client-hello.ts';
import { deadlineOf } from './deadline.ts';
import { leafContexts } from './leaf.ts';
import { storeBags, trustStore } from './trust.ts';
import { readClientHello } from './read-client-hello.ts';
import { clients, type Client, type Target, whyNot } from './testing/clients.ts';
import { listen, scratch } from './testing/loopback.ts';
import { programPath, reason } from './testing/programs.ts';
import { terminateTls, type Terminated } from './terminate.ts';

/** Real programs, some of which take seconds to start: the leaves, the hellos and the refusals are shown to each. */
const authority = createAuthority();
const contextFor = leafContexts(authority);
const stranger = createAuthority();
const body = `${'1'.repeat(40)}\trefs/heads/hello\n`;

const longName = `${'a-rather-long-label-of-a-name'.repeat(2)}.which-has-more-than-sixty-four-characters.example.com`;
const anyNames = ['api.example.com', longName, 'xn--bcher-kva.example', '127.0.0.1'];

/** A server that ends TLS for `host`, answers everything with `body`, and remembers what came of it. */
async function serve(host: string, outcomes: (Terminated | Refused)[]): Promise<number> {
  return listen((socket) => {
    void terminateTls(socket, { host, alpn: ['http/1.1'], contextFor }).then((outcome) => {
      outcomes.push(outcome);
      if (outcome.kind === 'secured')
        outcome.socket.once('data', () =>
          outcome.socket.end(
            `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
          ),
        );
    });
  });
}

function target(host: string, port: number, trusted: CertificateAuthority): Target {
  const directory = scratch();
  const authorities = join(directory, 'authorities.pem');
  const javaStore = join(directory, 'authorities.p12');
  writeFileSync(authorities, trusted.certificatePem);
  writeFileSync(javaStore, trustStore(storeBags([trusted.certificateDer])));
  return { host, address: '127.0.0.1', port, authorities, javaStore, directory };
}

function namesFor(client: Client): readonly string[] {
  return {
    'any name': anyNames,
    'a few names': [longName, '127.0.0.1'],
    'names that resolve': ['localhost', '127.0.0.1'],
  }[client.reaches];
}

/** What a client sends first, without an answer. */
async function firstBytes(client: Client, host: string): Promise<ClientHello> {
  const hello = Promise.withResolvers<ClientHello>();
  const port = await listen((socket) => {
    const deadline = deadlineOf(10_000);
    void readClientHello(socket, deadline.signal).then((read) => {
      deadline.clear();
      socket.destroy();
      if (read.kind === 'hello') hello.resolve(read.hello);
      else hello.reject(new Error(JSON.stringify(read)));
    });
  });
  const [read] = await Promise.all([hello.promise, client.get(target(host, port, authority))]);
  return read;
}

describe.each(clients.map((client) => ({ client, title: client.name + whyNot(client) })))(
  '$title',
  { timeout: 60_000 },
  ({ client }) => {
    const here = whyNot(client) === '';

    test.skipIf(!here).each(dealt(namesFor(client), 2, clients.indexOf(client)))(
      'trusts a leaf for %s',
      async (host) => {
        const outcomes: (Terminated | Refused)[] = [];
        const port = await serve(host, outcomes);
        const outcome = await client.get(target(host, port, authority));
        expect(outcome).toMatchObject({ status: 0, stdout: expect.stringContaining('refs/heads/hello') });
        expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['secured']));
      },
    );

    test.skipIf(!here)('rejects a leaf for another host', async () => {
      const [host = ''] = namesFor(client);
      const mislabelled = (): ReturnType<typeof contextFor> => contextFor('other.example.com');
      const port = await listen(
        (socket) => void terminateTls(socket, { host, alpn: ['http/1.1'], contextFor: mislabelled }),
      );
      expect((await client.get(target(host, port, authority))).status).not.toBe(0);
    });

    test.skipIf(!here)('rejects a leaf without the authority, and the refusal says so', async () => {
      const outcomes: (Terminated | Refused)[] = [];
      const [host = ''] = namesFor(client);
      const port = await serve(host, outcomes);
      expect((await client.get(target(host, port, stranger))).status).not.toBe(0);
      const [outcome] = outcomes;
      if (client.parting === 'an alert')
        expect(outcome).toMatchObject({
          kind: 'refused',
          refusal: { code: 'client-tls', message: expect.stringContaining('does not trust') },
        });
    });

    test.skipIf(!here)('sends a hello that is read correctly', async () => {
      const [host = ''] = namesFor(client);
      expect(await firstBytes(client, host)).toMatchObject({ serverName: host, encryptedHello: 'absent' });
      expect(await firstBytes(client, '127.0.0.1')).not.toHaveProperty('serverName');
    });
  },
);

test.skipIf(programPath('curl') === undefined)(`curl offers both versions of HTTP${reason('curl')}`, async () => {
  const curl = clients.find(({ name }) => name === 'curl');
  expect(curl && (await firstBytes(curl, 'api.example.com')).alpn).toEqual(['h2', 'http/1.1']);
});
