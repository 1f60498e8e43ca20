import { HoldfastError } from '../errors/index.ts';
import { Sandbox, type SandboxOptions } from './sandbox.ts';

/**
 * What happens when all that a pool may have are lent: an error at once, waiting, or one more that is closed on its
 * return.
 */
export type Exhausted = 'fail' | 'wait' | 'temporary';

export interface PoolOptions {
  /** How each is made. */
  readonly options: SandboxOptions;
  /** Kept ready while nobody wants them. Default: 1. */
  readonly min?: number;
  /** There at most, lent ones among them. Default: 10. */
  readonly max?: number;
  /** Milliseconds after which one that nobody wants is closed, down to `min`. Default: 300,000. */
  readonly idleMs?: number;
  /** Default: `wait`. */
  readonly exhausted?: Exhausted;
  /** Milliseconds that `wait` waits. Default: 30,000. */
  readonly waitMs?: number;
}

export interface PoolStats {
  readonly idle: number;
  readonly lent: number;
  readonly temporary: number;
  readonly waiting: number;
  readonly created: number;
}

/** A sandbox on loan: it is given back by `await using`, or by closing it. */
export interface LentSandbox extends AsyncDisposable {
  readonly sandbox: Sandbox;
  /** Closes the sandbox: another one takes its place, which knows nothing of it. */
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
 * Sandboxes that are there before they are wanted. None is lent twice: what one has done, staged, been approved or
 * narrowed ends with it.
 *
 * @example
 * await using pool = await SandboxPool.create({ min: 2, max: 4, options: { workspace: '/home/me/project', staged: 'new'
 * } }); await using loan = await pool.lend(); await loan.sandbox.commands.run(['npm', 'test']);
 */
export class SandboxPool {
  readonly #options: Required<PoolOptions>;
  readonly #idle: Idle[] = [];
  readonly #lent = new Set<Sandbox>();
  readonly #temporary = new Set<Sandbox>();
  readonly #waiters: Waiter[] = [];
  /** That are being made, with those that are being closed: both count for `max`. */
  readonly #underWay = new Set<Promise<unknown>>();
  #making = 0;
  #created = 0;
  #state: 'open' | 'closed' = 'open';

  private constructor(options: Required<PoolOptions>) {
    this.#options = options;
  }

  /** Makes `min` sandboxes. Throws `HF_USAGE` for numbers that make no sense, and what `Sandbox.create` throws. */
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
   * Gives one that nobody has had. Throws `HF_POOL_EXHAUSTED` by the pool's choice, `HF_USAGE` when it is closed, and
   * what `Sandbox.create` throws.
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

  /** Closes all of them, lent ones too, and waits for it. */
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

  /** For anyone who waits, or wants one next. Who waits is told why there is none. */
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

  /** Someone may have begun to wait for what did not come, or was closed because nobody had wanted it. */
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

  /** One that comes when the pool has closed is closed too. */
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
