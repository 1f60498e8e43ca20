import { writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { secureWeb, web } from '../egress/fetch/testing/web.ts';
import { createAuthority } from '../egress/tls/authority.ts';
import { identity } from '../egress/tls/testing/servers.ts';
import { scratchDirectory } from '../place/testing/scratch.ts';
import { downloadBundle, type Downloaded, readBundleFile } from './download.ts';
import { openBundle } from './envelope.ts';
import { bundleOf, newSigner, sealed } from './testing/bundles.ts';

const authority = createAuthority();
const signer = newSigner();
const bundle = sealed(signer, 5);
const whole: RequestListener = (_, response) => response.setHeader('content-type', 'application/json').end(bundle);

const server = (listener: RequestListener): Promise<number> => secureWeb(identity(authority, 'localhost'), listener);

function get(
  port: number,
  { path = '/team.bundle', timeout = 10_000, trust = authority.certificatePem } = {},
): Promise<Downloaded> {
  return downloadBundle({ url: `https://localhost:${port}${path}`, environment: {}, authorities: [trust], timeout });
}

async function failure(downloading: Promise<unknown>): Promise<string> {
  const error = await downloading.then(
    () => new Error('nothing failed'),
    (cause: unknown) => cause as Error,
  );
  expect(error).toMatchObject({ code: 'HF_BUNDLE_FAILED', remedy: expect.stringMatching(/./u) as unknown });
  return error.message;
}

test('a bundle comes as it is, and its source has no query', async () => {
  const port = await server(whole);
  const { bytes, source } = await get(port, { path: '/team.bundle?token=secret' });
  expect(openBundle(bytes, [signer.key])).toEqual(bundleOf(5));
  expect(source).toBe(`https://localhost:${port}/team.bundle`);
});

test('redirects over HTTPS are followed, and those to HTTP refused', async () => {
  const port = await server(whole);
  const plain = await web(whole);
  const leading = (to: string) => server((_, response) => response.writeHead(302, { location: to }).end());
  expect((await get(await leading(`https://localhost:${port}/x`))).bytes).toEqual(Buffer.from(bundle));
  expect(await failure(get(await leading(`http://localhost:${plain}/x`)))).toMatch(/redirects from https to http/u);
  const circle: number = await server((_, response) =>
    response.writeHead(302, { location: `https://localhost:${circle}/x` }).end(),
  );
  expect(await failure(get(circle))).toMatch(/redirects more than 5 times/u);
});

describe('nothing is taken', () => {
  test.each([
    ['http://localhost/x', 'a bundle comes over HTTPS only'],
    ['ftp://localhost/x', 'only http and https URLs can be fetched'],
    ['https://user:secret@localhost/x', 'the URL contains credentials'],
    ['https://', 'the URL has no host after //'],
  ])('from %s', async (url, message) => {
    expect(await failure(downloadBundle({ url, environment: {}, authorities: [] }))).toBe(message);
  });

  test.each(['text/html', 'image/png', 'application/zip'])('of the type %s', async (type) => {
    const port = await server((_, response) => response.setHeader('content-type', type).end(bundle));
    expect(await failure(get(port))).toContain(`sent ${type}, and a bundle is JSON`);
  });

  test.each([404, 500, 204, 206])('with the status %i', async (status) => {
    const port = await server((_, response) => response.writeHead(status).end());
    expect(await failure(get(port))).toMatch(new RegExp(`answered ${status}$`, 'u'));
  });

  test('of 100 MB, or without an end', async () => {
    let sent = 0;
    const port = await server((_, response) => {
      const chunk = Buffer.alloc(1 << 20, ' ');
      response.on('close', () => (sent = response.socket?.bytesWritten ?? sent));
      const more = (): void => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length;
        response.once('drain', more);
      };
      more();
    });
    expect(await failure(get(port))).toMatch(/sent more than 4 MiB, and no bundle is that long$/u);
    expect(sent).toBeLessThan(40 << 20);
  });

  test('that comes too slowly', async () => {
    const port = await server((_, response) => {
      const drip = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(drip));
    });
    expect(await failure(get(port, { timeout: 300 }))).toMatch(/was not fetched within 300 ms$/u);
  });

  test('that breaks off', async () => {
    const port = await server((_, response) => {
      response.setHeader('content-length', bundle.length);
      response.write(bundle.subarray(0, 100), () => response.destroy());
    });
    expect(await failure(get(port))).toMatch(/did not send a valid HTTP/u);
  });

  test('of a server whose certificate is not trusted, or for another name, or expired', async () => {
    const port = await server(whole);
    expect(await failure(get(port, { trust: createAuthority().certificatePem }))).toMatch(/certificate/u);
    const other = await secureWeb(identity(authority, 'other.example'), whole);
    expect(await failure(get(other))).toMatch(/certificate/u);
    const old = await secureWeb(identity(authority, 'localhost', Date.parse('2020-01-01')), whole);
    expect(await failure(get(old))).toMatch(/certificate/u);
  });
});

test('the proxy of the environment is asked', async () => {
  const environment = { HTTPS_PROXY: 'http://127.0.0.1:1' };
  const downloading = downloadBundle({ url: 'https://policy.invalid/x', environment, authorities: [] });
  expect(await failure(downloading)).toMatch(/the proxy 127\.0\.0\.1:1 cannot be reached/u);
});

test('a file is read, and neither a directory nor a device', () => {
  const path = join(scratchDirectory(), 'team.bundle');
  writeFileSync(path, bundle);
  expect(readBundleFile(path)).toEqual({ bytes: bundle, source: path });
  for (const other of ['/tmp', '/dev/zero', `${path}.none`])
    expect(() => readBundleFile(other)).toThrow(expect.objectContaining({ code: 'HF_BUNDLE_FAILED' }));
});
