import type { JournalEvent } from '../audit/index.ts';
import { supervisorOf } from '../place/host/supervisors.ts';

/** Sessions and questions that are remembered. Beyond them the oldest are forgotten. */
const most = 2000;

/** Work that is open: running commands and waiting questions, from their events in order. */
export class OpenWork {
  /** Running commands by session, the newest last. */
  readonly #running = new Map<string, number>();
  /** Sessions by the hash of a waiting question. A question of two sessions waits twice. */
  readonly #waiting = new Map<string, string>();

  knows(session: string): boolean {
    return this.#running.has(session);
  }

  take(event: JournalEvent): void {
    switch (event.type) {
      case 'session.start':
        return this.#run(event.session, 1);
      case 'session.end':
        return this.#run(event.session, -1);
      case 'approval.requested':
        return remember(this.#waiting, keyOf(event), event.session);
      case 'approval.resolved':
        return void this.#waiting.delete(keyOf(event));
      default:
    }
  }

  /** Forgets sessions whose supervisor was killed, for their events have no end. */
  now(isAlive: (session: string) => boolean): OpenCounts {
    const alive = new Map([...this.#running].filter(([, count]) => count > 0).map(([id]) => [id, isAlive(id)]));
    for (const [session, lives] of alive) if (!lives) this.#running.set(session, 0);
    const running = [...this.#running.values()].filter((count) => count > 0);
    const living = [...alive].flatMap(([session, lives]) => (lives ? [supervisorOf(session)] : []));
    return {
      sessions: running.length,
      commands: running.reduce((sum, count) => sum + count, 0),
      approvals: [...this.#waiting.values()].filter((session) => alive.get(session) ?? isAlive(session)).length,
      supervisors: [...new Set(living)].filter((pid) => pid !== undefined),
    };
  }

  #run(session: string, change: 1 | -1): void {
    remember(this.#running, session, Math.max(0, (this.#running.get(session) ?? 0) + change));
  }
}

export interface OpenCounts {
  readonly sessions: number;
  readonly commands: number;
  readonly approvals: number;
  /** Process IDs. */
  readonly supervisors: readonly number[];
}

function keyOf({ session, hash }: { readonly session: string; readonly hash: string }): string {
  return `${session} ${hash}`;
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
