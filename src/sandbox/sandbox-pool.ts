import { HoldfastError } from '../errors/index.ts';
import { Sandbox, type SandboxOptions } from './sandbox.ts';

/** Reaction to an empty pool: an error at once, waiting, or an extra sandbox that is closed when it is returned. */
export type Exhausted = 'fail' | 'wait' | 'temporary';

export interface PoolOptions {
  /** Options of each sandbox. */
  readonly options: SandboxOptions;
  /** Idle sandboxes to keep ready. Default: 1. */
  readonly min?: number;
  /** Most sandboxes at a time, including lent ones. Default: 10. */
  readonly max?: number;
  /** Milliseconds after which an idle sandbox is closed, down to `min`. Default: 300,000. */
  readonly idleMs?: number;
  /** Default: `wait`. */
  readonly exhausted?: Exhausted;
  /** Longest wait of `wait`, in milliseconds. Default: 30,000. */
  readonly waitMs?: number;
}

export interface PoolStats {
  readonly idle: number;
  readonly lent: number;
  readonly temporary: number;
  readonly waiting: number;
  readonly created: number;
}

/** A sandbox on loan. `await using`, or closing it, returns it. */
export interface LentSandbox extends AsyncDisposable {
  readonly sandbox: Sandbox;
  /** Closes the sandbox. A fresh one replaces it, and shares nothing with it. */
  giveBack(): Promise<void>;
}

interface Idle {
  readonly sandbox: Sandbox;
  readonly timer: NodeJS.Timeout;
}

interface Waiter {
  take(sandbox: Sandbox): void;
  fail(error: unknown): void;
}

/**
 * A pool of sandboxes that are ready before they are needed. No sandbox is lent twice: its effects, staged changes,
 * approvals and narrowings end with it.
 *
 * @example
 * await using pool = await SandboxPool.create({
 *   min: 2,
 *   max: 4,
 *   options: { workspace: '/home/me/project', staged: 'new' },
 * });
 * await using loan = await pool.lend();
 * await loan.sandbox.commands.run(['npm', 'test']);
 */
export class SandboxPool {
  readonly #options: Required<PoolOptions>;
  readonly #idle: Idle[] = [];
  readonly #lent = new Set<Sandbox>();
  readonly #temporary = new Set<Sandbox>();
  readonly #waiters: Waiter[] = [];
  /** Sandboxes being created or closed. Both count towards `max`. */
  readonly #underWay = new Set<Promise<unknown>>();
  #making = 0;
  #created = 0;
  #state: 'open' | 'closed' = 'open';

  private constructor(options: Required<PoolOptions>) {
    this.#options = options;
  }

  /** Creates `min` sandboxes. Throws `HF_USAGE` for impossible numbers, and the errors of `Sandbox.create`. */
  static async create(options: PoolOptions): Promise<SandboxPool> {
    const pool = new SandboxPool(
      checked({ min: 1, max: 10, idleMs: 300_000, exhausted: 'wait', waitMs: 30_000, ...options }),
    );
    try {
      await Promise.all(Array.from({ length: pool.#options.min }, () => pool.#add()));
    } catch (error) {
      await pool.close();
      throw error;
    }
    return pool;
  }

  /**
   * Lends a fresh sandbox. Throws `HF_POOL_EXHAUSTED` according to `exhausted`, `HF_USAGE` if the pool is closed, and
   * the errors of `Sandbox.create`.
   */
  async lend(): Promise<LentSandbox> {
    this.#refuseClosed();
    const sandbox = this.#takeIdle() ?? (await this.#another());
    return { sandbox, giveBack: () => this.#giveBack(sandbox), [Symbol.asyncDispose]: () => this.#giveBack(sandbox) };
  }

  stats(): PoolStats {
    return {
      idle: this.#idle.length,
      lent: this.#lent.size,
      temporary: this.#temporary.size,
      waiting: this.#waiters.length,
      created: this.#created,
    };
  }

  /** Closes all sandboxes, including lent ones, and waits for them. */
  async close(): Promise<void> {
    this.#state = 'closed';
    for (const waiter of this.#waiters.splice(0)) waiter.fail(closedPool());
    await Promise.allSettled(this.#underWay);
    for (const { timer } of this.#idle) clearTimeout(timer);
    const all = [...this.#idle.splice(0).map(({ sandbox }) => sandbox), ...this.#lent, ...this.#temporary];
    this.#lent.clear();
    this.#temporary.clear();
    const ends = await Promise.allSettled(all.map((sandbox) => sandbox.close()));
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #takeIdle(): Sandbox | undefined {
    const idle = this.#idle.shift();
    if (idle === undefined) return undefined;
    clearTimeout(idle.timer);
    this.#lent.add(idle.sandbox);
    return idle.sandbox;
  }

  async #another(): Promise<Sandbox> {
    const { max, exhausted } = this.#options;
    if (this.#lent.size + this.#making < max) return this.#lendNew(this.#lent);
    if (exhausted === 'temporary') return this.#lendNew(this.#temporary);
    if (exhausted === 'fail') throw exhaustedPool(max);
    return this.#wait();
  }

  async #lendNew(where: Set<Sandbox>): Promise<Sandbox> {
    try {
      const sandbox = await this.#make(where === this.#lent ? 1 : 0);
      where.add(sandbox);
      return sandbox;
    } catch (error) {
      void this.#replaceForWaiters();
      throw error;
    }
  }

  #wait(): Promise<Sandbox> {
    const { waitMs, max } = this.#options;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
        reject(exhaustedPool(max));
      }, waitMs);
      const waiter: Waiter = {
        take(sandbox) {
          clearTimeout(timer);
          resolve(sandbox);
        },
        fail(error) {
          clearTimeout(timer);
          reject(error);
        },
      };
      this.#waiters.push(waiter);
    });
  }

  async #giveBack(sandbox: Sandbox): Promise<void> {
    if (this.#temporary.delete(sandbox)) return sandbox.close();
    if (!this.#lent.delete(sandbox)) return;
    try {
      await this.#during(1, () => sandbox.close());
    } finally {
      await this.#replace();
    }
  }

  /** Adds a sandbox for a waiter or the next borrower. If that fails, the waiter gets the error. */
  async #replace(): Promise<void> {
    if (this.#state === 'closed') return;
    if (this.#lent.size + this.#idle.length + this.#making >= this.#options.max) return;
    try {
      await this.#add();
    } catch (error) {
      this.#waiters.shift()?.fail(error);
      await this.#replaceForWaiters();
    }
  }

  /** Serves callers that waited for a sandbox which failed, or was closed because it was idle. */
  async #replaceForWaiters(): Promise<void> {
    if (this.#waiters.length > 0) await this.#replace();
  }

  async #add(): Promise<void> {
    const sandbox = await this.#make(1);
    const waiter = this.#waiters.shift();
    if (waiter === undefined) return this.#rest(sandbox);
    this.#lent.add(sandbox);
    waiter.take(sandbox);
  }

  #rest(sandbox: Sandbox): void {
    const idle: Idle = { sandbox, timer: setTimeout(() => this.#tire(idle), this.#options.idleMs).unref() };
    this.#idle.push(idle);
  }

  #tire(idle: Idle): void {
    const place = this.#idle.indexOf(idle);
    if (place === -1) return;
    this.#idle.splice(place, 1);
    if (this.#idle.length < this.#options.min) return this.#rest(idle.sandbox);
    void this.#during(1, () => idle.sandbox.close())
      .catch(() => undefined)
      .then(() => this.#replaceForWaiters());
  }

  /** Closes the new sandbox if the pool has closed meanwhile. */
  #make(counts: 0 | 1): Promise<Sandbox> {
    return this.#during(counts, async () => {
      const sandbox = await Sandbox.create(this.#options.options);
      if (this.#state === 'closed') {
        await sandbox.close();
        throw closedPool();
      }
      this.#created += 1;
      return sandbox;
    });
  }

  async #during<Value>(counts: 0 | 1, work: () => Promise<Value>): Promise<Value> {
    this.#making += counts;
    const working = work();
    this.#underWay.add(working);
    try {
      return await working;
    } finally {
      this.#underWay.delete(working);
      this.#making -= counts;
    }
  }

  #refuseClosed(): void {
    if (this.#state === 'closed') throw closedPool();
  }
}

function checked(options: Required<PoolOptions>): Required<PoolOptions> {
  const { min, max, idleMs, waitMs } = options;
  const whole = [min, max].every((each) => Number.isInteger(each) && each >= 0) && max >= 1 && min <= max;
  if (whole && [idleMs, waitMs].every((each) => each >= 0 && each < 2 ** 31)) return options;
  throw new HoldfastError(
    'HF_USAGE',
    `a pool cannot have ${min} to ${max} sandboxes with idleMs ${idleMs} and waitMs ${waitMs}`,
    {
      remedy: 'use whole numbers, min no larger than max, and times of at most 24 days',
    },
  );
}

function closedPool(): HoldfastError {
  return new HoldfastError('HF_USAGE', 'this pool is closed', { remedy: 'create another one' });
}

function exhaustedPool(max: number): HoldfastError {
  return new HoldfastError('HF_POOL_EXHAUSTED', `all ${max} sandboxes of the pool are in use`, {
    remedy: 'release one, wait longer, or raise `max`',
    details: { max },
  });
}
