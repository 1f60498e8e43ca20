import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { createProxy } from './create-proxy.ts';
import { proxyEnvironment } from './environment.ts';
import { newProxySecret, proxyGuard } from './guard.ts';

test('a secret has 256 bits, is never the same, and needs no escape', () => {
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

test('nothing that can be printed holds the secret', () => {
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
