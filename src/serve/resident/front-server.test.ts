import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as later } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { FrontServer, type FrontProcess } from './front-server.ts';

const variables = Object.entries(process.env).map(([name, value]) => `${name}=${value ?? ''}`);

function question(word: string): Buffer {
  const words = ['run', '--', word];
  const texts = Buffer.from(['/', ...words, ...variables].map((text) => `${text}\0`).join(''));
  const bytes = Buffer.alloc(20);
  bytes.write('HFQ1', 'latin1');
  [12 + texts.length, 0, words.length, variables.length].forEach((number, index) =>
    bytes.writeUInt32LE(number, 4 + index * 4),
  );
  return Buffer.concat([bytes, texts]);
}

/** Serves with `run` until the test has ended. */
async function serve(
  run: (front: FrontProcess) => Promise<void>,
): Promise<{ readonly server: FrontServer; readonly ask: (word: string) => Socket }> {
  const runtime = mkdtempSync(join(tmpdir(), 'holdfast-fronts-'));
  const server = new FrontServer({ runtime, name: 'front.sock', run });
  await server.listen();
  onTestFinished(() => {
    server.close();
    rmSync(runtime, { recursive: true });
  });
  const ask = (word: string): Socket => {
    const socket = createConnection(join(runtime, 'front.sock')).on('error', () => undefined);
    socket.write(question(word));
    onTestFinished(() => void socket.destroy());
    return socket;
  };
  return { server, ask };
}

const wordOf = ({ request }: FrontProcess): string => request.words.at(-1) ?? '';

describe('an error of one run', () => {
  let caught: unknown[] = [];

  /** Replaces vitest's own listeners, as the resident supervisor does. */
  function hear(server: FrontServer): void {
    caught = [];
    const events = ['uncaughtException', 'unhandledRejection'] as const;
    const before = events.map((event) => process.listeners(event as never) as ((...words: unknown[]) => void)[]);
    for (const event of events) process.removeAllListeners(event);
    process.on('uncaughtException', (cause) => caught.push([cause.message, server.blame(cause)?.request.words.at(-1)]));
    onTestFinished(() => {
      events.forEach((event, index) => {
        process.removeAllListeners(event);
        for (const listener of before[index] ?? []) process.on(event as never, listener);
      });
    });
  }

  test.each([
    ['a timer', (fail: () => void) => void setTimeout(fail, 5)],
    ['the next turn', (fail: () => void) => void setImmediate(fail)],
    ['a microtask', (fail: () => void) => queueMicrotask(fail)],
    ['a promise that nobody awaits', (fail: () => void) => void later(5).then(fail)],
    ['a listener of a stream', (fail: () => void) => void createConnection('/nonexistent').on('error', fail)],
  ])('from %s ends that run, and no other', async (_, start) => {
    const failed: string[] = [];
    const goes = Promise.withResolvers<void>();
    const { server, ask } = await serve(async (front) => {
      const over = Promise.withResolvers<void>();
      front.fail = () => {
        failed.push(wordOf(front));
        front.socket.destroy();
        over.resolve();
      };
      if (wordOf(front) === 'bad')
        start(() => {
          throw new Error('of bad');
        });
      else void goes.promise.then(over.resolve);
      await over.promise;
      front.socket.end('x');
    });
    hear(server);
    const good = ask('good');
    let said = '';
    good.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await expect.poll(() => server.runs).toBe(1);
    ask('bad');
    await expect.poll(() => caught).toEqual([['of bad', 'bad']]);
    expect(failed).toEqual(['bad']);
    await expect.poll(() => server.runs).toBe(1);
    goes.resolve();
    await expect.poll(() => said).toBe('ax');
    await server.idle();
  });

  test('outside every run is passed on', async () => {
    const { server, ask } = await serve(() => later(50));
    hear(server);
    setTimeout(() => {
      throw new Error('of nobody');
    }, 5);
    ask('good');
    await expect.poll(() => caught).toEqual([['of nobody', undefined]]);
  });
});

describe('runs', () => {
  test('count from their request to their end', async () => {
    const begun: string[] = [];
    const gate = Promise.withResolvers<void>();
    const { server, ask } = await serve(async (front) => {
      begun.push(wordOf(front));
      await gate.promise;
      front.socket.end();
    });
    ['1', '2', '3'].forEach(ask);
    await expect.poll(() => begun.toSorted()).toEqual(['1', '2', '3']);
    expect(server.runs).toBe(3);
    const { changed } = server;
    await later(5);
    gate.resolve();
    await server.idle();
    expect(server.runs).toBe(0);
    expect(server.changed).toBeGreaterThan(changed);
  });

  test('do not begin after the close, and current ones go on', async () => {
    const gate = Promise.withResolvers<void>();
    const { server, ask } = await serve(() => gate.promise);
    ask('1');
    await expect.poll(() => server.runs).toBe(1);
    server.close();
    const late = ask('2');
    await new Promise((resolve) => late.once('close', resolve));
    expect(server.runs).toBe(1);
    gate.resolve();
    await server.idle();
  });
});

test('a wait for the end of all runs includes one that is about to begin', async () => {
  let idle: Promise<void> | undefined;
  // At this moment the run has started to begin, and has no end yet.
  const { server, ask } = await serve(async () => void (idle ??= server.idle()));
  ask('a');
  await expect.poll(() => idle === undefined).toBe(false);
  await idle;
  expect(server.runs).toBe(0);
});
