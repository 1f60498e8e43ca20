import { expect, test } from 'vitest';
import { reach } from './reach.ts';
import { bench } from './testing/pipeline.ts';

const unknown = {
  kind: 'refused',
  refusal: { code: 'name-not-found', message: 'nobody knows it', remedy: 'ask someone else' },
} as const;
const names = { 'a.example': unknown, 'a.internal': unknown, 'b.example': unknown };
const policy = '[network]\nhosts = ["a.example", "a.internal"]';

test('the company’s proxy is asked for a name that only it can resolve', async () => {
  const { context } = bench(policy, { names });
  expect(await reach({ host: 'a.example', port: 443 }, 'connection', context)).toMatchObject({ kind: 'refused' });
  const proxied = { ...context, isProxied: () => true };
  expect(await reach({ host: 'a.example', port: 443 }, 'connection', proxied)).toMatchObject({
    kind: 'reached',
    vetted: { addresses: [] },
  });
});

// Attack: a name that stands for the company's own network, which nobody here can look at.
test('it is not asked for a special name, or for anything that the policy refuses', async () => {
  const { context } = bench(policy, { names });
  const proxied = { ...context, isProxied: () => true };
  expect(await reach({ host: 'a.internal', port: 443 }, 'connection', proxied)).toMatchObject({
    kind: 'refused',
    refusal: { code: 'special-name' },
  });
  expect(await reach({ host: 'b.example', port: 443 }, 'connection', proxied)).toMatchObject({
    kind: 'refused',
    refusal: { code: 'policy' },
  });
});
