/** The events of a watch. */
import { appendFileSync, chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { startWorker, type TestWorker } from '../testing/worker.ts';

async function watch(worker: TestWorker, path: string, depth: 'directory' | 'tree' = 'tree'): Promise<number> {
  const result = await worker.run({ kind: 'watch', path, depth });
  if (result.kind !== 'opened') throw new Error(JSON.stringify(result));
  return result.handle;
}

/** The events up to this one. If it never comes, the test times out. */
async function told(worker: TestWorker, handle: number, last: string): Promise<readonly string[]> {
  await worker.reply(
    (reply) =>
      reply.kind === 'event' &&
      reply.event.handle === handle &&
      `${reply.event.event} ${Buffer.from(reply.event.path).toString()}` === last,
  );
  const events = worker.events(handle).map(({ event, path }) => `${event} ${Buffer.from(path).toString()}`);
  // The kernel merges two equal events if neither was read in between.
  return events.filter((event, i) => event !== events[i - 1]);
}

describe('a directory', () => {
  test('reports changes of its entries, in order', async () => {
    const { worker, at } = startWorker();
    const handle = await watch(worker, at(), 'directory');
    writeFileSync(at('a'), 'x');
    appendFileSync(at('a'), 'y');
    chmodSync(at('a'), 0o600);
    renameSync(at('a'), at('b'));
    rmSync(at('b'));
    expect(await told(worker, handle, 'deleted b')).toEqual([
      'created a',
      'changed a',
      'attributes a',
      'moved-from a',
      'moved-to b',
      'deleted b',
    ]);
  });

  test('reports nothing deeper', async () => {
    const { worker, at } = startWorker();
    mkdirSync(at('d'));
    const handle = await watch(worker, at(), 'directory');
    writeFileSync(at('d', 'deep'), '');
    writeFileSync(at('end'), '');
    expect(await told(worker, handle, 'created end')).toEqual(['created end']);
  });
});

describe('a tree', () => {
  test('reports deep entries, and new directories', async () => {
    const { worker, at } = startWorker();
    mkdirSync(at('a', 'b'), { recursive: true });
    const handle = await watch(worker, at());
    writeFileSync(at('a', 'b', 'f'), '');
    mkdirSync(at('n', 'm', 'o'), { recursive: true });
    await told(worker, handle, 'created n/m/o');
    writeFileSync(at('n', 'm', 'o', 'f'), '');
    expect(await told(worker, handle, 'created n/m/o/f')).toEqual(
      expect.arrayContaining(['created a/b/f', 'created n', 'created n/m', 'created n/m/o', 'created n/m/o/f']),
    );
  });

  test('misses nothing that is made in a new directory at once', async () => {
    const { worker, at } = startWorker();
    const handle = await watch(worker, at());
    const paths = Array.from({ length: 200 }, (_, i) => `d${i}/e/f`);
    for (const path of paths) {
      mkdirSync(at(path, '..'), { recursive: true });
      writeFileSync(at(path), '');
    }
    writeFileSync(at('end'), '');
    const events = await told(worker, handle, 'created end');
    expect(paths.filter((path) => !events.includes(`created ${path}`))).toEqual([]);
  });

  test('follows a directory that moves inside, and forgets one that moves out', async () => {
    const { worker, at } = startWorker();
    mkdirSync(at('w', 'a', 'deep'), { recursive: true });
    mkdirSync(at('w', 'out'));
    const handle = await watch(worker, at('w'));
    renameSync(at('w', 'a'), at('w', 'b'));
    renameSync(at('w', 'out'), at('out'));
    await told(worker, handle, 'moved-from out');
    writeFileSync(at('w', 'b', 'deep', 'f'), '');
    writeFileSync(at('out', 'unseen'), '');
    writeFileSync(at('w', 'end'), '');
    const events = await told(worker, handle, 'created end');
    expect(events).toEqual(['moved-from a', 'moved-to b', 'moved-from out', 'created b/deep/f', 'created end']);
  });

  test('does not follow symlinks', async () => {
    const { worker, at } = startWorker();
    mkdirSync(at('w'));
    mkdirSync(at('other'));
    symlinkSync('../other', at('w', 'link'));
    const handle = await watch(worker, at('w'));
    writeFileSync(at('other', 'unseen'), '');
    writeFileSync(at('w', 'end'), '');
    expect(await told(worker, handle, 'created end')).toEqual(['created end']);
  });

  test('says when it lost something, and sees new directories nevertheless', async () => {
    const { worker, at } = startWorker();
    const handle = await watch(worker, at());
    worker.process.kill('SIGSTOP');
    for (let i = 0; i < 17_000; i++) writeFileSync(at(i % 2 ? 'x' : 'y'), '');
    mkdirSync(at('late'));
    worker.process.kill('SIGCONT');
    await told(worker, handle, 'overflow ');
    writeFileSync(at('late', 'f'), '');
    await told(worker, handle, 'created late/f');
  });
});

describe('a file', () => {
  test('tells of itself, with an empty path', async () => {
    const { worker, at } = startWorker();
    writeFileSync(at('f'), 'x');
    const handle = await watch(worker, at('f'));
    appendFileSync(at('f'), 'y');
    rmSync(at('f'));
    expect(await told(worker, handle, 'gone ')).toEqual(['changed ', 'attributes ', 'gone ']);
  });
});

describe('the end of a watch', () => {
  test('a vanished directory is reported once', async () => {
    const { worker, at } = startWorker();
    mkdirSync(at('d', 'e'), { recursive: true });
    const handle = await watch(worker, at('d'));
    rmSync(at('d'), { recursive: true });
    await told(worker, handle, 'gone ');
    await setTimeout(20);
    expect(worker.events(handle).filter(({ event }) => event === 'gone')).toHaveLength(1);
    expect(await worker.run({ kind: 'unwatch', handle })).toEqual({ kind: 'done' });
  });

  test('unwatch stops reports, and invalidates the handle', async () => {
    const { worker, at } = startWorker();
    const handle = await watch(worker, at());
    const second = await watch(worker, at(), 'directory');
    expect(await worker.run({ kind: 'unwatch', handle })).toEqual({ kind: 'done' });
    expect(await worker.run({ kind: 'unwatch', handle })).toMatchObject({
      kind: 'failed',
      errno: constants.errno.EBADF,
    });
    writeFileSync(at('a'), '');
    await told(worker, second, 'created a');
    expect(worker.events(handle)).toEqual([]);
  });

  test('two watches of one directory are two', async () => {
    const { worker, at } = startWorker();
    const handles = [await watch(worker, at()), await watch(worker, at(), 'directory')];
    writeFileSync(at('a'), '');
    for (const handle of handles) expect(await told(worker, handle, 'created a')).toEqual(['created a']);
  });

  test('the 65th is EMFILE; a missing path is ENOENT', async () => {
    const { worker, at } = startWorker();
    expect(await worker.run({ kind: 'watch', path: at('missing'), depth: 'tree' })).toMatchObject({
      kind: 'failed',
      errno: constants.errno.ENOENT,
      syscall: 'watch',
    });
    const results = await worker.request(
      Array.from({ length: 65 }, () => ({ kind: 'watch', path: at(), depth: 'directory' })),
    );
    expect(results.map(({ kind }) => kind)).toEqual([...Array.from({ length: 64 }, () => 'opened'), 'failed']);
    expect(results[64]).toMatchObject({ errno: constants.errno.EMFILE, syscall: 'watch' });
  });

  test('events come between requests, never in the middle of an answer', async () => {
    const { worker, at } = startWorker();
    const handle = await watch(worker, at());
    for (let i = 0; i < 200; i++)
      await worker.request([
        {
          kind: 'write',
          path: at(`f${i}`),
          data: Buffer.from('x'),
          flags: 0o1101,
          mode: 0o666,
          parents: 'require',
          replace: 'in-place',
        },
      ]);
    const events = await told(worker, handle, 'changed f199');
    expect(events).toHaveLength(400);
  });
});
