/** Requests, their order and their end, and invalid bytes. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync, mkdirSync } from 'node:fs';
import { constants } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { assert, nat, property, uint8Array } from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FileOperation } from '../../types.ts';
import { encodeCancel, encodeFileRequest } from '../encode-request.ts';
import type { WorkerReply } from '../reply.ts';
import { WorkerReplyReader } from '../reply-reader.ts';
import { frame, u32 } from '../testing/frames.ts';
import { scratch, startWorker, workerPath } from '../testing/worker.ts';
import { rounds } from '../../../../scripts/testing/extent.ts';

function write(path: string, data: Uint8Array = Buffer.from('x')): FileOperation {
  return { kind: 'write', path, data, flags: 0o1101, mode: 0o666, parents: 'require', replace: 'in-place' };
}

/** Sends all input at once, and closes it. */
function feed(input: Buffer, cwd: string): { readonly replies: readonly WorkerReply[]; readonly code: number | null } {
  const { stdout, status } = spawnSync(workerPath, [], { input, cwd });
  return { replies: new WorkerReplyReader().push(stdout).slice(1), code: status };
}

describe('a batch', () => {
  test('is done in order, with a result for each operation', async () => {
    const { worker, at } = startWorker();
    const results = await worker.request([
      { kind: 'makeDirectory', path: at('d'), mode: 0o777, parents: 'require' },
      write(at('d', 'a')),
      { kind: 'rename', from: at('d', 'a'), to: at('d', 'b'), existing: 'replace' },
      { kind: 'read', path: at('d', 'b'), offset: 0, length: 10 },
    ]);
    expect(results).toEqual([
      { kind: 'done' },
      { kind: 'done' },
      { kind: 'done' },
      { kind: 'data', size: 1, data: Buffer.from('x') },
    ]);
  });

  test('stops at the first failure and says how far it got', async () => {
    const { worker, at } = startWorker();
    const results = await worker.request([write(at('a')), write(at('missing', 'b')), write(at('c'))]);
    expect(results).toMatchObject([{ kind: 'done' }, { kind: 'failed' }]);
    expect(worker.replies.at(-1)).toEqual({ kind: 'end', id: 1, done: 2 });
    expect(existsSync(at('c'))).toBe(false);
  });

  test('goes on after failures on request', async () => {
    const { worker, at } = startWorker();
    const results = await worker.request([write(at('missing', 'b')), write(at('c'))], 'never');
    expect(results).toMatchObject([{ kind: 'failed' }, { kind: 'done' }]);
    expect(existsSync(at('c'))).toBe(true);
  });

  test('that is killed in the middle has reported all but one', async () => {
    const { worker, directory, at } = startWorker();
    const operations = Array.from({ length: 5000 }, (_, i) => write(at(`f${i}`)));
    worker.stdin.write(encodeFileRequest({ id: 1, operations, stop: 'at-failure' }));
    await worker.reply((reply) => reply.kind === 'result' && reply.index >= 100);
    worker.process.kill('SIGKILL');
    expect(await worker.ended).toBe('SIGKILL');
    const reported = worker.replies.filter(({ kind }) => kind === 'result').length;
    const made = readdirSync(directory).length;
    expect(reported).toBeLessThan(5000);
    expect(made - reported).toBeGreaterThanOrEqual(0);
    expect(made - reported).toBeLessThanOrEqual(1);
  });
});

describe('the order of requests', () => {
  test('is the order of their answers, also when many are under way', async () => {
    const { worker, at } = startWorker();
    const ids = Array.from({ length: 500 }, (_, i) => i + 1);
    for (const id of ids)
      worker.stdin.write(
        encodeFileRequest({ id, operations: [write(at('same'), Buffer.from(String(id)))], stop: 'at-failure' }),
      );
    await worker.reply((reply) => reply.kind === 'end' && reply.id === 500);
    expect(worker.replies.flatMap((reply) => (reply.kind === 'end' ? [reply.id] : []))).toEqual(ids);
    expect(readFileSync(at('same'), 'utf8')).toBe('500');
  });

  test('a repeated id is answered twice: who asks keeps count', () => {
    const request = encodeFileRequest({ id: 3, operations: [write('a')], stop: 'at-failure' });
    const { replies, code } = feed(Buffer.concat([request, request]), scratch());
    expect(replies.map(({ kind }) => kind)).toEqual(['result', 'end', 'result', 'end']);
    expect(code).toBe(0);
  });
});

describe('a cancel', () => {
  test('that arrives before its request has begun leaves nothing of it', () => {
    const directory = scratch();
    const blocker = encodeFileRequest({ id: 1, operations: [write('first')], stop: 'at-failure' });
    const request = encodeFileRequest({ id: 2, operations: [write('a'), write('b')], stop: 'at-failure' });
    const { replies } = feed(Buffer.concat([blocker, request, encodeCancel(2)]), directory);
    expect(replies.at(-1)).toEqual({ kind: 'end', id: 2, done: 0 });
    expect(readdirSync(directory)).toEqual(['first']);
  });

  test('in the middle of a batch stops it between two operations', async () => {
    const { worker, directory, at } = startWorker();
    const operations = Array.from({ length: 5000 }, (_, i) => write(at(`f${i}`)));
    worker.stdin.write(encodeFileRequest({ id: 1, operations, stop: 'at-failure' }));
    await worker.reply((reply) => reply.kind === 'result');
    worker.stdin.write(encodeCancel(1));
    const end = await worker.reply((reply) => reply.kind === 'end');
    const made = readdirSync(directory).length;
    expect(end).toEqual({ kind: 'end', id: 1, done: made });
    expect(made).toBeLessThan(5000);
  });

  test('too late does nothing, and does not hit a later request with its id', () => {
    const request = encodeFileRequest({ id: 1, operations: [write('a')], stop: 'at-failure' });
    const directory = scratch();
    const cancels = Array.from({ length: 200 }, (_, i) => encodeCancel(i + 50));
    const { replies } = feed(Buffer.concat([encodeCancel(1), ...cancels, request]), directory);
    expect(replies.at(-1)).toEqual({ kind: 'end', id: 1, done: 1 });
  });

  test('stops the copy of a tree where it is', async () => {
    const { worker, at } = startWorker();
    mkdirSync(at('from'));
    for (let i = 0; i < 5000; i++) writeFileSync(at('from', `f${i}`), 'x');
    worker.stdin.write(
      encodeFileRequest({
        id: 1,
        operations: [
          {
            kind: 'copy',
            from: at('from'),
            to: at('to'),
            tree: 'whole',
            existing: 'refuse',
            preserve: 'all',
            symlink: 'itself',
          },
        ],
        stop: 'at-failure',
      }),
    );
    while (!existsSync(at('to')) || readdirSync(at('to')).length === 0) await setTimeout(1);
    worker.stdin.write(encodeCancel(1));
    await worker.reply((reply) => reply.kind === 'end');
    expect(worker.replies[1]).toMatchObject({
      kind: 'result',
      result: { kind: 'failed', errno: constants.errno.ECANCELED },
    });
    expect(readdirSync(at('to')).length).toBeLessThan(5000);
  });
});

describe('malformed bytes end it with exit code 3 and a reason', () => {
  const good = encodeFileRequest({ id: 1, operations: [write('never')], stop: 'at-failure' });
  const padded = Buffer.concat([good, Buffer.from([0])]);
  padded.writeUInt32LE(padded.length - 4, 0);

  test.each<[string, Buffer]>([
    ['text', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['a frame of 4 GiB', u32(0xffff_ffff)],
    ['a frame above the limit', u32(1024 * 1024 + 1)],
    ['a frame without a kind', Buffer.concat([u32(4), u32(1)])],
    ['an unknown kind', frame(1, 7, [])],
    ['a cancel with a payload', frame(1, 2, [u32(1)])],
    ['a request without operations', frame(1, 1, [Buffer.from([0]), u32(0)])],
    [
      'a count that is larger than what follows',
      frame(1, 1, [Buffer.from([0]), u32(0xffff_ffff), Buffer.from([24]), u32(1)]),
    ],
    ['an unknown operation', frame(1, 1, [Buffer.from([0]), u32(1), Buffer.from([25])])],
    ['operation 0', frame(1, 1, [Buffer.from([0]), u32(1), Buffer.from([0])])],
    ['trailing bytes', padded],
    [
      'a path longer than its frame',
      frame(1, 1, [Buffer.from([0]), u32(1), Buffer.from([14]), u32(0xffff_fff0), Buffer.from('a\0')]),
    ],
    ['a path without its NUL', frame(1, 1, [Buffer.from([0]), u32(1), Buffer.from([14]), u32(2), Buffer.from('abc')])],
    [
      'an impossible word',
      frame(1, 1, [Buffer.from([0]), u32(1), Buffer.from([8]), u32(1), Buffer.from('a\0'), Buffer.from([2])]),
    ],
    [
      'too much to read',
      frame(1, 1, [Buffer.from([0]), u32(1), Buffer.from([4]), u32(0), u32(0), u32(0), u32(256 * 1024 + 1)]),
    ],
    ['a frame that is cut short', good.subarray(0, good.length - 1)],
    ['a length that is cut short', good.subarray(0, 3)],
  ])('%s', (_, bytes) => {
    const directory = scratch();
    const { replies, code } = feed(bytes, directory);
    expect(code).toBe(3);
    expect(replies).toEqual([
      { kind: 'error', message: expect.stringMatching(/malformed|unknown|impossible|cut short/u) },
    ]);
    expect(readdirSync(directory)).toEqual([]);
  });

  test('a request whose last operation is malformed does nothing at all', () => {
    const directory = scratch();
    const two = encodeFileRequest({
      id: 1,
      operations: [write('a'), { kind: 'stat', path: 'a', symlink: 'itself' }],
      stop: 'never',
    });
    two[two.length - 1] = 9;
    expect(feed(two, directory)).toMatchObject({ code: 3 });
    expect(readdirSync(directory)).toEqual([]);
  });

  test('earlier complete calls are done and answered', () => {
    const directory = scratch();
    const { replies, code } = feed(Buffer.concat([good, Buffer.from('garbage garbage')]), directory);
    expect(replies.map(({ kind }) => kind)).toEqual(['result', 'end', 'error']);
    expect(code).toBe(3);
  });

  test('any bytes end it with 0 or 3, and every answer is one', () => {
    const directory = scratch();
    assert(
      property(uint8Array({ maxLength: 200 }), nat(3), (bytes, kind) => {
        const input =
          kind === 0
            ? Buffer.from(bytes)
            : frame(1, 1, [Buffer.from([0]), u32(1), Buffer.from([kind === 1 ? 8 : 14]), bytes]);
        expect([0, 3]).toContain(feed(input, directory).code);
      }),
      { numRuns: rounds(60) },
    );
  });
});

describe('its end', () => {
  test('without input is 0, after the greeting', () => {
    expect(feed(Buffer.alloc(0), scratch())).toEqual({ replies: [], code: 0 });
  });

  test('comes after earlier requests', () => {
    const directory = scratch();
    const requests = Array.from({ length: 100 }, (_, i) =>
      encodeFileRequest({ id: i + 1, operations: [write(`f${i}`)], stop: 'at-failure' }),
    );
    expect(feed(Buffer.concat(requests), directory).code).toBe(0);
    expect(readdirSync(directory)).toHaveLength(100);
  });

  test('comes when its answers have no reader', async () => {
    const { worker, at } = startWorker();
    await worker.reply((reply) => reply.kind === 'hello');
    worker.stdout.destroy();
    worker.stdin.write(
      encodeFileRequest({ id: 1, operations: Array.from({ length: 50 }, () => write(at('a'))), stop: 'never' }),
    );
    expect(await worker.ended).toBe(0);
  });
});

describe('back-pressure and memory', () => {
  test('a full output makes it wait and read nothing', async () => {
    const { worker, directory, at } = startWorker();
    writeFileSync(at('big'), Buffer.alloc(262_144, 'x'));
    await worker.reply((reply) => reply.kind === 'hello');
    worker.stdout.pause();
    const read: FileOperation = { kind: 'read', path: at('big'), offset: 0, length: 262_144 };
    for (let id = 1; id <= 200; id++)
      worker.stdin.write(encodeFileRequest({ id, operations: [read, write(at(`done-${id}`))], stop: 'at-failure' }));
    await setTimeout(200);
    const before = readdirSync(directory).length;
    expect(before).toBeLessThan(30);
    worker.stdout.resume();
    await worker.reply((reply) => reply.kind === 'end' && reply.id === 200);
    expect(readdirSync(directory)).toHaveLength(201);
  });

  test('less than 1 MB stays with it, after small requests and after large ones', async () => {
    const { worker, at } = startWorker();
    const large = write(at('big'), Buffer.alloc(262_144));
    for (let i = 0; i < 20; i++)
      await worker.request([large, large, large, { kind: 'read', path: at('big'), offset: 0, length: 262_144 }]);
    for (let i = 0; i < 200; i++) await worker.run(write(at('a')));
    const resident = Number(/VmRSS:\s*(\d+)/u.exec(readFileSync(`/proc/${worker.process.pid}/status`, 'utf8'))?.[1]);
    expect(resident).toBeLessThan(1000);
    const descriptors = readdirSync(`/proc/${worker.process.pid}/fd`);
    expect(descriptors).toEqual(['0', '1', '2']);
  });

  test('the program is smaller than 100 KB and needs no library', () => {
    expect(readFileSync(workerPath).length).toBeLessThan(100_000);
    expect(execFileSync('sh', ['-c', `ldd "$0" 2>&1 || true`, workerPath], { encoding: 'utf8' })).toMatch(
      /not a dynamic executable|statically linked/u,
    );
  });
});
