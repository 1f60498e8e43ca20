import { expect, test } from 'vitest';
import type { OpenNetwork } from '../../plan/types.ts';
import { stopClock } from '../testing/stopped-clock.ts';
import { sessionNetwork } from './session-network.ts';

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

test('a command that is over soon waits for nothing of what serves a network', async () => {
  const clock = stopClock();
  const { door, isLoading } = opened();
  await clock.pass(39);
  expect(isLoading()).toBe(false);
  expect(await door.close()).toEqual([]);
  await clock.pass(1000);
  expect(isLoading()).toBe(false);
});

test('for one that goes on it is loaded ahead of the first connection', async () => {
  const clock = stopClock();
  const { door, isLoading } = opened();
  await clock.pass(40);
  await expect.poll(isLoading).toBe(true);
  await door.close();
});
