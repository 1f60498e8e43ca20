import { describe, expect, onTestFinished, test } from 'vitest';
import { types } from '../dns/wire-name.ts';
import { askServers } from './ask-servers.ts';
import { grace, type LookUp, lookUpName } from './look-up.ts';
import type { ResolverConfiguration } from './ask-udp.ts';
import { hasSettled, settle, stopClock } from '../testing/stopped-clock.ts';
import {
  a,
  aaaa,
  type Answer,
  type Behaviour,
  cname,
  replyTo,
  type RunningNameServer,
  startNameServer,
} from './testing/name-server.ts';

const configurationFor = (
  servers: readonly RunningNameServer[],
  parts: Partial<ResolverConfiguration> = {},
): ResolverConfiguration => ({ servers: servers.map(({ server }) => server), timeout: 5000, attempts: 2, ...parts });
const silent: Behaviour = () => [];
const v6 = [0x2001, 0xdb8, 0, 0, 0, 0, 0, 1] as const;

describe('one question', () => {
  const ask = async (
    configuration: ResolverConfiguration,
    budget = 20_000,
    signal = new AbortController().signal,
  ): ReturnType<typeof askServers> =>
    await askServers('a.test', types.A, { configuration, deadline: performance.now() + budget, signal });

  test('goes to each server in turn, as often as configured', async () => {
    await using first = await startNameServer((asked) => [replyTo(asked, { rcode: 2 })]);
    await using second = await startNameServer((asked) => [replyTo(asked, { rcode: 5 })]);
    expect(await ask(configurationFor([first, second], { attempts: 3 }))).toEqual({
      kind: 'failed',
      reasons: ['127.0.0.1: SERVFAIL', '127.0.0.1: REFUSED'],
    });
    expect([first.asked.length, second.asked.length]).toEqual([3, 3]);
  });

  test('goes to no other server after an answer', async () => {
    await using first = await startNameServer((asked) => [
      replyTo(asked, { records: [cname('b.test', { ttl: 9 }), a('192.0.2.1', { owner: 'b.test' })] }),
    ]);
    await using second = await startNameServer(silent);
    expect(await ask(configurationFor([first, second]))).toEqual({
      kind: 'found',
      aliases: ['b.test'],
      addresses: ['192.0.2.1'],
      ttl: 9,
    });
    expect([first.asked.length, second.asked.length]).toEqual([1, 0]);
  });

  test('goes to no other server after a report that the name does not exist', async () => {
    await using first = await startNameServer((asked) => [replyTo(asked, { rcode: 3 })]);
    await using second = await startNameServer((asked) => [replyTo(asked, { records: [a('192.0.2.66')] })]);
    expect(await ask(configurationFor([first, second]))).toEqual({ kind: 'no-such-name' });
    expect(second.asked).toEqual([]);
  });

  test('waits no longer than configured, even with time left', async () => {
    await using server = await startNameServer(silent);
    const clock = stopClock();
    const asking = ask(configurationFor([server], { timeout: 60, attempts: 1 }), 5000);
    await clock.pass(59);
    expect(await hasSettled(asking)).toBe(false);
    await clock.pass(1);
    expect(await asking).toEqual({ kind: 'failed', reasons: ['127.0.0.1: no answer'] });
  });

  test('is not sent without time, or without a waiting caller', async () => {
    await using server = await startNameServer(silent);
    expect(await ask(configurationFor([server]), 0)).toEqual({ kind: 'failed', reasons: [] });
    expect(await ask(configurationFor([server]), 1000, AbortSignal.abort())).toEqual({ kind: 'failed', reasons: [] });
    expect(server.asked).toEqual([]);
  });

  test('is sent again after a lost packet, with another id', async () => {
    let lost = false;
    await using server = await startNameServer((asked) =>
      lost ? [replyTo(asked, { records: [a('192.0.2.1')] })] : ((lost = true), []),
    );
    const clock = stopClock();
    const asking = ask(configurationFor([server]), 1200);
    await clock.until(() => server.asked.length === 1);
    await clock.pass(1000);
    expect(await asking).toMatchObject({ kind: 'found' });
    const [one, two] = server.asked.map(({ packet }) => packet.toString('hex'));
    expect(one).not.toBe(two);
  });
});

describe('both families', () => {
  /** A look-up of which the answer about A has come, and the one about AAAA is held back. */
  async function half(answer: Answer): Promise<{
    readonly value: Promise<LookUp>;
    readonly pass: (milliseconds: number) => Promise<void>;
    readonly release: () => void;
  }> {
    const held = Promise.withResolvers<void>();
    const server = await startNameServer(async (asked) => {
      if (asked.type === 'A') return [replyTo(asked, answer)];
      await held.promise;
      return [replyTo(asked, { records: [aaaa(v6)] })];
    });
    onTestFinished(() => server[Symbol.asyncDispose]());
    const clock = stopClock();
    const value = lookUpName('a.test', { configuration: configurationFor([server], { attempts: 1 }), budget: 3000 });
    await clock.until(() => server.asked.length === 2);
    await settle();
    return { value, pass: clock.pass, release: held.resolve };
  }

  test('are asked about in parallel', async () => {
    // Neither is answered before both are there, and one alone would wait for ever.
    stopClock();
    const both = Promise.withResolvers<void>();
    await using server = await startNameServer(async (asked) => {
      if (server.asked.length === 2) both.resolve();
      await both.promise;
      return [replyTo(asked, { records: [asked.type === 'A' ? a('192.0.2.1') : aaaa(v6)] })];
    });
    expect(await lookUpName('a.test', { configuration: configurationFor([server]), budget: 2000 })).toMatchObject({
      result: { addresses: ['192.0.2.1', '2001:db8::1'] },
      lifetime: 60_000,
    });
  });

  test.each([
    ['AAAA', 'A', ['192.0.2.1']],
    ['A', 'AAAA', ['2001:db8::1']],
  ])('wait for each other, with a limit: %s is silent', async (_, answered, addresses) => {
    await using server = await startNameServer((asked) =>
      asked.type === answered ? [replyTo(asked, { records: [answered === 'A' ? a('192.0.2.1') : aaaa(v6)] })] : [],
    );
    const started = performance.now();
    // For ever would be an hour.
    expect(
      await lookUpName('a.test', {
        configuration: configurationFor([server], { timeout: 3_600_000, attempts: 1 }),
        budget: 3_600_000,
      }),
    ).toMatchObject({ result: { addresses }, lifetime: 5000 });
    expect(performance.now() - started).toBeGreaterThan(grace - 20);
  });

  test('are both used if they come a little apart', async () => {
    const { value, pass, release } = await half({ records: [a('192.0.2.1')] });
    await pass(grace - 1);
    release();
    expect(await value).toMatchObject({ result: { addresses: ['192.0.2.1', '2001:db8::1'] }, lifetime: 60_000 });
  });

  test('do not shorten the wait after an empty answer', async () => {
    const { value, pass, release } = await half({});
    await pass(grace + 150);
    release();
    expect(await value).toMatchObject({ result: { addresses: ['2001:db8::1'] }, lifetime: 60_000 });
  });
});
