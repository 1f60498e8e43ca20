import { getEventListeners } from 'node:events';
import { constants } from 'node:os';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type FileRefusal, type FilesOptions, Files } from './index.ts';
import {
  allDone,
  data,
  done,
  end,
  event,
  failed,
  fakeSource,
  opened,
  result,
  written,
  type FakeRequest,
  type FakeWorker,
  type Serve,
} from './testing/fake-worker.ts';
import { operationCode } from './wire/reply.ts';

const { errno } = constants;

function filesOf(
  serve: Serve = allDone,
  options: Partial<FilesOptions> = {},
): { readonly files: Files; readonly workers: FakeWorker[] } {
  const { source, workers } = fakeSource(serve);
  return {
    workers,
    files: new Files({ source, cwd: '/srv/project', narrow: () => Promise.reject(new Error('not here')), ...options }),
  };
}

/** Code of the first operation of a request. */
function codeOf({ operations }: FakeRequest): number {
  return operations[0] ?? 0;
}

function answer(payload: Buffer): Serve {
  return ({ id }, worker) => worker.say(result(id, 0, payload), end(id, 1));
}

/** Answers by kind of operation. */
function answers(by: Partial<Record<keyof typeof operationCode, (request: FakeRequest) => Buffer>>): Serve {
  return (request, worker) => {
    const kind =
      (Object.keys(operationCode) as (keyof typeof operationCode)[]).find(
        (name) => operationCode[name] === codeOf(request),
      ) ?? 'read';
    worker.say(result(request.id, 0, by[kind]?.(request) ?? done), end(request.id, 1));
  };
}

describe('reading', () => {
  test('gives bytes as they are, byte order marks and all', async () => {
    const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0x68, 0xff, 0xfe, 0x00]);
    const { files } = filesOf(answer(data(bytes)));
    expect(await files.read('x')).toEqual(bytes);
    expect(await files.read('x', { encoding: 'utf8' })).toBe(bytes.toString('utf8'));
    expect((await files.read('x', { encoding: 'utf8' })).charCodeAt(0)).toBe(0xfeff);
    expect(await files.read('x', { encoding: 'latin1' })).toBe(bytes.toString('latin1'));
  });

  test('a large file comes from one open file, in order, and the file is closed', async () => {
    const content = Buffer.alloc(1_000_000, 'holdfast ');
    const { files, workers } = filesOf(fileServer(content));
    expect((await files.read('big')).equals(content)).toBe(true);
    const kinds = workers[0]?.requests.map(codeOf) ?? [];
    expect([kinds[0], kinds[1], kinds.at(-1)]).toEqual([operationCode.read, operationCode.open, operationCode.close]);
  });

  test('a part that is short before the end loses nothing', async () => {
    const content = Buffer.alloc(700_000, '0123456789');
    const { files } = filesOf(fileServer(content, 100_000));
    expect((await files.read('/proc/like')).equals(content)).toBe(true);
  });

  test('a whole file that never ends is given up, unless somebody says how much is wanted', async () => {
    const endless = Buffer.alloc(256 << 10);
    const { files } = filesOf(
      answers({ open: () => opened(7), readAt: () => data(endless, 0), read: () => data(endless, 0) }),
    );
    await expect(files.read('/dev/zero')).rejects.toMatchObject({ code: 'HF_USAGE' });
    expect(await files.read('/dev/zero', { length: 256 << 10 })).toHaveLength(256 << 10);
  });

  test('a stream asks for no more than four parts ahead of its reader', async () => {
    const { files, workers } = filesOf(fileServer(Buffer.alloc(8 << 20, 'x')));
    const stream = files.readStream('big');
    const [first] = (await stream.iterator({ destroyOnReturn: false }).next()).value as Buffer;
    expect(first).toBe('x'.charCodeAt(0));
    await sleep(20);
    expect(
      workers[0]?.requests.filter((request) => codeOf(request) === operationCode.readAt).length,
    ).toBeLessThanOrEqual(12);
    stream.destroy();
  });

  test('a reader that leaves closes the file', async () => {
    const { files, workers } = filesOf(fileServer(Buffer.alloc(4 << 20, 'x')));
    for await (const chunk of files.readStream('big')) {
      expect((chunk as Buffer).length).toBeGreaterThan(0);
      break;
    }
    await sleep(20);
    expect(codeOf(workers[0]?.requests.at(-1) as FakeRequest)).toBe(operationCode.close);
  });
});

/** Serves one file. A reader with the file open gets `most` bytes at a time. */
function fileServer(content: Buffer, most = Number.POSITIVE_INFINITY): Serve {
  const part = ({ operations }: FakeRequest, at: number, largest: number): Buffer => {
    const offset = operations.readUInt32LE(at);
    return data(content.subarray(offset, offset + Math.min(largest, operations.readUInt32LE(at + 8))), content.length);
  };
  return answers({
    open: () => opened(7),
    // u8 kind, u32 handle, u64 offset, u32 length.
    readAt: (request) => part(request, 5, most),
    // u8 kind, u32 length of the path, path, NUL, u64 offset, u32 length.
    read: (request) => part(request, 6 + request.operations.readUInt32LE(1), content.length),
  });
}

describe('writing', () => {
  test('small content goes in one request', async () => {
    const { files, workers } = filesOf();
    await files.write('a/b.txt', 'text');
    expect(workers[0]?.requests.map(codeOf)).toEqual([operationCode.write]);
    expect(workers[0]?.requests[0]?.operations.includes('text')).toBe(true);
  });

  test('more goes part by part to one open file, which is kept at the end', async () => {
    const { files, workers } = filesOf(
      answers({ open: () => opened(1), writeAt: ({ operations }) => written(operations.readUInt32LE(13)) }),
    );
    await files.write('big', Buffer.alloc(600_000));
    expect(workers[0]?.requests.map(codeOf)).toEqual([
      operationCode.open,
      ...Array.from({ length: 3 }, () => operationCode.writeAt),
      operationCode.close,
    ]);
    expect(workers[0]?.requests.at(-1)?.operations.at(-1)).toBe(0);
  });

  test('a stream is read no faster than it is written', async () => {
    let given = 0;
    const held: (() => void)[] = [];
    const serve: Serve = (request, worker) => {
      if (codeOf(request) !== operationCode.writeAt)
        return void worker.say(
          result(request.id, 0, codeOf(request) === operationCode.open ? opened(1) : done),
          end(request.id, 1),
        );
      held.push(() =>
        worker.say(result(request.id, 0, written(request.operations.readUInt32LE(13))), end(request.id, 1)),
      );
    };
    const { files } = filesOf(serve);
    const source = async function* (): AsyncGenerator<Buffer> {
      for (; given < 100; given += 1) yield Buffer.alloc(1000);
    };
    const writing = files.write('x', source());
    await sleep(20);
    expect(given).toBeLessThanOrEqual(9);
    for (let taken = 0; taken < 100; ) {
      const next = held.shift();
      next?.();
      taken += next === undefined ? 0 : 1;
      await sleep(0);
    }
    await writing;
  });

  test('a stream that fails drops the file and passes its error on', async () => {
    const { files, workers } = filesOf(
      answers({ open: () => opened(1), writeAt: ({ operations }) => written(operations.readUInt32LE(13)) }),
    );
    const source = async function* (): AsyncGenerator<string> {
      yield 'part';
      throw new Error('the network broke');
    };
    await expect(files.write('x', source(), { replace: 'atomic' })).rejects.toThrow('the network broke');
    expect(workers[0]?.requests.at(-1)?.operations.at(-1)).toBe(1);
  });

  test('a full disk gives the error of node:fs, and the file is dropped', async () => {
    const { files, workers } = filesOf(
      answers({ open: () => opened(1), writeAt: () => failed(errno.ENOSPC, 'write') }),
    );
    await expect(files.write('x', Readable.from([Buffer.alloc(10)]))).rejects.toMatchObject({
      code: 'ENOSPC',
      errno: -28,
      syscall: 'write',
      message: 'ENOSPC: no space left on device, write',
    });
    expect(workers[0]?.requests.at(-1)?.operations.at(-1)).toBe(1);
  });

  test('an incomplete write is not a success', async () => {
    const { files } = filesOf(answers({ open: () => opened(1), writeAt: () => written(3) }));
    await expect(files.write('x', Readable.from([Buffer.alloc(10)]))).rejects.toMatchObject({
      code: 'HF_FILES_PROTOCOL',
    });
  });

  test('a worker that ends between the parts: nothing goes to the next one', async () => {
    const { files, workers } = filesOf((request, worker) => {
      if (codeOf(request) === operationCode.open) worker.say(result(request.id, 0, opened(1)), end(request.id, 1));
      else worker.die();
    });
    await expect(files.write('x', Buffer.alloc(600_000))).rejects.toMatchObject({ code: 'HF_FILES_WORKER_ENDED' });
    expect(workers).toHaveLength(1);
    await expect(files.append('y', 'z')).rejects.toMatchObject({ code: 'HF_FILES_WORKER_ENDED' });
    expect(workers).toHaveLength(2);
  });

  test('letters that mean nothing', async () => {
    const { files } = filesOf();
    await expect(files.write('x', 'y', { flag: 'q' as 'w' })).rejects.toMatchObject({ code: 'HF_USAGE' });
  });
});

describe('failures', () => {
  test('a path with a null byte reaches no worker', async () => {
    const { files, workers } = filesOf();
    for (const call of [
      () => files.read('a\0b'),
      () => files.rename('a', 'b\0'),
      () => files.remove(Buffer.from('a\0b')),
      () => files.batch((batch) => batch.write('\0', '')),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
    }
    expect(workers).toEqual([]);
  });

  test('a policy refusal says so; other errors are unchanged', async () => {
    const refusal = {
      request: { kind: 'file', operation: 'write', path: '/srv/x' },
      verdict: { remedy: 'add it to files.write' },
    } as FileRefusal;
    const asked: unknown[] = [];
    const explain = async (touched: unknown, code: string): Promise<FileRefusal | undefined> => {
      asked.push(touched, code);
      return code === 'EROFS' ? refusal : undefined;
    };
    const { files } = filesOf(
      ({ id }, worker) => worker.say(result(id, 0, failed(id === 1 ? errno.EROFS : errno.ENOSPC, 'open')), end(id, 1)),
      { explain },
    );
    await expect(files.write('/srv/x', '')).rejects.toMatchObject({
      code: 'EROFS',
      refusal,
      remedy: 'add it to files.write',
    });
    await expect(files.write('/srv/x', '')).rejects.not.toHaveProperty('refusal');
    expect(asked).toEqual([
      [
        { path: '/srv/x', operation: 'write' },
        { path: '/srv/x', operation: 'create' },
      ],
      'EROFS',
    ]);
  });

  test('exists is an answer, also where the look itself is refused', async () => {
    const { files } = filesOf(({ id }, worker) =>
      worker.say(result(id, 0, id === 1 ? done : failed(errno.EACCES, 'access')), end(id, 1)),
    );
    expect([await files.exists('x'), await files.exists('y')]).toEqual([true, false]);
  });
});

describe('a batch', () => {
  test('tells of each operation what became of it', async () => {
    const { files } = filesOf(({ id }, worker) =>
      worker.say(result(id, 0, done), result(id, 1, failed(errno.ENOENT, 'rename')), end(id, 2)),
    );
    const outcomes = await files.batch((batch) => {
      expect([batch.makeDir('d'), batch.rename('a', 'b'), batch.write('c', 'x')]).toEqual([0, 1, 2]);
    });
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'failed', 'not-run']);
    expect(outcomes[1]).toMatchObject({
      operation: { kind: 'rename', from: 'a' },
      error: { code: 'ENOENT', dest: 'b' },
    });
  });

  test('of many goes in several requests, one after the other', async () => {
    const { files, workers } = filesOf((request, worker) => {
      if (request.id < 3) allDone(request, worker);
      else worker.say(result(request.id, 0, failed(errno.ENOENT, 'unlink')), end(request.id, 1));
    });
    const outcomes = await files.batch((batch) => {
      for (let index = 0; index < 4000; index += 1) batch.remove(`f${index}`);
    });
    expect(outcomes.map(({ kind }) => kind).indexOf('failed')).toBe(2048);
    expect(outcomes.filter(({ kind }) => kind === 'not-run')).toHaveLength(4000 - 2049);
    expect(workers[0]?.requests.map(({ count }) => count)).toEqual([1024, 1024, 1024]);
  });

  test('whose worker ends tells of the whole batch', async () => {
    const { files } = filesOf((request, worker) => {
      if (request.id === 1) return allDone(request, worker);
      worker.say(result(request.id, 0, done));
      worker.die();
    });
    const error = (await files
      .batch((batch) => {
        for (let index = 0; index < 1100; index += 1) batch.remove(`f${index}`);
      })
      .catch((reason: unknown) => reason)) as {
      readonly code: string;
      readonly details: Record<string, readonly number[]>;
    };
    expect(error.code).toBe('HF_FILES_WORKER_ENDED');
    expect([
      error.details['done']?.length,
      error.details['inDoubt'],
      error.details['notRun']?.at(0),
      error.details['notRun']?.at(-1),
    ]).toEqual([1025, [1025], 1026, 1099]);
  });

  test('of nothing starts nothing', async () => {
    const { files } = filesOf();
    expect(await files.batch([])).toEqual([]);
  });
});

describe('a cancelled call', () => {
  const cancelKind = 2;

  test('before it began reaches no worker', async () => {
    const { files, workers } = filesOf();
    const signal = AbortSignal.abort(new Error('not today'));
    for (const call of [
      () => files.remove('x', { signal }),
      () => files.copy('x', 'y', { signal }),
      () => files.batch((batch) => batch.remove('x'), { signal }),
    ])
      await expect(call()).rejects.toThrow('not today');
    expect(workers.flatMap(({ requests }) => requests)).toEqual([]);
  });

  test('while it waits is not sent at all', async () => {
    const { files, workers } = filesOf(() => undefined);
    const others = Promise.allSettled(Array.from({ length: 1024 }, () => files.exists('x')));
    const controller = new AbortController();
    const waiting = expect(files.remove('y', { signal: controller.signal })).rejects.toThrow('changed my mind');
    await sleep(20);
    controller.abort(new Error('changed my mind'));
    await waiting;
    expect(workers[0]?.requests.some((request) => codeOf(request) === operationCode.remove)).toBe(false);
    await files.close();
    await others;
  });

  test('ends early: finished operations are reported, and the rest does not run', async () => {
    const controller = new AbortController();
    const { files, workers } = filesOf((request, worker) => {
      if (request.kind === cancelKind) return worker.say(end(request.id, 1));
      worker.say(result(request.id, 0, done));
      controller.abort();
    });
    const outcomes = await files.batch(
      ['a', 'b', 'c'].map((path) => ({ kind: 'access', path, mode: 0 }) as const),
      { signal: controller.signal },
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'not-run', 'not-run']);
    expect(workers[0]?.requests.map(({ id, kind }) => [id, kind])).toEqual([
      [1, 1],
      [1, cancelKind],
    ]);
  });

  test('a single operation that had not begun is not a success', async () => {
    const controller = new AbortController();
    const { files } = filesOf((request, worker) =>
      request.kind === cancelKind ? worker.say(end(request.id, 0)) : controller.abort(new Error('stop')),
    );
    await expect(files.copy('a', 'b', { signal: controller.signal })).rejects.toThrow('stop');
  });

  test('a signal that outlives its calls holds nothing of them', async () => {
    const { files } = filesOf();
    const { signal } = new AbortController();
    for (let index = 0; index < 20; index += 1) await files.remove('x', { signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('a watch', () => {
  const created = 0;
  const watching = answers({ watch: () => opened(5) });

  test('gives events, including those that came with the answer', async () => {
    const { files, workers } = filesOf((request, worker) => {
      watching(request, worker);
      if (codeOf(request) === operationCode.watch)
        worker.say(event(5, created, 'first'), event(6, created, 'of another'));
    });
    const watcher = await files.watch('.');
    workers[0]?.say(event(5, created, 'second'));
    const seen: string[] = [];
    for await (const { path } of watcher) {
      seen.push(path);
      if (seen.length === 2) break;
    }
    expect(seen).toEqual(['first', 'second']);
    expect(codeOf(workers[0]?.requests.at(-1) as FakeRequest)).toBe(operationCode.unwatch);
    expect(workers[0]?.held).toBe('unref');
  });

  test('without a reader is bounded, and reports lost events', async () => {
    const { files, workers } = filesOf(watching);
    const watcher = await files.watch('.');
    for (let index = 0; index < 20_000; index += 1) workers[0]?.say(event(5, created, `f${index}`));
    await sleep(50);
    let last = await watcher.next();
    let count = 0;
    for (; last.value?.event !== 'overflow'; count += 1) last = await watcher.next();
    expect(count).toBe(16_384);
    workers[0]?.say(event(5, created, 'again'));
    expect((await watcher.next()).value?.path).toBe('again');
    await watcher.close();
  });

  test('ends with its worker, and says so', async () => {
    const { files, workers } = filesOf(watching);
    const watcher = await files.watch('.');
    const next = watcher.next();
    workers[0]?.die();
    await expect(next).rejects.toMatchObject({ code: 'HF_FILES_WORKER_ENDED' });
  });

  test('ends when its directory is gone', async () => {
    const gone = 7;
    const { files, workers } = filesOf(watching);
    const watcher = await files.watch('.');
    workers[0]?.say(event(5, gone, ''));
    const seen: string[] = [];
    for await (const { event: what } of watcher) seen.push(what);
    expect([seen, workers[0]?.held]).toEqual([['gone'], 'unref']);
  });

  test('that is closed gives no more', async () => {
    const { files } = filesOf(watching);
    const watcher = await files.watch('.');
    const next = watcher.next();
    await watcher.close();
    expect([await next, await watcher.next()]).toEqual([
      { done: true, value: undefined },
      { done: true, value: undefined },
    ]);
  });
});

describe('closing', () => {
  test('rejects pending and later calls, and starts nothing', async () => {
    const { files, workers } = filesOf(() => undefined);
    const writing = expect(files.write('x', 'y')).rejects.toMatchObject({ code: 'HF_FILES_WORKER_ENDED' });
    await sleep(5);
    await files.close();
    await writing;
    await expect(files.read('x')).rejects.toMatchObject({ code: 'HF_FILES_WORKER_ENDED', details: { notRun: [0] } });
    expect([workers.length, workers[0]?.ends]).toEqual([1, 1]);
  });

  test('ends the one-shot workers too', async () => {
    const other = fakeSource(allDone);
    const { files } = filesOf(allDone, {
      narrow: async () => ({
        source: other.source,
        cwd: '/srv/project',
        narrow: () => Promise.reject(new Error('not here')),
      }),
    });
    const shot = await files.oneShot({ write: [] });
    await shot.exists('x');
    await files.close();
    expect(other.workers.map(({ ends }) => ends)).toEqual([1]);
    await expect(shot.exists('x')).rejects.toMatchObject({ code: 'HF_FILES_WORKER_ENDED' });
  });

  test('an unused one starts nothing', async () => {
    const { files, workers } = filesOf();
    await files.close();
    await expect(files.exists('x')).rejects.toMatchObject({ code: expect.stringMatching(/^HF_FILES_/u) });
    expect(workers).toEqual([]);
  });
});

describe('resting', () => {
  test('waits for pending calls, ends the worker, and the next call starts another', async () => {
    const { files, workers } = filesOf((request, worker) => void sleep(20).then(() => allDone(request, worker)));
    const calls = [files.makeDir('a'), files.makeDir('b')];
    await files.rest();
    expect(workers[0]?.ends).toBeGreaterThan(0);
    await Promise.all(calls);
    await files.makeDir('c');
    expect(workers).toHaveLength(2);
    expect(workers[1]?.ends).toBe(0);
  });

  test('starts nothing by itself, and may be done again and again', async () => {
    const { files, workers } = filesOf();
    await Promise.all([files.rest(), files.rest()]);
    expect(workers).toHaveLength(0);
    await files.makeDir('a');
    await Promise.all([files.rest(), files.rest()]);
    await files.rest();
    expect(workers).toHaveLength(1);
  });

  test('a worker that dies meanwhile is at rest', async () => {
    const { files } = filesOf((request, worker) =>
      codeOf(request) === operationCode.access ? worker.die() : allDone(request, worker),
    );
    await files.makeDir('a');
    await files.rest();
    await files.makeDir('b');
  });

  test('after closing changes nothing', async () => {
    const { files } = filesOf();
    await files.close();
    await files.rest();
    await expect(files.makeDir('a')).rejects.toMatchObject({ code: 'HF_FILES_WORKER_ENDED' });
  });
});
