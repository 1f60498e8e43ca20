import { once } from 'node:events';
import { expect, test } from 'vitest';
import { readInto } from '../splice/read-buffer.ts';
import { splice } from '../splice/splice.ts';
import { createUpstreamTrust } from '../tls/upstream-trust.ts';
import type { Vetted } from '../types.ts';
import { dial } from './dial.ts';
import { proxySettings } from './proxy-settings.ts';
import { readAll, serve, socketOf, vettedOf } from './testing/loopback.ts';
import { httpProxy, socksProxy } from './testing/proxies.ts';
import { createDialler } from './upstream-proxy.ts';

const payload = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => index % 251));

// As the pipeline joins them: the upstream's bytes go to the client by an onread, the client's by a pipe.
test.each([
  ['directly', async () => ({})],
  ['through an HTTP proxy', async () => ({ ALL_PROXY: `http://127.0.0.1:${(await httpProxy()).port}` })],
  ['through a SOCKS proxy', async () => ({ ALL_PROXY: `socks5h://127.0.0.1:${(await socksProxy()).port}` })],
])('a spliced connection %s: 3 MB up and down, a slow reader, half-closed', async (how, environment) => {
  const server = await serve((socket) => {
    void (async () => {
      const heard = await readAll(socket);
      socket.end(Buffer.concat([Buffer.from(`${heard.length}\n`), payload]));
    })();
    socket.write('banner\n');
  });
  const dialler = createDialler({
    proxies: proxySettings(await environment()),
    trust: () => createUpstreamTrust({ roots: [] }),
  });
  const address = how === 'directly' ? '127.0.0.1' : '93.184.215.14';
  const vetted: Vetted = vettedOf(server.port, address);
  const relay = await serve((client) => {
    client.pause();
    void (async () => {
      const read = readInto();
      const upstream = socketOf(await dialler(vetted, { onread: read.onread }));
      read.connect(client, upstream);
      await splice(client, upstream, { download: 'onread' });
    })();
  });
  const client = socketOf(await dial(vettedOf(relay.port, '127.0.0.1')));
  client.end('x'.repeat(3_000_000));
  const chunks: Buffer[] = [];
  client.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    client.pause();
    setImmediate(() => client.resume());
  });
  client.resume();
  await once(client, 'end');
  const whole = Buffer.concat(chunks);
  expect(whole.subarray(0, 15).toString()).toBe('banner\n3000000\n');
  expect(whole.subarray(15).equals(payload)).toBe(true);
});
