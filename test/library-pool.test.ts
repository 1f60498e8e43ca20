import { describe, expect, test, vi } from 'vitest';
import { Sandbox, SandboxPool, type PoolOptions } from '../src/sandbox/index.ts';
import { Project } from './lib/holdfast.ts';

const create = (project: Project, more: Partial<PoolOptions> = {}): Promise<SandboxPool> =>
  SandboxPool.create({ options: { workspace: project.workspace, environment: project.libraryEnvironment }, ...more });

describe('a pool of sandboxes', () => {
  test('has them ready, and lends none twice', async () => {
    using project = new Project();
    await using pool = await create(project, { min: 2, max: 3 });
    expect(pool.stats()).toEqual({ idle: 2, lent: 0, temporary: 0, waiting: 0, created: 2 });
    const first = await pool.lend();
    expect(await first.sandbox.commands.run(['true'])).toMatchObject({ exitCode: 0 });
    await first.giveBack();
    await first.giveBack();
    expect(pool.stats()).toEqual({ idle: 2, lent: 0, temporary: 0, waiting: 0, created: 3 });
    await expect(first.sandbox.commands.run(['true'])).rejects.toMatchObject({ code: 'HF_USAGE' });
    const others = [await pool.lend(), await pool.lend(), await pool.lend()];
    expect(others.map(({ sandbox }) => sandbox.id)).not.toContain(first.sandbox.id);
  });

  test('carries nothing from one loan to the next: no staged file, no command, no narrower policy', async () => {
    using project = new Project();
    await using pool = await create(project, {
      min: 1,
      max: 1,
      options: { workspace: project.workspace, environment: project.libraryEnvironment, staged: 'new' },
    });
    const first = await pool.lend();
    await first.sandbox.commands.run(['sh', '-c', 'echo secret > left']);
    const running = first.sandbox.commands.start(['sleep', '4914'], { output: 'kept' });
    await first.giveBack();
    expect(await running.ended).toMatchObject({ exitCode: 137 });
    await using second = await pool.lend();
    expect(second.sandbox.layer).not.toBe(first.sandbox.layer);
    expect(second.sandbox.commands.list()).toEqual([]);
    expect(await second.sandbox.commands.run(['cat', 'left'])).toMatchObject({ exitCode: 1 });
  });

  test('fails, waits, or makes one more while all are lent', async () => {
    using project = new Project();
    await using failing = await create(project, { min: 0, max: 1, exhausted: 'fail' });
    await using _lent = await failing.lend();
    await expect(failing.lend()).rejects.toMatchObject({ code: 'HF_POOL_EXHAUSTED' });
    await using waiting = await create(project, { min: 0, max: 1 });
    const loan = await waiting.lend();
    const later = waiting.lend();
    expect(waiting.stats()).toMatchObject({ lent: 1, waiting: 1 });
    await loan.giveBack();
    expect((await later).sandbox.id).not.toBe(loan.sandbox.id);
    await using impatient = await create(project, { min: 0, max: 1, waitMs: 20 });
    await using _held = await impatient.lend();
    await expect(impatient.lend()).rejects.toMatchObject({ code: 'HF_POOL_EXHAUSTED' });
    await using elastic = await create(project, { min: 0, max: 1, exhausted: 'temporary' });
    await using _one = await elastic.lend();
    const more = await elastic.lend();
    expect(elastic.stats()).toMatchObject({ lent: 1, temporary: 1 });
    await more.giveBack();
    expect(elastic.stats()).toMatchObject({ lent: 1, temporary: 0, idle: 0 });
  });

  test('never exceeds its maximum, for any number of callers at once', async () => {
    using project = new Project();
    await using pool = await create(project, { min: 0, max: 2 });
    const use = async (): Promise<number> => {
      await using loan = await pool.lend();
      const { lent } = pool.stats();
      await loan.sandbox.commands.run(['true']);
      return lent;
    };
    expect(Math.max(...(await Promise.all(Array.from({ length: 8 }, use))))).toBeLessThanOrEqual(2);
  });

  test('closes unused boxes', async () => {
    using project = new Project();
    await using pool = await create(project, { min: 1, max: 3, idleMs: 3000 });
    const loans = await Promise.all([pool.lend(), pool.lend(), pool.lend()]);
    await Promise.all(loans.map((loan) => loan.giveBack()));
    expect(pool.stats()).toMatchObject({ idle: 3, lent: 0 });
    await expect.poll(() => pool.stats().idle, { timeout: 20_000 }).toBe(1);
  });

  test('remembers waiting callers while it closes an unwanted sandbox', async () => {
    using project = new Project();
    await using pool = await create(project, { min: 0, max: 1, idleMs: 10, waitMs: 600_000 });
    const { promise: mayClose, resolve: letClose } = Promise.withResolvers<void>();
    const loan = await pool.lend();
    await loan.giveBack();
    const idle = vi.spyOn(Sandbox.prototype, 'close').mockReturnValueOnce(mayClose);
    await expect.poll(() => idle.mock.calls.length).toBe(1);
    const later = pool.lend();
    expect(pool.stats()).toMatchObject({ lent: 0, waiting: 1 });
    letClose();
    await later;
    await (idle.mock.contexts[0] as Sandbox).close();
    idle.mockRestore();
  });

  test('reports a failed start to all waiting callers', async () => {
    using project = new Project();
    await using pool = await create(project, { min: 0, max: 1, waitMs: 600_000, options: { workspace: '/nowhere' } });
    const refused = await Promise.allSettled([pool.lend(), pool.lend(), pool.lend()]);
    expect(refused).toMatchObject(
      refused.map(() => ({ status: 'rejected', reason: { code: 'HF_WORKSPACE_MISSING' } })),
    );
  });

  test('replaces a sandbox that failed to close', async () => {
    using project = new Project();
    await using pool = await create(project, { min: 0, max: 1, waitMs: 600_000 });
    const loan = await pool.lend();
    const later = pool.lend();
    const close = vi.spyOn(loan.sandbox, 'close').mockRejectedValueOnce(new Error('not well'));
    await expect(loan.giveBack()).rejects.toThrow('not well');
    await later;
    close.mockRestore();
    await loan.sandbox.close();
  });

  test('closes all when it closes', async () => {
    using project = new Project();
    const pool = await create(project, { min: 1, max: 3 });
    const loans = [await pool.lend(), await pool.lend()];
    const waiting = [await pool.lend(), pool.lend()] as const;
    const refused = expect(waiting[1]).rejects.toMatchObject({ code: 'HF_USAGE' });
    const running = loans[0]?.sandbox.commands.start(['sleep', '4914']);
    await pool.close();
    await refused;
    expect(await running?.ended).toMatchObject({ exitCode: 137 });
    await expect(pool.lend()).rejects.toMatchObject({ code: 'HF_USAGE' });
    expect(pool.stats()).toMatchObject({ idle: 0, lent: 0, waiting: 0 });
  });

  test('impossible sizes are refused, and a failed sandbox gives the reason', async () => {
    using project = new Project();
    await expect(create(project, { min: 3, max: 2 })).rejects.toMatchObject({ code: 'HF_USAGE' });
    await expect(create(project, { options: { workspace: '/nowhere' } })).rejects.toMatchObject({
      code: 'HF_WORKSPACE_MISSING',
    });
  });
});
