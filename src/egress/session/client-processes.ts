import type { Socket } from 'node:net';
import { findProcess, type ClientEnd, type ClientProcess } from './find-process.ts';

export interface ClientProcesses {
  /** Looks for the process behind a connection while the process still exists. */
  notice(client: Socket): void;
  /** Returns the result. Called once for each connection. */
  take(client: ClientEnd): ClientProcess | undefined;
  /**
   * Returns true if no process holds the client's end of a connection any more. Returns false without a search if
   * searches have already taken too much of the supervisor's time.
   */
  hasLeft(client: ClientEnd): boolean;
}

/**
 * Share of the supervisor's time for searches. A search costs about 0.3 ms, or 30 ms with thousands of open
 * connections.
 */
interface Allowance {
  readonly share: number;
  /** Milliseconds that may be saved up. */
  readonly savings: number;
}

/** If a program opens many connections at once, its first one identifies it. */
const forNotices: Allowance = { share: 0.003, savings: 1 };
/** Only for clients that wait for an approval. */
const forLeavers: Allowance = { share: 0.02, savings: 100 };

/** Finds the processes that open connections in a box. `init` is the PID of its first process, 0 while unknown. */
export function clientProcesses(init: () => number): ClientProcesses {
  const found = new Map<string, ClientProcess>();
  const notices = searcher(init, forNotices);
  const leavers = searcher(init, forLeavers);
  return {
    notice({ remoteAddress: address = '', remotePort: port = 0 }) {
      const process = notices({ address, port });
      if (typeof process === 'object') found.set(`${address} ${port}`, process);
    },
    hasLeft: (client) => leavers(client) === 'nobody',
    take({ address, port }) {
      const key = `${address} ${port}`;
      const process = found.get(key);
      found.delete(key);
      return process;
    },
  };
}

/** `unknown`: no time is left for a search. */
function searcher(
  init: () => number,
  { share, savings }: Allowance,
): (client: ClientEnd) => ClientProcess | 'nobody' | 'unknown' {
  let balance = savings;
  let seen = performance.now();
  return (client) => {
    const begin = performance.now();
    balance = Math.min(savings, balance + (begin - seen) * share);
    seen = begin;
    const pid = init();
    if (balance <= 0 || pid === 0) return 'unknown';
    const process = findProcess(pid, client);
    balance -= performance.now() - begin;
    return process ?? 'nobody';
  };
}
