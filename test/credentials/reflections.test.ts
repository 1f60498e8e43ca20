import type { ServerResponse } from 'node:http';
import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { brotliCompressSync, createGzip, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { credentialOf, secretOf } from '../../src/credentials/inject/testing/context.ts';
import { encodingsOf } from '../../src/credentials/masking/encodings.ts';
import { programPath, reason } from '../../src/egress/tls/testing/programs.ts';
import { openWorld, type Site, type World } from '../lib/credential-world.ts';

const secret = secretOf('main');
const masked = '*'.repeat(secret.length);
const text = `before ${secret} between ${secret} after`;

/** Of a secret in small pieces, at most three characters leave before Holdfast recognises it: `shortestBeginning`. */
const shownText = /^before (?:r|re|rea)?\*{24,27} between (?:r|re|rea)?\*{24,27} after$/u;

type Send = (response: ServerResponse) => void | Promise<void>;

/** In pieces of this many bytes, each sent separately. */
function inPieces(bytes: Buffer, size: number): Send {
  return async (response) => {
    for (let at = 0; at < bytes.length; at += size) {
      if (!response.write(bytes.subarray(at, at + size))) await once(response, 'drain');
      await turn();
    }
    response.end();
  };
}

function coded(coding: string, bytes: Buffer, size = bytes.length): Send {
  return (response) => {
    response.setHeader('content-encoding', coding);
    return inPieces(bytes, size)(response);
  };
}

/** A server's ways to return the text. */
const bodies: Readonly<Record<string, Send>> = {
  'with a length': (response) => {
    response.setHeader('content-length', text.length);
    response.end(text);
  },
  'in one piece': (response) => void response.end(text),
  'byte by byte': inPieces(Buffer.from(text), 1),
  'in pieces of seven': inPieces(Buffer.from(text), 7),
  'in gzip': coded('gzip', gzipSync(text)),
  'in gzip, in pieces of three': coded('gzip', gzipSync(text), 3),
  'in deflate': coded('deflate', deflateSync(text)),
  'in deflate without a header': coded('deflate', deflateRawSync(text), 5),
  'in br': coded('br', brotliCompressSync(text), 2),
  'in zstd': coded('zstd', zstdCompressSync(text)),
  'in two codings': coded('gzip, br', brotliCompressSync(gzipSync(text))),
  'in gzip that is flushed within the secret': async (response) => {
    response.setHeader('content-encoding', 'gzip');
    const packer = createGzip();
    packer.pipe(response);
    for (const part of [text.slice(0, 15), text.slice(15)]) {
      packer.write(part);
      await new Promise<void>((resolve) => packer.flush(resolve));
    }
    packer.end();
  },
};

function open(send: Send): Promise<World> {
  const site: Site = (_, response) => void Promise.resolve(send(response)).catch(() => response.destroy());
  return openWorld({ credentials: [credentialOf({ injection: { kind: 'bearer' } })], sites: { 'api.test': site } });
}

/** curl prints the whole answer, including the head. */
async function shown(world: World, ...words: readonly string[]): Promise<string> {
  const { stdout } = await world.run([
    'curl',
    '-sSi',
    '--suppress-connect-headers',
    '-m',
    '10',
    '-H',
    `Authorization: Bearer ${world.context.phantom()}`,
    'https://api.test/',
    ...words,
  ]);
  return stdout;
}

describe.skipIf(programPath('curl') === undefined)(`a secret that a server repeats${reason('curl')}`, () => {
  test.each(
    Object.entries(bodies).flatMap(([way, send]) =>
      ['--http1.1', '--http2'].map((version) => ({ way, version, send })),
    ),
  )('in its content, $way, over $version, is masked', async ({ version, send }) => {
    const world = await open(send);
    const said = await shown(world, version, '-H', 'Accept-Encoding: gzip, deflate, br, zstd, exotic');
    const content = said.slice(said.indexOf('\r\n\r\n') + 4);
    expect(content).toMatch(shownText);
    expect(content).toHaveLength(text.length);
    expect(said.toLowerCase()).not.toContain('content-encoding');
    expect(world.arrived[0]?.headers['accept-encoding']).toBe('gzip, deflate, br, zstd');
    expect(world.context.alarms).toEqual([
      { kind: 'secret-reflected', credential: 'main', destination: { host: 'api.test', port: 443 }, place: 'the body' },
    ]);
  });

  test('in any spelling is masked', async () => {
    const spellings = encodingsOf(secret).map((bytes) => bytes.toString('latin1'));
    const world = await open((response) => void response.end(spellings.join('\n')));
    const said = await shown(world);
    for (const spelling of spellings) expect(said).not.toContain(spelling);
    expect(said).toContain('*'.repeat(20));
  });

  test.each(['--http1.1', '--http2'])('in its head, over %s, is masked', async (version) => {
    const world = await open((response) => {
      const encoded = Buffer.from(`::${secret}`).toString('base64');
      response.writeHead(200, {
        'X-Echo': `it is ${secret}`,
        'Set-Cookie': [`a=${secret}`, `b=${encoded}`],
        [`X-${secret}`]: '1',
        Location: `/?${encodeURIComponent(secret)}`,
      });
      response.end();
    });
    const said = await shown(world, version);
    expect(said).not.toContain(secret);
    expect(said.toLowerCase()).toContain(`x-echo: it is ${masked}\r\n`);
    if (version === '--http1.1') expect(said.toLowerCase()).toContain(`x-${masked}: 1\r\n`);
    expect(world.context.alarms.map(({ place }) => place)).toContain('the header set-cookie');
  });

  test('in its status text is masked', async () => {
    const world = await open((response) => void response.writeHead(200, secret).end());
    expect(await shown(world, '--http1.1')).toContain(`HTTP/1.1 200 ${masked}\r\n`);
    expect(world.context.alarms).toMatchObject([{ place: 'the status line' }]);
  });

  test('before its answer is masked', async () => {
    const world = await open((response) => {
      response.writeEarlyHints({ link: `</${secret}>; rel=preload` });
      response.end('answer');
    });
    const said = await shown(world, '--http1.1');
    expect(said).toContain(`HTTP/1.1 103`);
    expect(said).toContain(masked);
    expect(said).not.toContain(secret);
  });

  test('after its content is masked', async () => {
    const world = await open((response) => {
      response.setHeader('Trailer', 'X-After').write('content');
      response.addTrailers({ 'X-After': secret });
      response.end();
    });
    const said = await shown(world, '--http1.1', '--raw');
    expect(said.toLowerCase()).toContain(`x-after: ${masked}`);
    expect(said).not.toContain(secret);
  });

  test('in an unknown coding is withheld', async () => {
    const world = await open(coded('exotic', Buffer.from(text)));
    const said = await shown(world);
    expect(said).toMatch(/^HTTP\/\S+ 502/u);
    expect(said).toContain('compressed in a way that Holdfast cannot decode (exotic)');
    expect(said).not.toContain(secret);
  });

  test('in content that is not gzip is cut off', async () => {
    const world = await open(coded('gzip', Buffer.from(`no gzip: ${secret}`)));
    expect(await shown(world)).not.toContain(secret);
  });
});

test('events of a server arrive one by one, at once', async () => {
  const asked = Promise.withResolvers<void>();
  const site: Site = async ({ url }, response) => {
    if (url === '/next') {
      asked.resolve();
      return void response.end();
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${secret}\n\n`);
    await asked.promise;
    response.end('data: second\n\n');
  };
  const world = await openWorld({
    credentials: [credentialOf({ injection: { kind: 'bearer' } })],
    sites: { 'api.test': site },
  });
  // The client asks for the second piece when it has the first: a filter that holds the first back waits forever.
  const program = `
    const options = { headers: { authorization: 'Bearer ${world.context.phantom()}' } };
    const answer = await fetch('https://api.test/events', options);
    for await (const bytes of answer.body.pipeThrough(new TextDecoderStream())) {
      process.stdout.write(bytes);
      await fetch('https://api.test/next', options);
    }`;
  expect(await world.node(program)).toEqual({ status: 0, stdout: `data: ${masked}\n\ndata: second\n\n`, stderr: '' });
});
