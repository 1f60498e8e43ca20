import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { approvalOf, hashOf, runtimeDirectory, served } from './testing/served.ts';
import { watchApprovals, type ApprovalWatch } from './watch-approvals.ts';

function watching(runtime: string): { readonly watch: ApprovalWatch; readonly told: string[] } {
  const told: string[] = [];
  const watch = watchApprovals({
    runtime,
    channel: 'dashboard',
    onChange: ({ kind, approval }) => void told.push(`${kind} ${approval.title}`),
  });
  onTestFinished(() => watch.close());
  return { watch, told };
}

describe('a watch', () => {
  test('knows the waiting requests of every session, oldest first, and sees changes', async () => {
    const one = await served();
    const two = await served({ runtime: one.runtime, session: 't' });
    two.queue.ask(approvalOf(2));
    one.queue.ask(approvalOf(1));
    const { watch, told } = watching(one.runtime);
    await watch.ready;
    expect(watch.pending().map(({ title }) => title)).toEqual(['run step 1', 'run step 2']);
    expect(await watch.answer({ hash: hashOf(2), decision: 'session' })).toEqual({ kind: 'taken' });
    expect(two.queue.answers).toEqual([{ hash: hashOf(2), decision: 'session', channel: 'dashboard' }]);
    expect(one.queue.answers).toEqual([]);
    await vi.waitFor(() => expect(told.at(-1)).toBe('resolved run step 2'), { timeout: 20_000 });
    expect(watch.pending()).toHaveLength(1);
  });

  test('finds sessions that begin after it, and loses those that end', async () => {
    const runtime = runtimeDirectory();
    const { watch, told } = watching(runtime);
    await watch.ready;
    const { queue, server } = await served({ runtime });
    expect(await server.someone(500)).toBe(true);
    queue.ask(approvalOf(1));
    await vi.waitFor(() => expect(watch.pending()).toHaveLength(1), { timeout: 20_000 });
    server.close();
    await vi.waitFor(() => expect(told).toEqual(['asked run step 1', 'lost run step 1']), { timeout: 20_000 });
    expect(watch.pending()).toEqual([]);
    expect(await watch.answer({ hash: hashOf(1), decision: 'once' })).toEqual({ kind: 'unknown' });
  });

  test('outlives its directory, and finds the sessions of a new one', { timeout: 60_000 }, async () => {
    const runtime = runtimeDirectory();
    const { watch } = watching(runtime);
    await watch.ready;
    rmSync(join(runtime, 'approvals'), { recursive: true });
    await new Promise((resolve) => setTimeout(resolve, 2200));
    const { queue } = await served({ runtime });
    queue.ask(approvalOf(1));
    await vi.waitFor(() => expect(watch.pending()).toHaveLength(1), { timeout: 20_000 });
  });

  test('follows a session with a path that is longer than an address', async () => {
    const runtime = join(runtimeDirectory(), 'd'.repeat(120));
    mkdirSync(runtime, { mode: 0o700 });
    const { queue } = await served({ runtime });
    queue.ask(approvalOf(1));
    const { watch } = watching(runtime);
    await watch.ready;
    expect(watch.pending()).toHaveLength(1);
  });

  test('removes the socket of a session that was killed, and leaves a living one', async () => {
    const { runtime, queue } = await served();
    queue.ask(approvalOf(1));
    const dead = join(runtime, 'approvals/dead');
    const program = `require('node:net').createServer().listen(${JSON.stringify(dead)}, () => process.kill(process.pid, 'SIGKILL'))`;
    spawnSync(process.execPath, ['-e', program]);
    expect(existsSync(dead)).toBe(true);
    const { watch } = watching(runtime);
    await watch.ready;
    await vi.waitFor(() => expect(existsSync(dead)).toBe(false), { timeout: 20_000 });
    expect([watch.pending().length, existsSync(join(runtime, 'approvals/s'))]).toEqual([1, true]);
  });

  test('keeps sockets that it cannot inspect: only a refused connection means dead', async () => {
    const { runtime } = await served();
    const loop = join(runtime, 'approvals/loop');
    symlinkSync('loop', loop);
    await watching(runtime).watch.ready;
    expect(lstatSync(loop).isSymbolicLink()).toBe(true);
  });

  test('removes leftovers of a session killed at its start, but not a starting one', async () => {
    const { runtime } = await served();
    const [old, young] = ['.old', '.young'].map((name) => join(runtime, 'approvals', name)) as [string, string];
    for (const file of [old, young]) writeFileSync(file, '');
    utimesSync(old, 0, 0);
    await watching(runtime).watch.ready;
    expect([existsSync(old), existsSync(young)]).toEqual([false, true]);
  });

  test.each([
    ['not JSON', 'nonsense\n'],
    ['a message of another shape', '{"kind":"asked","approval":{"id":"x"}}\n'],
    ['a line without an end', 'x'.repeat(9 << 20)],
    ['nothing', ''],
  ])('of a session that sends %s goes on with the others', async (_, said) => {
    const { runtime, queue } = await served();
    const server = createServer((socket) => void socket.on('error', () => undefined).write(said));
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(join(runtime, 'approvals/broken'), resolve));
    const { watch } = watching(runtime);
    queue.ask(approvalOf(1));
    await watch.ready;
    await vi.waitFor(() => expect(watch.pending()).toHaveLength(1), { timeout: 20_000 });
    expect(await watch.answer({ hash: hashOf(1), decision: 'once' })).toEqual({ kind: 'taken' });
  });
});
