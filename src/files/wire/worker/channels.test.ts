/** No path leads to the worker's own channels, and no special file blocks it. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, openSync, closeSync, rmSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { constants } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { FileOperation } from '../../types.ts';
import { encodeFileRequest } from '../encode-request.ts';
import type { WorkerReply } from '../reply.ts';
import { WorkerReplyReader } from '../reply-reader.ts';
import { startWorker, workerPath } from '../testing/worker.ts';

const { EACCES, ELOOP, ENXIO, ESPIPE } = constants.errno;
const forged = Buffer.from('0600000000000000050000000000', 'hex');

function write(path: string): FileOperation {
  return { kind: 'write', path, data: forged, flags: 0, mode: 0, parents: 'require', replace: 'in-place' };
}

test.each(['/proc/self/fd/0', '/proc/self/fd/1', '/dev/stdin', '/dev/stdout', '/proc/thread-self/fd/1'])(
  'a socket cannot be opened as %s',
  async (path) => {
    const { worker } = startWorker();
    expect(await worker.run(write(path))).toMatchObject({ kind: 'failed', errno: ENXIO, syscall: 'open' });
    expect(await worker.run({ kind: 'read', path, offset: 0, length: 10 })).toMatchObject({
      kind: 'failed',
      errno: ENXIO,
    });
  },
);

test.each(['/proc/self/fd/0', '/proc/self/fd/1', '/dev/stdin', '/dev/stdout'])('a pipe is refused as %s', (path) => {
  const operations: readonly FileOperation[] = [
    write(path),
    { kind: 'read', path, offset: 0, length: 10 },
    { kind: 'open', path, flags: 2, mode: 0, parents: 'require', replace: 'in-place' },
  ];
  const replies = throughPipes(encodeFileRequest({ id: 1, operations, stop: 'never' }));
  const results = replies.flatMap((reply) => (reply.kind === 'result' ? [reply.result] : []));
  expect(results).toEqual([0, 1, 2].map(() => expect.objectContaining({ kind: 'failed', errno: ELOOP })));
  expect(replies.at(-1)).toEqual({ kind: 'end', id: 1, done: 3 });
});

/** A shell creates pipes, but Node creates sockets. */
function throughPipes(request: Buffer): readonly WorkerReply[] {
  const answer = execFileSync('/bin/sh', ['-c', 'cat | "$0" | cat', workerPath], { input: request });
  return new WorkerReplyReader().push(answer);
}

test.each(['/proc/self/mem', '/proc/self/comm', '/proc/self/oom_score_adj'])('%s cannot be written', async (path) => {
  const { worker } = startWorker();
  for (const replace of ['in-place', 'atomic'] as const)
    expect(await worker.run({ ...write(path), replace } as FileOperation)).toMatchObject({
      kind: 'failed',
      errno: EACCES,
      syscall: 'open',
    });
  expect(readFileSync(`/proc/${worker.process.pid}/comm`, 'utf8')).toBe('holdfast-files\n');
  expect(await worker.run({ kind: 'stat', path: '/', symlink: 'follow' })).toMatchObject({ kind: 'stat' });
});

test('files that are made up when they are read can be read', async () => {
  const { worker } = startWorker();
  const result = await worker.run({ kind: 'read', path: '/proc/self/comm', offset: 0, length: 100 });
  expect(result).toMatchObject({ kind: 'data', size: 0, data: Buffer.from('holdfast-files\n') });
});

test('a FIFO without another end does not block', async () => {
  const { worker, at } = startWorker();
  execFileSync('mkfifo', [at('fifo')]);
  expect(await worker.run({ kind: 'read', path: at('fifo'), offset: 0, length: 10 })).toMatchObject({
    kind: 'failed',
    errno: ESPIPE,
    syscall: 'read',
  });
  expect(await worker.run(write(at('fifo')))).toMatchObject({ kind: 'failed', errno: ENXIO, syscall: 'open' });
  expect(
    await worker.run({
      kind: 'copy',
      from: at('fifo'),
      to: at('copy'),
      tree: 'single',
      existing: 'replace',
      preserve: 'mode',
      symlink: 'follow',
    }),
  ).toEqual({ kind: 'done' });
  expect(await worker.run({ kind: 'stat', path: at('copy'), symlink: 'itself' })).toMatchObject({
    stat: { type: 'fifo' },
  });
});

test('a full FIFO does not block', async () => {
  const { worker, at } = startWorker();
  execFileSync('mkfifo', [at('fifo')]);
  const reader = openSync(at('fifo'), 0o4000);
  onTestFinished(() => closeSync(reader));
  const result = await worker.run({ ...write(at('fifo')), data: Buffer.alloc(200_000) } as FileOperation);
  expect(result).toMatchObject({ kind: 'failed', errno: constants.errno.EAGAIN, syscall: 'write' });
});

test('a listening socket is not a file', async () => {
  const { worker, at } = startWorker();
  const server = createServer();
  await new Promise<void>((done) => server.listen(at('s'), done));
  onTestFinished(() => void server.close());
  expect(await worker.run({ kind: 'read', path: at('s'), offset: 0, length: 10 })).toMatchObject({
    kind: 'failed',
    errno: ENXIO,
    syscall: 'open',
  });
});

test('devices without an end are read as far as was asked', async () => {
  const { worker } = startWorker();
  expect(await worker.run({ kind: 'read', path: '/dev/zero', offset: 0, length: 5 })).toMatchObject({
    kind: 'data',
    data: Buffer.alloc(5),
  });
  expect(await worker.run({ kind: 'read', path: '/dev/null', offset: 0, length: 5 })).toMatchObject({
    kind: 'data',
    data: Buffer.alloc(0),
  });
});

test("a terminal does not become the worker's own", async () => {
  const { worker } = startWorker();
  await worker.run({ kind: 'open', path: '/dev/ptmx', flags: 2, mode: 0, parents: 'require', replace: 'in-place' });
  expect(readFileSync(`/proc/${worker.process.pid}/stat`, 'utf8').split(' ')[6]).toBe(
    readFileSync('/proc/self/stat', 'utf8').split(' ')[6],
  );
});

test('inherited descriptors beyond the first three are closed', async () => {
  const directory = mkdtempSync('/var/tmp/holdfast-files-');
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const secret = openSync(join(directory, 'secret'), 'w+');
  const child = spawn(workerPath, [], { stdio: ['pipe', 'pipe', 'inherit', secret] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const reader = new WorkerReplyReader();
  child.stdin?.end(
    encodeFileRequest({
      id: 1,
      operations: [{ kind: 'stat', path: '/proc/self/fd/3', symlink: 'follow' }],
      stop: 'never',
    }),
  );
  const replies: WorkerReply[] = [];
  child.stdout?.on('data', (chunk: Buffer) => void replies.push(...reader.push(chunk)));
  await new Promise((done) => child.on('close', done));
  closeSync(secret);
  expect(replies[1]).toMatchObject({ kind: 'result', result: { kind: 'failed', errno: constants.errno.ENOENT } });
});
