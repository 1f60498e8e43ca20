import { connect } from 'node:net';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { HoldfastError } from '../../errors/index.ts';
import { listenForScrapes, type ListenOptions, ownToken, readToken } from './listen.ts';

const token = 'EXAMPLE-token-of-a-test-0123456789';

async function listening(more: Partial<ListenOptions> = {}): Promise<string> {
  const options = { host: '127.0.0.1', port: 0, token, collect: async () => 'up 1\n', ...more };
  const { url, close } = await listenForScrapes(options);
  onTestFinished(close);
  return url;
}

const shown = { headers: { authorization: `Bearer ${token}` } };

describe('the listener', () => {
  test('gives figures to clients that show the token', async () => {
    const response = await fetch(await listening(), shown);
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
      'up 1\n',
    ]);
  });

  test.each([
    ['none', {}],
    ['another', { authorization: `Bearer ${token}x` }],
    ['the beginning', { authorization: `Bearer ${token.slice(0, -1)}` }],
    ['the bare token', { authorization: token }],
    ['another way', { authorization: `Basic ${Buffer.from(`x:${token}`).toString('base64')}` }],
  ])('reveals nothing to a stranger: %s', async (_, headers) => {
    let collected = 0;
    const url = await listening({ collect: async () => `${(collected += 1)}\n` });
    for (const path of [url, url.replace('/metrics', '/other'), `${url}?token=${token}`]) {
      const response = await fetch(path, { headers });
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      expect(response.headers.get('connection')).toBe('close');
      expect(await response.text()).toMatch(/^no valid token: send `Authorization: Bearer TOKEN`/u);
    }
    expect(collected).toBe(0);
  });

  test('has one path and two methods', async () => {
    const url = await listening();
    expect((await fetch(url.replace('/metrics', '/'), shown)).status).toBe(404);
    expect((await fetch(url, { ...shown, method: 'POST', body: 'x' })).status).toBe(405);
    const head = await fetch(url, { ...shown, method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '5', '']);
  });

  test('gives the reason if there are no figures', async () => {
    const url = await listening({
      collect: async () => {
        throw new HoldfastError('HF_JOURNAL_FAILED', 'the journal cannot be read', { remedy: 'look at it' });
      },
    });
    const response = await fetch(url, shown);
    expect([response.status, await response.text()]).toEqual([
      503,
      'the journal cannot be read; look at it [HF_JOURNAL_FAILED]\n',
    ]);
  });

  test('reports a port that is taken', async () => {
    const { port } = new URL(await listening());
    await expect(listening({ port: Number(port) })).rejects.toMatchObject({
      code: 'HF_USAGE',
      message: `the metrics cannot listen at 127.0.0.1:${port}: another program uses it`,
    });
  });

  test('closes despite a client that sends nothing', async () => {
    const { url, close } = await listenForScrapes({ host: '127.0.0.1', port: 0, token, collect: async () => '' });
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
    await new Promise((resolve) => socket.once('connect', resolve));
    await close();
    socket.destroy();
  });
});

test('clients that send nothing make room within seconds', async () => {
  const url = await listening();
  const silent = Array.from({ length: 16 }, () =>
    connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined),
  );
  onTestFinished(() => silent.forEach((socket) => void socket.destroy()));
  await Promise.all(silent.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
  const status = (): Promise<unknown> =>
    fetch(url, shown).then(
      (response) => response.status,
      () => 'refused',
    );
  expect(await status()).toBe('refused');
  await expect.poll(status).toBe(200);
});

describe('the token', () => {
  const file = (): string => join(mkdtempSync(join(tmpdir(), 'token-')), 'state', 'metrics-token');

  test('is made once, for its owner alone', () => {
    const path = file();
    const made = ownToken(path);
    expect(made).toMatch(/^[0-9a-f]{64}$/u);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(ownToken(path)).toBe(made);
    expect(readFileSync(path, 'utf8')).toBe(`${made}\n`);
  });

  test.each(['', 'short', `two words ${'x'.repeat(40)}`, `${'x'.repeat(40)}\n${'x'.repeat(40)}`])(
    'is not %j',
    (text) => {
      const path = file();
      ownToken(path);
      writeFileSync(path, text);
      expect(() => readToken(path)).toThrow('holds no token');
      expect(() => ownToken(path)).toThrow('holds no token');
    },
  );

  test('in a missing file is an error', () => {
    expect(() => readToken('/nowhere/token')).toThrow('ENOENT');
  });
});
