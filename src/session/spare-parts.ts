import { statSync } from 'node:fs';
import { trustPlaces } from '../egress/tls/host-trust.ts';
import type { SessionAuthority } from '../egress/session/session-authority.ts';
import { SupervisorThreads } from '../notify/session/supervisor-threads.ts';
import type { Place } from '../place/place.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Parts that take long to make, for a process that opens one session after another. */
export interface SpareParts {
  /** Returns a certificate authority that no other session has or gets. Undefined while none fits. */
  authority(environment: Environment): SessionAuthority | undefined;
  /** Threads that have loaded the policies of this place. A waiting thread has no data of its earlier boxes. */
  threads(place: Place): Pick<SupervisorThreads, 'take' | 'giveBack'>;
  /** Makes a certificate authority for the next session if the last one took the spare. */
  refill(): void;
  close(): Promise<void>;
}

/** Places that have waiting threads. Each thread keeps a policy in memory, about 20 MB. */
const mostPlaces = 2;

export class SpareShelf implements SpareParts {
  #authority: { readonly made: SessionAuthority; readonly stamp: string } | undefined;
  #wanted: Environment | undefined;
  readonly #threads = new Map<string, SupervisorThreads>();

  authority(environment: Environment): SessionAuthority | undefined {
    const spare = this.#authority;
    this.#authority = undefined;
    this.#wanted = environment;
    return spare?.stamp === stampOf(environment) ? spare.made : undefined;
  }

  threads(place: Place): SupervisorThreads {
    const key = JSON.stringify(place);
    const threads = this.#threads.get(key) ?? new SupervisorThreads();
    // Keeps the place used last at the end.
    this.#threads.delete(key);
    this.#threads.set(key, threads);
    for (const [oldest, others] of this.#threads) {
      if (this.#threads.size <= mostPlaces) break;
      this.#threads.delete(oldest);
      void others.close();
    }
    return threads;
  }

  refill(): void {
    const environment = this.#wanted;
    this.#wanted = undefined;
    if (environment === undefined || this.#authority !== undefined) return;
    const add = async (): Promise<void> => {
      const { createSessionAuthority } = await import('../egress/session/session-authority.ts');
      const stamp = stampOf(environment);
      this.#authority ??= { stamp, made: createSessionAuthority(environment) };
    };
    // After a failure, the next session makes its own authority and reports why that fails.
    add().catch(() => undefined);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#threads.values()].map((threads) => threads.close()));
  }
}

/** Stamp of the host's variable and files from which a session's trust is made. */
function stampOf(environment: Environment): string {
  const files = trustPlaces.map(({ path }) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats === undefined ? 'none' : `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}`;
  });
  return JSON.stringify([files, environment['JAVA_TOOL_OPTIONS']]);
}
