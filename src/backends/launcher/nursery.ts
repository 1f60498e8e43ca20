import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import { ForkedLauncher, type Forked } from './forked-launcher.ts';
import { spawnLauncher } from './spawn-launcher.ts';

/** Number of launchers that wait for a plan: `most` while boxes are started, `least` after an idle period. */
const most = 8;
const least = 1;
/** Number of boxes in a session before a nursery starts. A program that runs only one or two commands needs none. */
const few = 2;
/** Milliseconds that `ready` waits for an unresponsive nursery. */
const patience = 200;

/**
 * Starts launchers in advance. To start a process, Node copies its own page tables and is blocked meanwhile, which
 * takes longer the more memory Node uses. A nursery is a small process that starts launchers instead. Without a
 * nursery, Node starts them itself.
 */
export class Nursery {
  readonly #launcher: string;
  readonly #ready: ForkedLauncher[] = [];
  #nursery: ChildProcess | undefined;
  /** Each function is called once, when a launcher arrives. */
  readonly #waiting = new Set<() => void>();
  /** Called when no more launchers are being started. */
  #last = (): void => undefined;
  #taken = 0;
  #awaited = 0;
  #state: 'open' | 'closed' = 'open';

  readonly #idle: NodeJS.Timeout;

  /**
   * `launcher`: absolute path of `holdfast-launch`. `idleMs`: milliseconds without a box, after which the nursery keeps
   * only a few launchers. Starts nothing.
   */
  constructor(launcher: string, { idleMs = 10_000 }: { readonly idleMs?: number } = {}) {
    this.#launcher = launcher;
    this.#idle = setTimeout(() => void this.#dismiss(least), idleMs).unref();
  }

  /** Returns an unused launcher. Undefined if none is waiting. */
  take(): ForkedLauncher | undefined {
    this.#taken += 1;
    if (this.#state === 'closed' || this.#taken <= few) return undefined;
    this.#nursery ??= this.#start();
    this.#idle.refresh();
    const taken = this.#ready.shift();
    this.#order();
    taken?.ref();
    return taken;
  }

  /** Resolves once `take` has a launcher to return, or none will come. Resolves in the order of the calls. */
  ready(): Promise<void> {
    if (this.#state === 'closed' || this.#nursery === undefined || this.#ready.length > this.#waiting.size)
      return Promise.resolve();
    return new Promise((resolve) => {
      const told = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(told);
        resolve();
      };
      // The timer also keeps the process alive.
      const timer = setTimeout(told, patience);
      this.#waiting.add(told);
      this.#order();
    });
  }

  /** Call this only when no box of its launchers runs any more. */
  async close(): Promise<void> {
    this.#state = 'closed';
    clearTimeout(this.#idle);
    const nursery = this.#nursery;
    if (nursery === undefined) return;
    nursery.ref();
    nursery.channel?.ref();
    const gone =
      nursery.exitCode === null && nursery.signalCode === null
        ? once(nursery, 'exit').catch(() => undefined)
        : undefined;
    // A running nursery reaps its launchers. Otherwise an init process has to. A stopped nursery is not waited for:
    // once it has ended, its launchers go on, and end.
    const dismissed = Promise.all([this.#dismiss(), this.#arrived()]);
    await Promise.race([dismissed, gone, setTimeoutPromise(patience, undefined, { ref: false })]);
    nursery.kill('SIGKILL');
    await Promise.all([gone, dismissed]);
  }

  /** Resolves when no more launchers are being started, or the nursery does not answer. */
  #arrived(): Promise<void> {
    if (this.#awaited === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, patience);
      this.#last = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #start(): ChildProcess {
    const nursery = spawnLauncher(this.#launcher, ['nursery'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'ipc'],
    });
    const control = nursery.stdio[3] as Duplex & { unref(): void };
    const giveUp = (): void => this.#giveUp();
    nursery.once('error', giveUp).once('exit', giveUp).once('disconnect', giveUp);
    control.on('error', giveUp);
    nursery.on('message', (message, handle) => this.#receive(message, handle));
    nursery.unref();
    nursery.channel?.unref();
    control.unref();
    return nursery;
  }

  /** Stops using the nursery. The process stays, because it is the parent of running boxes. */
  #giveUp(): void {
    this.#state = 'closed';
    for (const told of this.#waiting) told();
    this.#last();
    void this.#dismiss();
  }

  async #dismiss(kept = 0): Promise<void> {
    await Promise.all(this.#ready.splice(kept).map((launcher) => launcher.dismiss()));
  }

  #order(): void {
    const wanted = most - this.#ready.length - this.#awaited;
    if (wanted <= 0 || this.#state === 'closed') return;
    this.#awaited += wanted;
    (this.#nursery?.stdio[3] as Duplex | undefined)?.write('n'.repeat(wanted));
  }

  /** A nursery that sends anything else, or whose launchers cannot be reached, counts as absent. */
  #receive(message: unknown, control: unknown): void {
    this.#awaited -= 1;
    if (this.#state === 'closed') {
      closeHandle(control);
      if (this.#awaited === 0) this.#last();
      return;
    }
    try {
      const ready = new ForkedLauncher(readForked(message, control));
      ready.unref();
      ready.once('exit', () => this.#forget(ready));
      this.#ready.push(ready);
      this.#idle.refresh();
      const [next] = this.#waiting;
      next?.();
    } catch {
      closeHandle(control);
      this.#giveUp();
    }
  }

  #forget(launcher: ForkedLauncher): void {
    const place = this.#ready.indexOf(launcher);
    if (place !== -1) this.#ready.splice(place, 1);
  }
}

function closeHandle(handle: unknown): void {
  (handle as { readonly close?: () => void } | undefined)?.close?.();
}

function readForked(message: unknown, control: unknown): Forked {
  const { launcher, pipes } = message as { readonly launcher?: unknown; readonly pipes?: unknown };
  if (
    typeof launcher === 'number' &&
    Array.isArray(pipes) &&
    pipes.length === 3 &&
    pipes.every((inode) => typeof inode === 'number') &&
    typeof control === 'object' &&
    control !== null
  )
    return { pid: launcher, pipes, control };
  throw new TypeError('no launcher of a nursery');
}
