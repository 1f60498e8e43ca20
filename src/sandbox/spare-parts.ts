import { statSync } from 'node:fs';
import { trustPlaces } from '../egress/tls/trust-places.ts';
import type { SessionAuthority } from './network/session-authority.ts';
import type { SupervisorThread } from './notify/supervisor-threads.ts';
import { leave } from './notify/supervisor-threads.ts';
import type { Place } from './place.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What takes long to make and is one session's alone: made ahead, between two sessions of one process. */
export interface SpareParts {
  /** One that no session has had; undefined while there is none that fits. */
  authority(environment: Environment): SessionAuthority | undefined;
  /** A thread that has understood the policies of this place, and has no box yet. */
  thread(place: Place): SupervisorThread | undefined;
  /** What a session was given is made anew, for the next one like it. */
  refill(): void;
  close(): void;
}

/** Threads that wait, of different places: each has a policy in memory, some 20 MB. */
const mostThreads = 2;

/** Makes parts in the order in which they are missed. No part is ever given twice: what one session has known is unknown to the next. */
export class SpareShelf implements SpareParts {
  #authority: { readonly made: SessionAuthority; readonly stamp: string } | undefined;
  readonly #threads = new Map<string, SupervisorThread>();
  readonly #wanted: (() => Promise<void>)[] = [];
  #state: 'open' | 'closed' = 'open';

  authority(environment: Environment): SessionAuthority | undefined {
    const stamp = stampOf(environment);
    const spare = this.#authority;
    this.#authority = undefined;
    this.#wanted.push(async () => {
      const { createSessionAuthority } = await import('./network/session-authority.ts');
      this.#authority ??= { stamp: stampOf(environment), made: createSessionAuthority(environment) };
    });
    return spare?.stamp === stamp ? spare.made : undefined;
  }

  thread(place: Place): SupervisorThread | undefined {
    const key = JSON.stringify(place);
    const spare = this.#threads.get(key);
    this.#threads.delete(key);
    this.#wanted.push(() => this.#addThread(key, place));
    return spare;
  }

  refill(): void {
    if (this.#state === 'closed') return;
    for (const make of this.#wanted.splice(0)) void make().catch(() => undefined);
  }

  close(): void {
    this.#state = 'closed';
    for (const thread of this.#threads.values()) leave(thread);
    this.#threads.clear();
  }

  async #addThread(key: string, place: Place): Promise<void> {
    const { startThread } = await import('./notify/start-thread.ts');
    if (this.#threads.has(key) || this.#state === 'closed') return;
    for (const [other, thread] of this.#threads) {
      if (this.#threads.size < mostThreads) break;
      this.#threads.delete(other);
      leave(thread);
    }
    const thread = startThread(place);
    thread.worker.unref();
    thread.worker.once('exit', () => this.#threads.get(key) === thread && this.#threads.delete(key));
    this.#threads.set(key, thread);
  }
}

/** The files of the host that a session's trust is made from, as they are, and the variable that it goes on from. */
function stampOf(environment: Environment): string {
  const files = trustPlaces.map(({ path }) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats === undefined ? 'none' : `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}`;
  });
  return JSON.stringify([files, environment['JAVA_TOOL_OPTIONS']]);
}
