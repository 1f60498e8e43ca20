import { once } from 'node:events';
import { connect as connectTls } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serve } from '../dial/testing/loopback.ts';
import { serveConnection } from './serve-connection.ts';
import { bench, heard, sent } from './testing/pipeline.ts';
import { upstreamAuthority, web } from './testing/web.ts';

const host = 'a.example';

function plain(port: number) {
  return bench(`[network]\nhosts = ["${host}:${port}", "127.0.0.1:${port}"]`, {
    roots: [upstreamAuthority.certificatePem],
    authority: { tlsTreatment: () => 'plain' },
  });
}

async function visit(port: number) {
  const box = plain(port);
  const { client, ended } = await sent({ host, port }, (served) => serveConnection(served, box.context));
  return { box, client, ended };
}

describe('a port of web servers', () => {
  // Attack: net-fronting-plain. The second request comes on a connection whose first was for the granted host.
  test('checks the host of each request without TLS, even on a kept connection', async () => {
    const asked: string[] = [];
    const { port } = await serve((socket) =>
      socket.on('data', (bytes) => {
        asked.push(String(bytes).split('\r\n')[0] ?? '');
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      }),
    );
    const { client, ended } = await visit(port);
    client.write(`GET /own HTTP/1.1\r\nHost: ${host}:${port}\r\n\r\n`);
    const [first] = (await once(client, 'data')) as [Buffer];
    client.write(`GET /other HTTP/1.1\r\nHost: other.example:${port}\r\n\r\n`);
    const [second] = (await once(client, 'data')) as [Buffer];
    client.destroy();
    await ended;
    expect(String(first)).toMatch(/^HTTP\/1\.1 200 /u);
    expect(String(second)).toMatch(/^HTTP\/1\.1 4\d\d /u);
    expect(asked).toEqual(['GET /own HTTP/1.1']);
  });

  test('leaves TLS to the client and its server', async () => {
    const { port } = await web('h1');
    const { client, ended } = await visit(port);
    const secure = connectTls({ socket: client, servername: host, ca: upstreamAuthority.certificatePem });
    onTestFinished(() => void secure.destroy());
    await once(secure, 'secureConnect');
    expect(secure.authorized).toBe(true);
    secure.destroy();
    await ended;
  });

  test('passes on a server that speaks first', async () => {
    const { port } = await serve((socket) => socket.end('220 ready\r\n'));
    const { client, ended } = await visit(port);
    expect(await heard(client)).toBe('220 ready\r\n');
    client.destroy();
    await ended;
  });
});
