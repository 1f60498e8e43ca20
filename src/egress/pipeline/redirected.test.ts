import { connect as connectTls } from 'node:tls';
import { expect, test } from 'vitest';
import { serve } from '../dial/testing/loopback.ts';
import { serveConnection } from './serve-connection.ts';
import { bench, heard, sent } from './testing/pipeline.ts';

const host = 'a.example';

/** What a client is told that asks `host` for a path in plain HTTP, and how often the server was asked. */
async function asked(path: string, rules: string): Promise<readonly [answer: string, asked: number]> {
  let count = 0;
  const { port } = await serve((socket) =>
    socket.on('data', () => {
      count += 1;
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok');
    }),
  );
  const box = bench(
    `[network]\nhosts = ["${host}:${port}", "127.0.0.1:${port}", "b.example:${port}"]\n[[connect]]\nname = "r"\ndecision = "redirect"\nredirect_to = "b.example:${port}"\nhosts = ["${host}"]\n${rules}`,
  );
  const { client, ended } = await sent({ host, port }, (served) => serveConnection(served, box.context));
  const said = heard(client);
  client.end(`GET ${path} HTTP/1.1\r\nHost: ${host}:${port}\r\nConnection: close\r\n\r\n`);
  const answer = await said;
  await ended;
  return [answer, count];
}

const rule = (name: string, decision: string, at: string): string =>
  `[[http]]\nname = "${name}"\ndecision = "${decision}"\nhosts = ["${at}"]\npaths = ["/${name}"]\n`;

// Attack: a project redirects a name that nobody looks into to a host where requests are decided.
test('bytes do not bypass the rules about requests of their target', async () => {
  expect(await asked('/kept', rule('kept', 'deny', 'c.example'))).toEqual([
    expect.stringMatching(/^HTTP\/1\.1 200 /u),
    1,
  ]);
  const [answer, count] = await asked('/open', rule('kept', 'deny', 'b.example'));
  expect(answer).toMatch(
    /^HTTP\/1\.1 403 [^]*a rule leads a\.example:\d+ to b\.example:\d+, whose requests are inspected/u,
  );
  expect(count).toBe(0);
});

// The same in TLS on a port of web servers, which is carried.
test('TLS does not bypass the rules about requests of its target', async () => {
  let count = 0;
  const { port } = await serve((socket) => socket.on('data', () => (count += 1)));
  const box = bench(
    `[network]\nhosts = ["${host}:${port}", "127.0.0.1:${port}", "b.example:${port}"]\n[[connect]]\nname = "r"\ndecision = "redirect"\nredirect_to = "b.example:${port}"\nhosts = ["${host}"]\n`,
    { authority: { tlsTreatment: (to) => (to.host === 'b.example' ? 'intercept' : 'plain') } },
  );
  const { client, ended } = await sent({ host, port }, (served) => serveConnection(served, box.context));
  const secure = connectTls({ socket: client, servername: host });
  secure.on('error', () => undefined);
  await ended;
  secure.destroy();
  expect([count, box.connections[0]?.refusal?.message]).toEqual([
    0,
    expect.stringContaining('whose requests are inspected'),
  ]);
});

test('a request is judged as one to its target too', async () => {
  const rules = rule('open', 'audit', host) + rule('kept', 'deny', 'b.example');
  expect(await asked('/open', rules)).toEqual([expect.stringMatching(/^HTTP\/1\.1 200 /u), 1]);
  expect(await asked('/kept', rules)).toEqual([expect.stringMatching(/^HTTP\/1\.1 403 [^]*kept of user\.toml/u), 0]);
});
