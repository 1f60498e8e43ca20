import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { connectedPair } from '../tls/testing/loopback.ts';
import { createProxy, proxyEnvironment } from './create-proxy.ts';
import { clientBytes, incomplete, malformedPrefix, newProxySecret, type Parser, proxyGuard } from './refusals.ts';

/** A message is everything up to a full stop. */
const sentence: Parser<string> = (bytes) => {
  const at = bytes.indexOf('.');
  if (bytes[0] === 0x21) return malformedPrefix('It begins with a mark.');
  return at === -1 ? incomplete : { kind: 'parsed', value: bytes.toString('latin1', 0, at), length: at + 1 };
};

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

describe('messages of a client', () => {
  test('are read one after the other, in any pieces', async () => {
    const { client, server } = await connectedPair();
    const bytes = clientBytes(server);
    client.write('one.two.thr');
    expect(await bytes.read(sentence)).toEqual({ kind: 'parsed', value: 'one', length: 4 });
    expect(await bytes.read(sentence)).toEqual({ kind: 'parsed', value: 'two', length: 4 });
    const third = bytes.read(sentence);
    for (const byte of 'ee.') {
      await pause();
      client.write(byte);
    }
    expect(await third).toEqual({ kind: 'parsed', value: 'three', length: 6 });
  });

  test('that are malformed have a reason', async () => {
    const { client, server } = await connectedPair();
    client.write('!');
    expect(await clientBytes(server).read(sentence)).toEqual({ kind: 'malformed', reason: 'It begins with a mark.' });
  });

  test.each(['end', 'destroy', 'resetAndDestroy'] as const)('end when the client does: %s', async (leave) => {
    const { client, server } = await connectedPair();
    server.on('error', () => undefined);
    const read = clientBytes(server).read(sentence);
    client.write('half a sen');
    await pause();
    client[leave]();
    expect(await read).toEqual({ kind: 'ended' });
  });

  test('end when the socket is destroyed here', async () => {
    const { server } = await connectedPair();
    const read = clientBytes(server).read(sentence);
    server.destroy();
    expect(await read).toEqual({ kind: 'ended' });
  });
});

describe('a socket that is returned', () => {
  const rest = async (socket: NodeJS.ReadableStream, length: number): Promise<string> => {
    let text = '';
    for await (const chunk of socket) {
      text += String(chunk);
      if (text.length >= length) break;
    }
    return text;
  };

  test('contains all unread and later bytes', async () => {
    const { client, server } = await connectedPair();
    const bytes = clientBytes(server);
    client.write('one.two');
    await bytes.read(sentence);
    bytes.release();
    await pause();
    client.write('three');
    expect(await rest(server, 8)).toBe('twothree');
  });

  test('begins with the bytes put in front', async () => {
    const { client, server } = await connectedPair();
    const bytes = clientBytes(server);
    client.write('one.two');
    await bytes.read(sentence);
    bytes.release(Buffer.from('zero'));
    expect(await rest(server, 7)).toBe('zerotwo');
  });

  test('waits for its next reader, and loses nothing', async () => {
    const { client, server } = await connectedPair();
    const bytes = clientBytes(server);
    client.write('one.');
    await bytes.read(sentence);
    bytes.release();
    client.write('two');
    await pause();
    await pause();
    expect(server.readableFlowing).not.toBe(true);
    expect(server.listenerCount('readable')).toBe(0);
    expect(await rest(server, 3)).toBe('two');
  });

  test('keeps bytes that came together with the end', async () => {
    const { client, server } = await connectedPair();
    const bytes = clientBytes(server);
    client.end('one.two');
    await bytes.read(sentence);
    bytes.release();
    expect(await rest(server, 99)).toBe('two');
  });
});

test('a secret has 256 bits, is always different, and needs no escape', () => {
  const secrets = Array.from({ length: 100 }, newProxySecret);
  expect(new Set(secrets).size).toBe(100);
  for (const secret of secrets) {
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect(encodeURIComponent(secret)).toBe(secret);
  }
});

test('only the name and the secret are admitted', () => {
  const secret = newProxySecret();
  const { admits } = proxyGuard(secret);
  expect(admits('holdfast', secret)).toBe(true);
  for (const [user, password] of [
    ['holdfast', ''],
    ['', secret],
    ['Holdfast', secret],
    ['holdfast', secret.toUpperCase()],
    ['holdfast', `${secret} `],
    ['holdfas', `t${secret}`],
    ['holdfast:', secret],
    ['holdfast', newProxySecret()],
  ] as const)
    expect(admits(user, password)).toBe(false);
});

test('no printed form holds the secret', () => {
  const secret = newProxySecret();
  const nobody = async (): Promise<void> => undefined;
  const server = createProxy({ secret, open: nobody, intercept: nobody });
  for (const value of [proxyGuard(secret), server])
    expect(inspect(value, { depth: 8, showHidden: true, getters: true })).not.toContain(secret);
});

test.each(['', 'hunter2', 'x'.repeat(31)])('a proxy is not opened with %j', (secret) => {
  const nobody = async (): Promise<void> => undefined;
  const open = (): unknown => createProxy({ secret, open: nobody, intercept: nobody });
  expect(open).toThrow(
    expect.objectContaining({ code: 'HF_INTERNAL', remedy: expect.stringContaining('newProxySecret') }),
  );
  if (secret !== '') expect(open).not.toThrow(secret);
});

test('the environment names the proxy for every program', () => {
  const environment = proxyEnvironment({ host: '127.0.0.1', port: 3128, secret: 'SECRET' });
  expect(environment).toMatchObject({
    http_proxy: 'http://holdfast:SECRET@127.0.0.1:3128',
    HTTPS_PROXY: 'http://holdfast:SECRET@127.0.0.1:3128',
    ALL_PROXY: 'socks5h://holdfast:SECRET@127.0.0.1:3128',
    NO_PROXY: 'localhost,127.0.0.1,::1',
  });
  for (const [name, value] of Object.entries(environment))
    if (name !== 'NODE_USE_ENV_PROXY')
      expect(environment[name === name.toLowerCase() ? name.toUpperCase() : name.toLowerCase()]).toBe(value);
  expect(new URL(proxyEnvironment({ host: '::1', port: 1, secret: 'S' })['http_proxy'] ?? '').hostname).toBe('[::1]');
});
