import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { backends, has } from '../lib/holdfast.ts';
import { publicFile } from './lib/public-file.ts';
import { identityFor, newAuthority, secureServer, webServer } from './lib/servers.ts';
import { remark, type WebClient, webClients } from './lib/web-clients.ts';
import { type Outcome, type RunOptions, users, World, type WorldOptions } from './lib/world.ts';

const name = 'web.example';
const bundle = '/etc/ssl/certs/ca-certificates.crt';
const interception = `[[http]]\nname = "read"\ndecision = "allow"\nhosts = ["${name}"]\nmethods = ["GET"]\npaths = ["/read/*"]\n`;

interface Visit {
  readonly client: WebClient;
  readonly url: string;
  readonly world: WorldOptions;
  readonly how?: RunOptions;
}

function visit({ client, url, world: options, how = {} }: Visit): {
  readonly world: World;
  readonly outcome: Promise<Outcome>;
} {
  const world = new World(options);
  if (client.source !== undefined) world.write(...client.source);
  return { world, outcome: world.run([...client.argv, url], how) };
}

const rows = webClients.map((client) => [`${client.name}${remark(client.program)}`, client] as const);
const answer = expect.objectContaining({ status: 0, stdout: `GET ${name} /read/me\n` });
const isolated =
  'for name in http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY; do eval "test -z \\"\\${$name}\\"" || exit 1; done';

describe.each(backends)('with %s, unmodified and without proxy variables', (backend) => {
  test('no proxy variable is set', async () => {
    const world = new World({ policy: `[network]\nhosts = ["${name}"]` });
    expect(await world.inside(isolated, { backend })).toMatchObject({ status: 0 });
  });

  test.each(rows)('%s over plain TCP', { timeout: 60_000 }, async (_, client) => {
    if (!has(client.program)) return;
    const { port } = await webServer();
    const { outcome, world } = visit({
      client,
      url: `http://${name}:${port}/read/me`,
      world: { names: [name], policy: `[network]\nhosts = ["${name}", "127.0.0.1:${port}"]` },
      how: { backend },
    });
    expect(await outcome).toEqual(answer);
    const connections = world.journal().filter(({ type }) => type === 'connection');
    expect(connections).toMatchObject([
      { host: name, port, address: '127.0.0.1', decision: 'allow', front: 'transparent', received: expect.any(Number) },
    ]);
  });

  test.each(rows)('%s over TLS that Holdfast ends for rules about requests', { timeout: 60_000 }, async (_, client) => {
    if (!has(client.program)) return;
    const authority = newAuthority();
    const { port } = await secureServer(identityFor(authority, name));
    const policy = `[network]\nhosts = ["127.0.0.1:${port}"]\nca = ["${publicFile('ca.pem', authority.certificatePem)}"]\n${interception}`;
    const { outcome, world } = visit({
      client,
      url: `https://${name}:${port}/read/me`,
      world: { names: [name], policy },
      how: { backend },
    });
    expect(await outcome).toEqual(answer);
    expect(world.journal().filter(({ type }) => type === 'request')).toMatchObject([
      { method: 'GET', scheme: 'https', host: name, path: '/read/me', status: 200, decision: 'allow', rule: 'read' },
    ]);
  });
});

describe('TLS that is not intercepted', () => {
  const believing: Readonly<Record<string, string>> = {
    'Node fetch': 'NODE_EXTRA_CA_CERTS',
    'Node http': 'NODE_EXTRA_CA_CERTS',
    'Python urllib': 'SSL_CERT_FILE',
    'Python sockets': 'SSL_CERT_FILE',
  };

  test.each(rows.filter(([, client]) => client.program !== 'java'))('%s', async (_, client) => {
    if (!has(client.program)) return;
    const authority = newAuthority();
    const { port } = await secureServer(identityFor(authority, name));
    const variable = believing[client.name];
    const believes = variable === undefined ? '' : `[environment.set]\n${variable} = "${bundle}"\n`;
    const files = { [bundle]: `${readFileSync(bundle, 'utf8')}\n${authority.certificatePem}` };
    const { outcome } = visit({
      client,
      url: `https://${name}:${port}/read/me`,
      world: { names: [name], files, policy: `[network]\nhosts = ["${name}", "127.0.0.1:${port}"]\n${believes}` },
    });
    expect(await outcome).toEqual(answer);
  });
});

describe.each(users)('as %s', (user) => {
  test.each(rows.slice(0, 3))('%s', async (_, client) => {
    const { port } = await webServer();
    const { outcome } = visit({
      client,
      url: `http://${name}:${port}/read/me`,
      world: { user, names: [name], policy: `[network]\nhosts = ["${name}", "127.0.0.1:${port}"]` },
    });
    expect(await outcome).toEqual(answer);
  });
});
