import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';

export interface WatchedOptions {
  /** Directory of the compiled tools; `watch` is one of them. */
  readonly tools: string;
  readonly uid: number | undefined;
  /** The command runs in this process's network and mount namespaces. Undefined: the runner's own. */
  readonly world: number | undefined;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** stdout and stderr are appended to this file. */
  readonly log: string;
  /** Milliseconds. */
  readonly timeout: number;
}

export type WatchedEnding = { readonly kind: 'exited'; readonly exitCode: number } | { readonly kind: 'timed out' };

/** A command and everything it leaves behind. */
export interface Watched {
  readonly ended: Promise<WatchedEnding>;
  /** Ends processes that still live a second later. Resolves to one `PID COMMAND-LINE` for each. */
  reap(): Promise<readonly string[]>;
  /** Ends living processes immediately, where it may, because nobody asks about them. */
  end(): Promise<void>;
}

const controlDescriptor = 3;

export function startWatched(options: WatchedOptions): Watched {
  const log = openSync(options.log, 'a');
  const uid = options.uid === undefined ? '-' : String(options.uid);
  const child = spawn(join(options.tools, 'watch'), [uid, String(options.world ?? '-'), '--', ...options.argv], {
    cwd: options.cwd,
    env: { ...options.environment },
    stdio: ['ignore', log, log, 'pipe'],
  });
  closeSync(log);
  const lines = new ControlLines(child);
  const ended = new Promise<WatchedEnding>((resolve) => {
    const timer = setTimeout(resolve, options.timeout, { kind: 'timed out' });
    const settle = (exitCode: number): void => {
      clearTimeout(timer);
      resolve({ kind: 'exited', exitCode });
    };
    lines.onExit(settle);
    child.once('error', () => settle(-1));
  });
  return { ended, reap: () => lines.reap(), end: () => lines.end() };
}

/**
 * The line protocol of programs/watch.c: `exit N`, then, after `reap`, any number of `left PID COMMAND-LINE`; after
 * `end`, nothing.
 */
class ControlLines {
  readonly #stream: Duplex;
  readonly #closed: Promise<void>;
  #text = '';
  #heard: ((exitCode: number) => void) | undefined;

  constructor(child: ChildProcess) {
    this.#stream = child.stdio[controlDescriptor] as Duplex;
    this.#closed = new Promise((resolve) => {
      this.#stream.once('close', () => resolve());
    });
    this.#stream.on('error', () => undefined);
    this.#stream.on('data', (chunk: Buffer) => {
      this.#text += chunk.toString();
      const exit = /^exit (\d+)$/mu.exec(this.#text)?.[1];
      if (exit !== undefined) this.#heard?.(Number(exit));
    });
  }

  onExit(heard: (exitCode: number) => void): void {
    this.#heard = heard;
    void this.#closed.then(() => heard(-1));
  }

  async reap(): Promise<readonly string[]> {
    await this.#order('reap');
    return [...this.#text.matchAll(/^left (.*)$/gmu)].map(([, process = '']) => process);
  }
  async end(): Promise<void> {
    await this.#order('end');
  }

  async #order(word: 'reap' | 'end'): Promise<void> {
    if (!this.#stream.destroyed) this.#stream.write(`${word}\n`);
    await this.#closed;
  }
}
