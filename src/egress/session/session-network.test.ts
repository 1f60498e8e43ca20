import { expect, test } from 'vitest';
import { openSessionCredentials } from '../../credentials/session/session-credentials.ts';
import type { OpenNetwork } from '../../plan/types.ts';
import { stopClock } from '../testing/stopped-clock.ts';
import { createSessionAuthority } from './session-authority.ts';
import { sessionNetwork } from './session-network.ts';
import { testPlace } from './testing/place.ts';

const network: OpenNetwork = {
  kind: 'names',
  families: ['ipv4'],
  dns: 'fake',
  resolver: '198.18.0.1',
  divertPort: 1,
  fallbackPorts: [],
  loopbackPorts: [],
  forward: [],
  authority: 'none',
};

/** A door whose listeners have come, and whether what serves it has been asked for. */
function opened(): {
  readonly door: ReturnType<ReturnType<typeof sessionNetwork>['door']>;
  readonly isLoading: () => boolean;
} {
  let loads = 0;
  const session = sessionNetwork({
    id: 'session',
    environment: {},
    authority: 'none',
    get place(): never {
      loads += 1;
      throw new Error('only that it is asked for is of interest here');
    },
  });
  const door = session.door(network);
  door.complete('every-port');
  return { door, isLoading: () => loads > 0 };
}

test('a short command does not wait for the network modules', async () => {
  const clock = stopClock();
  const { door, isLoading } = opened();
  await clock.pass(39);
  expect(isLoading()).toBe(false);
  expect(await door.close()).toEqual([]);
  await clock.pass(1000);
  expect(isLoading()).toBe(false);
});

test('a longer one loads them before its first connection', async () => {
  const clock = stopClock();
  const { door, isLoading } = opened();
  await clock.pass(40);
  await expect.poll(isLoading).toBe(true);
  await door.close();
});

/** A door of a session with a credential, whose authority counts its signatures. */
async function withCredential(onAuthority: () => void = () => {}): Promise<{
  readonly door: ReturnType<ReturnType<typeof sessionNetwork>['door']>;
  readonly signed: () => number;
  close(): Promise<void>;
}> {
  const { place, environment: variables } = testPlace(
    'network.hosts = ["api.example"]\n[[credentials]]\nname = "one"\nsource = { env = "ONE" }\nhosts = ["api.example"]\ninject = { kind = "bearer" }\nenvironment = ["ONE"]\n',
  );
  const environment = { ...variables, ONE: 'example_live_7Hq2mVx9Lk4TzB6w' };
  const credentials = await openSessionCredentials({
    id: 'session',
    place,
    environment,
    writableRoots: [],
    gitSettings: 0,
  });
  const made = createSessionAuthority(environment);
  let signed = 0;
  const certificates = {
    ...made.certificates,
    sign: (data: Uint8Array) => ((signed += 1), made.certificates.sign(data)),
  };
  const session = sessionNetwork({
    id: 'session',
    place,
    environment,
    authority: 'session',
    credentials,
    spares: { authority: () => (onAuthority(), { ...made, certificates }) },
  });
  return {
    door: session.door({ ...network, authority: 'session' }),
    signed: () => signed,
    async close() {
      await session.close();
      credentials.close();
    },
  };
}

test('a command with a credential finds its server’s certificate ready', async () => {
  const { door, signed, close } = await withCredential();
  door.complete('every-port');
  await expect.poll(signed, { timeout: 10_000 }).toBe(1);
  await door.close();
  await close();
});

test('a command that ends during the setup gets no certificate', async () => {
  const asked = Promise.withResolvers<void>();
  const { door, signed, close } = await withCredential(asked.resolve);
  door.complete('every-port');
  await asked.promise;
  await door.close();
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(signed()).toBe(0);
  await close();
});
