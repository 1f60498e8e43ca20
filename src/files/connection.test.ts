import { array, assert, asyncProperty, constantFrom, integer, oneof, record, uint8Array } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HoldfastError } from '../errors/index.ts';
import { WorkerConnection } from './connection.ts';
import {
  allDone,
  data,
  done,
  end,
  errorFrame,
  failed,
  fakeSource,
  frame,
  hello,
  opened,
  result,
  FakeWorker,
  type Serve,
} from './testing/fake-worker.ts';
import type { FileOperation } from './types.ts';
import { rounds } from '../../scripts/testing/extent.ts';

const touch: FileOperation = { kind: 'access', path: 'x', mode: 0 };
const read: FileOperation = { kind: 'read', path: 'x', offset: 0, length: 4 };
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10));

function connect(serve: Serve = allDone): { readonly connection: WorkerConnection; readonly workers: FakeWorker[] } {
  const { source, workers } = fakeSource(serve);
  return { connection: new WorkerConnection(source), workers };
}

/** The error of a request of three operations when the worker gives this answer. */
async function errorOf(
  serve: Serve,
  operations: readonly FileOperation[] = [touch, touch, touch],
): Promise<HoldfastError> {
  const { connection } = connect(serve);
  return (await connection.request(operations).catch((error: unknown) => error)) as HoldfastError;
}

describe('a connection', () => {
  test('answers requests in order', async () => {
    const { connection, workers } = connect(({ id }, worker) =>
      worker.say(result(id, 0, data(Buffer.from(String(id)))), end(id, 1)),
    );
    const answers = await Promise.all([connection.request([read]), connection.request([read])]);
    expect(answers.map(([answer]) => answer)).toEqual([
      { kind: 'data', data: Buffer.from('1'), size: 1 },
      { kind: 'data', data: Buffer.from('2'), size: 1 },
    ]);
    expect(workers[0]?.requests.map(({ id }) => id)).toEqual([1, 2]);
  });

  test('gives fewer results where a failure stopped it', async () => {
    const { connection } = connect(({ id }, worker) =>
      worker.say(result(id, 0, done), result(id, 1, failed(2, 'access')), end(id, 2)),
    );
    expect((await connection.request([touch, touch, touch])).map(({ kind }) => kind)).toEqual(['done', 'failed']);
  });

  test('goes on after a failure where it was told to', async () => {
    const { connection } = connect(({ id }, worker) =>
      worker.say(result(id, 0, failed(2, 'access')), result(id, 1, done), end(id, 2)),
    );
    expect((await connection.request([touch, touch], { stop: 'never' })).map(({ kind }) => kind)).toEqual([
      'failed',
      'done',
    ]);
  });

  test('sends nothing before the worker has greeted, and then everything in its order', async () => {
    const { connection, workers } = connect();
    const requests = Array.from({ length: 20 }, () => connection.request([touch]));
    expect(workers.flatMap((worker) => worker.requests)).toEqual([]);
    await Promise.all(requests);
    expect(workers[0]?.requests.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });

  test('holds the process only while something is on its way', async () => {
    const { connection, workers } = connect();
    await connection.request([touch]);
    expect(workers[0]?.held).toBe('unref');
    const waiting = connection.request([touch]);
    expect(workers[0]?.held).toBe('ref');
    await waiting;
  });

  test('refuses a call larger than a frame, and goes on', async () => {
    const { connection } = connect();
    const large: FileOperation = { kind: 'read', path: 'x', offset: 0, length: 1 << 30 };
    await expect(connection.request([large])).rejects.toMatchObject({ code: 'HF_USAGE' });
    expect(await connection.request([touch])).toEqual([{ kind: 'done' }]);
  });
});

describe('pending work', () => {
  test('is bounded in requests: the rest waits its turn', async () => {
    const { connection, workers } = connect(() => undefined);
    const requests = Array.from({ length: 3000 }, () => connection.request([touch]));
    await settled();
    expect(workers[0]?.requests).toHaveLength(1024);
    for (let id = 1; id <= 1024; id += 1) workers[0]?.say(result(id, 0, done), end(id, 1));
    await requests[1023];
    await settled();
    expect(workers[0]?.requests).toHaveLength(2048);
    const all = Promise.allSettled(requests);
    await connection.close();
    await all;
  });

  test('is bounded in bytes, those that are asked for too', async () => {
    const { connection, workers } = connect(() => undefined);
    const part: FileOperation = { kind: 'readAt', handle: 1, offset: 0, length: 256 << 10 };
    const all = Promise.allSettled(Array.from({ length: 100 }, () => connection.request([part])));
    await settled();
    expect(workers[0]?.requests.length).toBeLessThanOrEqual(32);
    expect(workers[0]?.requests.length).toBeGreaterThan(16);
    await connection.close();
    await all;
  });
});

describe('when the worker ends', () => {
  test('answered calls are done, the next is in doubt, the rest did not run', async () => {
    const error = await errorOf(({ id }, worker) => {
      worker.say(result(id, 0, done));
      worker.die(137, 'killed');
    });
    expect(error).toMatchObject({
      code: 'HF_FILES_WORKER_ENDED',
      details: { done: [0], inDoubt: [1], notRun: [2], results: [{ kind: 'done' }] },
    });
    expect(error.message).toContain('137: killed');
  });

  test('later requests were not begun, and neither were those that waited', async () => {
    const { connection, workers } = connect(() => undefined);
    const requests = Promise.allSettled(Array.from({ length: 1100 }, () => connection.request([touch, touch])));
    await settled();
    workers[0]?.die();
    const losses = (await requests).map((outcome) =>
      outcome.status === 'rejected' ? (outcome.reason as HoldfastError).details : {},
    );
    expect(losses[0]).toMatchObject({ done: [], inDoubt: [0], notRun: [1] });
    for (const loss of losses.slice(1)) expect(loss).toMatchObject({ done: [], inDoubt: [], notRun: [0, 1] });
  });

  test('an answer that was on its way still counts', async () => {
    const { connection } = connect(({ id }, worker) => {
      worker.die();
      void id;
    });
    const { connection: other } = connect(({ id }, worker) => {
      worker.say(result(id, 0, done), end(id, 1));
      worker.die();
    });
    await expect(connection.request([touch])).rejects.toMatchObject({ details: { inDoubt: [0] } });
    expect(await other.request([touch])).toEqual([{ kind: 'done' }]);
  });

  test('later calls fail: nothing is sent twice, or to another worker', async () => {
    const { connection, workers } = connect(({ count }, worker) => (count === 1 ? worker.die() : undefined));
    await expect(connection.request([touch])).rejects.toMatchObject({ code: 'HF_FILES_WORKER_ENDED' });
    expect(connection.isEnded).toBe(true);
    await expect(connection.request([touch])).rejects.toMatchObject({ details: { notRun: [0], inDoubt: [] } });
    expect(workers).toHaveLength(1);
    expect(workers[0]?.requests).toHaveLength(1);
  });

  test('and its box has left something behind, closing says so', async () => {
    const { connection, workers } = connect();
    await connection.request([touch]);
    workers[0]?.dieWith(new HoldfastError('HF_QUARANTINE_FAILED', 'a hook is still there', { remedy: 'look' }));
    await settled();
    await expect(connection.request([touch])).rejects.toMatchObject({ code: 'HF_FILES_WORKER_ENDED' });
    await expect(connection.close()).rejects.toMatchObject({ code: 'HF_QUARANTINE_FAILED' });
  });

  test('an end before its greeting means no worker', async () => {
    const { source } = fakeSource();
    const connection = new WorkerConnection({
      start: async () => {
        const worker = (await source.start()) as FakeWorker;
        worker.stdout.read();
        worker.die(127, 'not found');
        return worker;
      },
    });
    await expect(connection.request([touch])).rejects.toMatchObject({
      code: 'HF_FILES_UNAVAILABLE',
      message: expect.stringContaining('127'),
    });
  });

  test('an invalid greeting does too', async () => {
    const connection = new WorkerConnection({
      start: async () => {
        const worker = new FakeWorker(() => undefined);
        worker.say(Buffer.from('holdfast-files: usage\n'));
        return worker;
      },
    });
    await expect(connection.request([touch])).rejects.toMatchObject({ code: 'HF_FILES_UNAVAILABLE' });
  });

  test('a worker that cannot be started is unavailable, with the reason and its remedy', async () => {
    const cause = new HoldfastError('HF_GUARANTEE_MISSING', 'no namespaces', { remedy: 'allow them' });
    const connection = new WorkerConnection({ start: () => Promise.reject(cause) });
    await expect(connection.request([touch])).rejects.toMatchObject({
      code: 'HF_FILES_UNAVAILABLE',
      message: expect.stringContaining('no namespaces'),
      remedy: 'allow them',
      cause,
    });
  });
});

describe('a worker that does not keep to the protocol is ended, and nothing of the rest is known', () => {
  test.each<[string, Serve]>([
    ['garbage', (_, worker) => worker.say(Buffer.from('Segmentation fault\n'))],
    ['a frame that is too long', (_, worker) => worker.say(Buffer.from([255, 255, 255, 127, 0, 0, 0, 0, 2]))],
    ['an unknown kind of frame', ({ id }, worker) => worker.say(frame(id, 99, Buffer.alloc(0)))],
    ['a second greeting', (_, worker) => worker.say(hello())],
    ['another version', (_, worker) => worker.say(hello(2))],
    ['an answer to another request', ({ id }, worker) => worker.say(result(id + 1, 0, done))],
    ['an answer that comes too early', ({ id }, worker) => worker.say(result(id, 1, done))],
    ['an answer of another kind', ({ id }, worker) => worker.say(result(id, 0, opened(3)))],
    ['an answer that comes twice', ({ id }, worker) => worker.say(result(id, 0, done), result(id, 0, done))],
    ['one answer too many', ({ id }, worker) => worker.say(...[0, 1, 2, 3].map((index) => result(id, index, done)))],
    ['an end that comes too early', ({ id }, worker) => worker.say(result(id, 0, done), end(id, 1))],
    ['an end that counts otherwise', ({ id }, worker) => worker.say(result(id, 0, done), end(id, 3))],
    [
      'an answer after a failure',
      ({ id }, worker) => worker.say(result(id, 0, failed(2, 'access')), result(id, 1, done)),
    ],
    ['an error of its own', (_, worker) => worker.say(errorFrame('malformed request'))],
  ])('%s', async (_, serve) => {
    const { connection, workers } = connect(serve);
    const error = (await connection.request([touch, touch, touch]).catch((reason: unknown) => reason)) as HoldfastError;
    expect(error).toMatchObject({
      code: 'HF_FILES_WORKER_ENDED',
      details: { notRun: [] },
      cause: { code: 'HF_FILES_PROTOCOL' },
    });
    expect((error.details['done'] as number[]).length + (error.details['inDoubt'] as number[]).length).toBe(3);
    expect(workers[0]?.ends).toBe(1);
    expect(connection.isEnded).toBe(true);
  });

  test('more bytes than were asked for', async () => {
    const error = await errorOf(({ id }, worker) => worker.say(result(id, 0, data(Buffer.alloc(5)))), [read]);
    expect(error).toMatchObject({ code: 'HF_FILES_WORKER_ENDED', details: { inDoubt: [0] } });
  });

  test('half a frame, and then the end', async () => {
    const error = await errorOf(({ id }, worker) => {
      worker.say(result(id, 0, done).subarray(0, 7));
      worker.die();
    });
    expect(error).toMatchObject({ code: 'HF_FILES_WORKER_ENDED', details: { done: [], inDoubt: [0], notRun: [1, 2] } });
  });

  test('an answer when nothing was asked', async () => {
    const { connection, workers } = connect();
    await connection.request([touch]);
    workers[0]?.say(result(1, 0, done), end(1, 1));
    await settled();
    expect([connection.isEnded, workers[0]?.ends]).toEqual([true, 1]);
  });

  test('any bytes: every request settles, done only if answered in order', async () => {
    const piece = oneof(
      record({ id: integer({ min: 0, max: 3 }), index: integer({ min: 0, max: 3 }) }).map(({ id, index }) =>
        result(id, index, done),
      ),
      record({ id: integer({ min: 0, max: 3 }), tried: integer({ min: 0, max: 3 }) }).map(({ id, tried }) =>
        end(id, tried),
      ),
      uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
      constantFrom(hello(), errorFrame('x')),
    );
    await assert(
      asyncProperty(array(piece, { maxLength: 12 }), async (pieces) => {
        const { connection } = connect(({ id }, worker) => {
          if (id !== 2) return;
          worker.say(...pieces);
          worker.die();
        });
        const outcomes = await Promise.allSettled([connection.request([touch, touch]), connection.request([touch])]);
        for (const [place, outcome] of outcomes.entries()) {
          const count = place === 0 ? 2 : 1;
          if (outcome.status === 'fulfilled') expect(outcome.value).toHaveLength(count);
          else expect(lossCount(outcome.reason as HoldfastError)).toBe(count);
        }
        // The worker can answer the second only after the first.
        if (outcomes[0].status === 'rejected') expect(outcomes[1].status).toBe('rejected');
      }),
      { numRuns: rounds(300) },
    );
  });
});

function lossCount({ code, details }: HoldfastError): number {
  expect(code).toBe('HF_FILES_WORKER_ENDED');
  return ['done', 'inDoubt', 'notRun'].reduce((sum, key) => sum + (details[key] as number[]).length, 0);
}
