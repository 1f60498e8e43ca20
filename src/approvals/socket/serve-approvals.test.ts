import { execFile, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { constant, integer, assert as holds, asyncProperty, oneof, string, uint8Array } from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { serveApprovals } from './serve-approvals.ts';
import { makeSocketDirectory } from './socket-place.ts';
import { approvalOf, FakeQueue, hashOf, RawClient, runtimeDirectory, served } from './testing/served.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const hello = { kind: 'hello', channel: 'terminal' };

test('a client that came in time counts, even if the session was busy until then', async () => {
  const { runtime, server } = await served();
  const program = `require('node:net').connect(${JSON.stringify(join(runtime, 'approvals/s'))}).write('{"kind":"hello","channel":"terminal"}\\n')`;
  const client = spawn(process.execPath, ['-e', program]);
  onTestFinished(() => void client.kill());
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
  expect(await server.someone(500)).toBe(true);
});

describe('a client', () => {
  test('sees waiting requests, arrivals and departures, and answers', async () => {
    const { queue, runtime } = await served();
    queue.ask(approvalOf(1));
    const client = new RawClient(runtime);
    client.say(hello);
    await vi.waitFor(() => expect(client.kinds()).toEqual(['hello', 'pending', 'ready']), { timeout: 20_000 });
    expect(JSON.parse(client.lines[0] ?? '')).toEqual({
      kind: 'hello',
      version: 1,
      session: 's',
      workspace: '/home/dev/app',
      process: process.pid,
    });
    expect(JSON.parse(client.lines[1] ?? '')).toEqual({ kind: 'pending', approval: approvalOf(1) });
    queue.ask(approvalOf(2));
    client.say({ kind: 'answer', number: 7, hash: hashOf(2), decision: 'once' });
    await vi.waitFor(() => expect(client.kinds().slice(3).toSorted()).toEqual(['answered', 'asked', 'resolved']), {
      timeout: 20_000,
    });
    expect(client.lines.map((line) => JSON.parse(line) as object)).toContainEqual({
      kind: 'answered',
      number: 7,
      result: { kind: 'taken' },
    });
    expect(queue.answers).toEqual([{ hash: hashOf(2), decision: 'once', channel: 'terminal' }]);
  });

  test('that answers to another hash changes nothing', async () => {
    const { queue, runtime } = await served();
    queue.ask(approvalOf(1));
    const client = new RawClient(runtime);
    client.say(hello, { kind: 'answer', number: 1, hash: hashOf(9), decision: 'session' });
    await vi.waitFor(() => expect(client.lines.at(-1)).toContain('"unknown"'), { timeout: 20_000 });
    expect(queue.pending()).toHaveLength(1);
  });

  const bad: readonly (readonly [string, readonly (object | string)[]])[] = [
    ['answers before it has said who it is', [{ kind: 'answer', number: 1, hash: hashOf(1), decision: 'once' }]],
    ['says twice who it is', [hello, hello]],
    ['claims a channel that no socket has', [{ kind: 'hello', channel: 'library' }]],
    ['claims a webhook', [{ kind: 'hello', channel: 'webhook' }]],
    ['sends no JSON', ['hello\n']],
    ['sends JSON that is not a message', ['[]\n']],
    [
      'sends a prefix of a hash',
      [hello, { kind: 'answer', number: 1, hash: hashOf(1).slice(0, 12), decision: 'once' }],
    ],
    ['sends a decision that is none', [hello, { kind: 'answer', number: 1, hash: hashOf(1), decision: 'forever' }]],
    [
      'sends a code that is none',
      [hello, { kind: 'answer', number: 1, hash: hashOf(1), decision: 'once', code: '1 or 1=1' }],
    ],
    ['sends a line without an end', ['x'.repeat(5000)]],
    ['sends a line of 100 MB', [hello, 'x'.repeat(100_000_000)]],
    [
      'sends a flood',
      [
        hello,
        ...Array.from({ length: 300 }, (_, number) => ({ kind: 'answer', number, hash: hashOf(77), decision: 'deny' })),
      ],
    ],
  ];

  test.each(bad)('that %s is dropped, and another one goes on', async (_, messages) => {
    const { queue, runtime } = await served();
    queue.ask(approvalOf(1));
    const [client, other] = [new RawClient(runtime), new RawClient(runtime)];
    other.say(hello);
    client.say(...messages);
    await client.closed;
    expect(queue.pending()).toHaveLength(1);
    other.say({ kind: 'answer', number: 1, hash: hashOf(1), decision: 'deny' });
    await vi.waitFor(() => expect(other.kinds()).toContain('answered'), { timeout: 20_000 });
    expect(queue.pending()).toEqual([]);
  });

  test('that says nothing is dropped', { timeout: 60_000 }, async () => {
    const { runtime, server } = await served();
    const client = new RawClient(runtime);
    await vi.waitFor(() => expect(client.kinds()).toEqual(['hello']), { timeout: 20_000 });
    expect(await server.someone(0)).toBe(false);
    await client.closed;
  });

  test('that never reads blocks nobody', async () => {
    const { queue, runtime } = await served();
    const lazy = new RawClient(runtime);
    lazy.say(hello);
    await vi.waitFor(() => expect(lazy.kinds()).toContain('ready'), { timeout: 20_000 });
    lazy.socket.pause();
    const reader = new RawClient(runtime);
    reader.say(hello);
    await vi.waitFor(() => expect(reader.kinds()).toContain('ready'), { timeout: 20_000 });
    for (let number = 0; number < 3000; number += 1) queue.ask(approvalOf(number, { lines: ['x'.repeat(1000)] }));
    await vi.waitFor(() => expect(reader.lines.length).toBe(3002), { timeout: 20_000 });
  });

  test('gets ten thousand that wait, one by one', async () => {
    const { queue, runtime } = await served();
    for (let number = 0; number < 10_000; number += 1) queue.ask(approvalOf(number));
    const client = new RawClient(runtime);
    client.say(hello);
    await vi.waitFor(() => expect(client.kinds().at(-1)).toBe('ready'), { timeout: 20_000 });
    expect(client.lines).toHaveLength(10_002);
  });

  test('may send anything: the session goes on', async () => {
    const { queue, runtime } = await served();
    queue.ask(approvalOf(1));
    const valid = JSON.stringify({ kind: 'answer', number: 1, hash: hashOf(1), decision: 'once' });
    const mutated = integer({ min: 0, max: valid.length - 1 }).map(
      (at) => `${valid.slice(0, at)}\u0000${valid.slice(at + 1)}\n`,
    );
    await holds(
      asyncProperty(oneof(string(), mutated, constant(`${valid}\n`)), uint8Array(), async (text, bytes) => {
        const client = new RawClient(runtime);
        client.socket.end(Buffer.concat([Buffer.from(text), bytes]));
        await client.closed;
      }),
      { numRuns: rounds(60) },
    );
    expect(queue.answers).toEqual([]);
    expect(queue.pending()).toHaveLength(1);
  });
});

describe('someone', () => {
  test('is there when a client has said who it is, and no longer when it has gone', async () => {
    const { runtime, server } = await served();
    expect(await server.someone(20)).toBe(false);
    const client = new RawClient(runtime);
    client.say(hello);
    await vi.waitFor(async () => expect(await server.someone(0)).toBe(true), { timeout: 20_000 });
    client.socket.destroy();
    await vi.waitFor(async () => expect(await server.someone(0)).toBe(false), { timeout: 20_000 });
  });

  test('is waited for from the moment when the socket came into being', async () => {
    const { runtime, server } = await served();
    const waiting = server.someone(5000);
    new RawClient(runtime).say(hello);
    expect(await waiting).toBe(true);
  });

  test('counts only if allowed to answer', async () => {
    const { runtime, server } = await served({ admits: () => false });
    const client = new RawClient(runtime);
    client.say(hello);
    await client.closed;
    expect(client.lines).toEqual([]);
    expect(await server.someone(0)).toBe(false);
  });
});

describe('the socket', () => {
  test('is its owner’s alone, has no other name, and is gone when the session is', async () => {
    const { runtime, server } = await served();
    const directory = join(runtime, 'approvals');
    expect([lstatSync(directory).mode & 0o777, lstatSync(join(directory, 's')).mode & 0o777]).toEqual([0o700, 0o600]);
    expect(readdirSync(directory)).toEqual(['s']);
    server.close();
    expect(readdirSync(directory)).toEqual([]);
  });

  test('can have a path that is longer than an address', async () => {
    const runtime = join(runtimeDirectory(), 'd'.repeat(120));
    mkdirSync(runtime, { mode: 0o700 });
    const { server } = await served({ runtime });
    expect(existsSync(join(runtime, 'approvals/s'))).toBe(true);
    server.close();
    expect(readdirSync(join(runtime, 'approvals'))).toEqual([]);
  });

  test('is not made in a directory that is a symlink, a file, or writable by others', async () => {
    const root = mkdtempSync(join(tmpdir(), 'holdfast-run-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    mkdirSync(join(root, 'link/target'), { recursive: true });
    symlinkSync(join(root, 'link/target'), join(root, 'link/approvals'));
    mkdirSync(join(root, 'open'));
    chmodSync(join(root, 'open'), 0o777);
    for (const name of ['link', 'open'])
      await expect(
        serveApprovals({ runtime: join(root, name), session: 's', workspace: '/', queue: new FakeQueue() }),
      ).rejects.toMatchObject({ code: 'HF_STATE_UNWRITABLE' });
  });

  test('closes a directory of its own that others could read', () => {
    const runtime = runtimeDirectory();
    mkdirSync(join(runtime, 'approvals'), { mode: 0o755 });
    makeSocketDirectory(runtime);
    expect(lstatSync(join(runtime, 'approvals')).mode & 0o777).toBe(0o700);
  });
});

const unshared = spawnSync('unshare', ['-Urpf', 'true']).status === 0;
if (!unshared)
  console.warn('SKIPPED: that a process of another process namespace is refused, because none can be made here');

test.skipIf(!unshared)('a process of another process namespace is refused, though it is of the same user', async () => {
  const { queue, runtime } = await served();
  queue.ask(approvalOf(1));
  const program = `const s = require('node:net').connect(${JSON.stringify(join(runtime, 'approvals/s'))}); s.write(${JSON.stringify(`${JSON.stringify(hello)}\n`)}); s.on('error', () => 0).on('data', (d) => process.stdout.write(d)).on('close', () => process.exit(0)); setTimeout(() => process.exit(0), 1000)`;
  const heard = async (argv: readonly [string, ...string[]]): Promise<string> =>
    (await promisify(execFile)(argv[0], argv.slice(1))).stdout;
  expect(await heard([process.execPath, '-e', program])).toContain('"pending"');
  expect(await heard(['unshare', '-Urpf', process.execPath, '-e', program])).toBe('');
});
