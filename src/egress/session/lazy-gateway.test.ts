import { describe, expect, test } from 'vitest';
import type { SessionGateway } from '../../llm/session/session-gateway.ts';
import { answerOf, anthropic, requestOf } from '../../llm/session/testing/gateway.ts';
import type { Policy } from '../../policy/policy.ts';
import { policyFrom } from '../../policy/testing/policies.ts';
import { lazyGateway } from './lazy-gateway.ts';
import { lateRules } from './session-egress.ts';

const granting = policyFrom({ user: '[network]\nhosts = ["api.anthropic.com", "example.com"]\n' });
const example = { host: 'example.com', port: 443 };

/** What a request meets, and how often the gateway was loaded. */
async function ask(
  policy: Policy | undefined,
  to: typeof example & { readonly redirected?: typeof example },
  load: () => Promise<SessionGateway> = () => Promise.resolve(refusing),
): Promise<{ readonly met: string; readonly loads: number }> {
  let loads = 0;
  const { interceptor } = lazyGateway(() => (loads++, load()), { policy: () => policy });
  const send = interceptor(() => Promise.resolve(answerOf({})), {
    destination: to,
    scheme: 'https',
    ...(to.redirected === undefined ? {} : { redirected: to.redirected }),
  });
  const met = async (): Promise<string> => (await send(requestOf({ to }))).kind;
  const [first, second] = [await met().catch(() => 'error'), await met().catch(() => 'error')];
  expect(second).toBe(first);
  return { met: first, loads };
}

const refusing: SessionGateway = {
  interceptor: () => () =>
    Promise.resolve({ kind: 'refused', refusal: { code: 'data-loss', message: 'kept', remedy: '' } }),
  prepare: () => undefined,
  flush: () => undefined,
};

describe('the gateway', () => {
  test('is loaded once, for an inspected host', async () =>
    expect(await ask(granting, anthropic)).toEqual({ met: 'refused', loads: 1 }));
  test('is loaded for a host that is redirected to a server of models', async () =>
    expect(await ask(granting, { ...example, redirected: anthropic })).toEqual({ met: 'refused', loads: 1 }));
  test('is not loaded for other hosts', async () =>
    expect(await ask(granting, example)).toEqual({ met: 'response', loads: 0 }));
  test('handles every host while the policy is damaged', async () =>
    expect(await ask(undefined, example)).toEqual({ met: 'refused', loads: 1 }));
  test('lets nothing pass if it cannot be loaded', async () =>
    expect(await ask(granting, anthropic, () => Promise.reject(new Error('its file is gone')))).toEqual({
      met: 'error',
      loads: 1,
    }));
});

describe('ahead of the first request, the gateway', () => {
  const preparing = async (policy: Policy | undefined, server: typeof example): Promise<readonly string[]> => {
    const seen: string[] = [];
    const load = (): Promise<SessionGateway> => {
      seen.push('loaded');
      return Promise.resolve({ ...refusing, prepare: ({ host }) => void seen.push(host) });
    };
    const gateway = lazyGateway(load, { policy: () => policy });
    await gateway.prepare(server);
    await gateway.interceptor(() => Promise.resolve(answerOf({})), { destination: anthropic, scheme: 'https' })(
      requestOf({}),
    );
    return seen;
  };
  test('is loaded for a server of models, and only once', async () =>
    expect(await preparing(granting, anthropic)).toEqual(['loaded', anthropic.host]));
  test('a failure before the first request is not permanent', async () => {
    let loads = 0;
    const load = () => ((loads += 1) === 1 ? Promise.reject(new Error('no descriptors')) : Promise.resolve(refusing));
    const gateway = lazyGateway(load, { policy: () => granting });
    await expect(gateway.prepare(anthropic)).rejects.toThrow('no descriptors');
    const send = gateway.interceptor(() => Promise.resolve(answerOf({})), { destination: anthropic, scheme: 'https' });
    expect((await send(requestOf({}))).kind).toBe('refused');
    expect(loads).toBe(2);
  });

  test.each([
    ['for another server', granting, example],
    ['while the policy is damaged', undefined, anthropic],
  ] as const)('stays unloaded %s', async (_, policy, server) =>
    expect(await preparing(policy, server)).toEqual(['loaded']),
  );
});

test('a flush waits for the gateway', async () => {
  let flushes = 0;
  const gateway = lazyGateway(() => Promise.resolve({ ...refusing, flush: () => void (flushes += 1) }), {
    policy: () => granting,
  });
  gateway.flush();
  expect(flushes).toBe(0);
  await gateway.interceptor(() => Promise.resolve(answerOf({})), { destination: anthropic, scheme: 'https' })(
    requestOf({}),
  );
  gateway.flush();
  expect(flushes).toBe(1);
});

test.each([
  [example, undefined, 'response'],
  [anthropic, undefined, 'refused'],
  [example, anthropic, 'refused'],
  [anthropic, example, 'refused'],
] as const)(
  'without an inspector, a request to %j that is redirected to %j gets a %s',
  async (destination, redirected, met) => {
    const send = lateRules(() => granting)(() => Promise.resolve(answerOf({})), {
      destination,
      scheme: 'https',
      ...(redirected === undefined ? {} : { redirected }),
    });
    expect((await send(requestOf({}))).kind).toBe(met);
  },
);
