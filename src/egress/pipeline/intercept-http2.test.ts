import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2, createServer as createHttp2 } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { serveConnection } from './serve-connection.ts';
import { type Bench, bench, sent } from './testing/pipeline.ts';

describe('HTTP/2 in the clear, which a client speaks without negotiation', () => {
  test('is answered, one request after another, over one connection', async () => {
    const { box, session, sessions } = await visit();
    expect([await post(session, '/a', 'one'), await post(session, '/b', 'two')]).toEqual(['/a: 3', '/b: 3']);
    expect(sessions()).toBe(1);
    expect(box.requests).toMatchObject(
      ['/a', '/b'].map((path) => ({
        status: 200,
        request: { method: 'POST', scheme: 'http', host: 'localhost', path },
        verdict: { rule: 'own' },
      })),
    );
    expect(box.refusals).toEqual([]);
  });

  test('is answered even if more comes at once than is read ahead', async () => {
    const { session } = await visit();
    expect(await post(session, '/much', 'x'.repeat(1_000_000))).toBe('/much: 1000000');
  });

  test('is judged request by request', async () => {
    const { box, session } = await visit();
    expect(await post(session, '/denied', 'one')).toContain('Holdfast refused');
    expect(await post(session, '/a', 'one')).toBe('/a: 3');
    expect(box.requests).toMatchObject([{ status: 403, refusal: { code: 'policy' } }, { status: 200 }]);
  });
});

interface Visit {
  readonly box: Bench;
  readonly session: ClientHttp2Session;
  /** How many the server has had. */
  sessions(): number;
}

/** A client that speaks it to a server that says how much it was sent. */
async function visit(): Promise<Visit> {
  const server = createHttp2((request, response) => {
    let length = 0;
    request
      .on('data', (bytes: Buffer) => void (length += bytes.length))
      .on('end', () => void response.end(`${request.url}: ${length}`));
  });
  let sessions = 0;
  server.on('session', () => void (sessions += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const rule = (name: string, decision: string, paths: string): string =>
    `[[http]]\nname = "${name}"\ndecision = "${decision}"\nhosts = ["localhost:${port}"]\n${paths}`;
  const box = bench(
    `[network]\nhosts = ["localhost:${port}"]\n${rule('not-this', 'deny', 'paths = ["/denied"]\n')}${rule('own', 'allow', '')}`,
  );
  const { client } = await sent({ host: 'localhost', port }, (served) => serveConnection(served, box.context));
  const session = connectHttp2(`http://localhost:${port}`, { createConnection: () => client }).on(
    'error',
    () => undefined,
  );
  onTestFinished(() => {
    session.destroy();
    server.close();
  });
  return { box, session, sessions: () => sessions };
}

function post(session: ClientHttp2Session, path: string, body: string): Promise<string> {
  const stream = session.request({ ':method': 'POST', ':path': path });
  stream.end(body);
  return text(stream);
}
