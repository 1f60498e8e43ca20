import { duplexPair } from 'node:stream';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deadlineOf, DeadlinePassed } from './deadline.ts';
import { readClientHello } from './read-client-hello.ts';
import { helloMessage, inRecords } from './testing/hellos.ts';
import { connectedPair } from './testing/loopback.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const never = new AbortController().signal;

describe('reading a hello', () => {
  test('leaves every byte in place', async () => {
    const parts = fc.tuple(
      fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 8 }),
      fc.uint8Array({ maxLength: 50 }),
    );
    await fc.assert(
      fc.asyncProperty(parts, async ([cuts, more]) => {
        const [inner, outer] = duplexPair();
        const all = Buffer.concat([inRecords(helloMessage(), [20]), more]);
        let at = 0;
        for (const cut of cuts) outer.write(all.subarray(at, (at += cut)));
        outer.end(all.subarray(at));
        expect((await readClientHello(inner, never)).kind).toBe('hello');
        const chunks: Buffer[] = [];
        for await (const chunk of inner) chunks.push(chunk as Buffer);
        expect(Buffer.concat(chunks)).toEqual(all);
      }),
      { numRuns: rounds(100) },
    );
  });

  test('leaves other bytes in place too', async () => {
    const pair = await connectedPair();
    pair.client.write('GET / HTTP/1.1\r\n\r\n');
    expect(await readClientHello(pair.server, never)).toEqual({ kind: 'not-tls' });
    expect(String(pair.server.read())).toBe('GET / HTTP/1.1\r\n\r\n');
  });

  test('leaves no listener behind', async () => {
    const [inner, outer] = duplexPair();
    const before = inner.eventNames().map((name) => [name, inner.listenerCount(name)]);
    outer.write(inRecords(helloMessage()));
    await readClientHello(inner, never);
    expect(inner.eventNames().map((name) => [name, inner.listenerCount(name)])).toEqual(before);
  });

  test('ends with the connection, and with the deadline', async () => {
    const [ended, other] = duplexPair();
    other.end(inRecords(helloMessage()).subarray(0, 9));
    expect(await readClientHello(ended, never)).toEqual({ kind: 'ended' });
    const [slow] = duplexPair();
    const deadline = deadlineOf(10);
    expect(await readClientHello(slow, deadline.signal)).toEqual({ kind: 'too-slow' });
    expect(deadline.signal.reason).toBeInstanceOf(DeadlinePassed);
  });
});

test('a cancelled deadline does not pass', async () => {
  const deadline = deadlineOf(5);
  deadline.clear();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(deadline.signal.aborted).toBe(false);
});
