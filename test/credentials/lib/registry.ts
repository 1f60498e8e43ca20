import { createHash } from 'node:crypto';
import type { Site } from '../../lib/credential-world.ts';

export const user = 'robot';
export const password = 'EXAMPLE-password-of-the-robot';
/** Tokens in the form of distribution: JSON Web Tokens. */
export const registryToken = [
  ...[
    { typ: 'JWT', alg: 'RS256' },
    { access: [{ type: 'repository', name: 'team/app', actions: ['pull', 'push'] }] },
  ].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')),
  'EXAMPLE-signature-of-a-registry-token',
].join('.');
export const identityToken = 'EXAMPLE-identity-token-0123456789';

export const layer = Buffer.from('EXAMPLE layer');
const config = Buffer.from(
  JSON.stringify({ architecture: 'amd64', os: 'linux', rootfs: { type: 'layers', diff_ids: [digestOf(layer)] } }),
);
const manifest = Buffer.from(
  JSON.stringify({
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config: { mediaType: 'application/vnd.oci.image.config.v1+json', digest: digestOf(config), size: config.length },
    layers: [{ mediaType: 'application/vnd.oci.image.layer.v1.tar', digest: digestOf(layer), size: layer.length }],
  }),
);

function digestOf(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/**
 * A read-only registry of one image. Source: OCI Distribution Specification, and distribution's "Token Authentication
 * Specification".
 */
export const registry: Site = ({ url, headers }, response) => {
  if (headers['authorization'] !== `Bearer ${registryToken}`) {
    return void response
      .writeHead(401, {
        'www-authenticate':
          'Bearer realm="https://realm.test/token",service="registry.test",scope="repository:team/app:pull"',
      })
      .end('{"errors":[{"code":"UNAUTHORIZED"}]}');
  }
  const path = new URL(url, 'https://registry.test').pathname;
  const send = (type: string, bytes: Buffer): void =>
    void response
      .writeHead(200, {
        'content-type': type,
        'docker-content-digest': digestOf(bytes),
        'content-length': bytes.length,
      })
      .end(bytes);
  const blob = [config, layer].find((bytes) => path === `/v2/team/app/blobs/${digestOf(bytes)}`);
  if (blob !== undefined) return send('application/octet-stream', blob);
  if (path.startsWith('/v2/team/app/manifests/')) return send('application/vnd.oci.image.manifest.v1+json', manifest);
  if (path === '/v2/team/app/tags/list')
    return send('application/json', Buffer.from('{"name":"team/app","tags":["latest"]}'));
  return void (path === '/v2/' ? response.end('{}') : response.writeHead(404).end());
};

/** Issues tokens to the robot: by its name and password, or by its identity token. */
export const realm: Site = ({ method, headers, body }, response) => {
  const form = new URLSearchParams(body.toString());
  const isNamed =
    headers['authorization'] === `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` ||
    form.get('password') === password ||
    form.get('refresh_token') === identityToken;
  if (!isNamed)
    return void response
      .writeHead(401, { 'content-type': 'application/json' })
      .end('{"details":"incorrect username or password"}');
  const tokens =
    method === 'POST'
      ? { access_token: registryToken, refresh_token: identityToken }
      : { token: registryToken, access_token: registryToken };
  return void response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ ...tokens, expires_in: 300, issued_at: '2030-01-01T00:00:00Z' }));
};
