import { describe, expect, test } from 'vitest';
import { serve, socketOf } from '../dial/testing/loopback.ts';
import { verdictOf } from '../ssrf/testing/authorities.ts';
import type { Dialled, Refused } from '../types.ts';
import { leadsTo } from './reach.ts';
import { bench } from './testing/pipeline.ts';
import { begunWith, wayTo } from './way.ts';

const code = (opened: Dialled | Refused): string => (opened.kind === 'refused' ? opened.refusal.code : opened.address);

describe('the target of connections', () => {
  test.each([
    ['allow', undefined, 'a.example:443'],
    ['deny', undefined, 'a.example:443'],
    ['redirect', 'b.example:8443', 'b.example:8443'],
    ['redirect', 'b.example', 'b.example:443'],
    ['redirect', 'no host', 'a.example:443'],
  ] as const)('%s to %s is %s', (decision, redirectTo, expected) => {
    const { context } = bench('', {
      authority: { decide: () => verdictOf(decision, redirectTo === undefined ? {} : { redirectTo }) },
    });
    const { host, port } = leadsTo({ host: 'a.example', port: 443 }, context);
    expect(`${host}:${port}`).toBe(expected);
  });
});

describe('a way to a destination', () => {
  test('mentions no redirect if there is none, and dials the vetted addresses', async () => {
    const { port } = await serve();
    const { context, dialled } = bench(`[network]\nhosts = ["a.example:${port}", "127.0.0.1:${port}"]`);
    const destination = { host: 'a.example', port };
    const way = wayTo(destination, { leads: destination, use: 'connection' }, context);
    expect(way).not.toHaveProperty('redirected');
    expect(socketOf(await way.open()).remotePort).toBe(port);
    expect(dialled).toEqual(['127.0.0.1']);
  });

  test('is judged and vetted each time', async () => {
    const destination = { host: 'a.example', port: 443 };
    let decision: 'allow' | 'deny' = 'allow';
    const { context, dialled } = bench('', {
      names: { 'a.example': ['10.0.0.1'] },
      authority: { decide: () => verdictOf(decision), decideAddress: () => verdictOf('deny') },
    });
    const way = wayTo(destination, { leads: destination, use: 'connection' }, context);
    expect(code(await way.open())).toBe('special-address');
    decision = 'deny';
    expect(code(await way.open())).toBe('policy');
    expect(dialled).toEqual([]);
  });

  // Attack: the policy changes while someone relies on where the way leads.
  test.each([
    ['a.example', 'b.example'],
    ['b.example', 'c.example'],
  ])('that led to %s does not lead to %s later', async (before, after) => {
    const destination = { host: 'a.example', port: 443 };
    const { context, dialled } = bench('', {
      authority: {
        decide: () => verdictOf('redirect', { redirectTo: after }),
        decideAddress: () => verdictOf('allow'),
      },
    });
    const way = wayTo(destination, { leads: { host: before, port: 443 }, use: 'request' }, context);
    expect(await way.open()).toMatchObject({
      kind: 'refused',
      refusal: {
        code: 'policy',
        message: 'the policy changed after this connection began and now redirects a.example:443 differently',
      },
    });
    expect(dialled).toEqual([]);
  });
});

describe('a way with an open connection', () => {
  async function begun() {
    const { port, accepted } = await serve((socket) => socket.resume());
    const { context, dialled } = bench(`[network]\nhosts = ["a.example:${port}", "127.0.0.1:${port}"]`);
    const way = wayTo({ host: 'a.example', port }, { leads: { host: 'a.example', port }, use: 'connection' }, context);
    const first = await way.open();
    if (first.kind === 'refused') throw new Error(first.refusal.message);
    socketOf(first);
    return { first, dialled, accepted, way: begunWith(first, way) };
  }

  test('gives that connection once', async () => {
    const { first, dialled, way } = await begun();
    expect(await way.open()).toBe(first);
    expect(socketOf(await way.open())).not.toBe(first.socket);
    expect(dialled).toHaveLength(2);
  });

  test('gives a new one if that is gone', async () => {
    const { first, dialled, way } = await begun();
    first.socket.destroy();
    expect(socketOf(await way.open()).destroyed).toBe(false);
    expect(dialled).toHaveLength(2);
  });

  test('closes only the connection that nobody has taken', async () => {
    const { first, way } = await begun();
    await way.open();
    way.discard();
    expect(first.socket.destroyed).toBe(false);
    const other = await begun();
    other.way.discard();
    expect(other.first.socket.destroyed).toBe(true);
  });
});
