import type { Socket } from 'node:net';
import { findProcess, type ClientEnd, type ClientProcess } from './find-process.ts';

export interface ClientProcesses {
  /** Looks for the process behind a connection while it is there. */
  notice(client: Socket): void;
  /** What was found; asked once for each connection. */
  take(client: ClientEnd): ClientProcess | undefined;
}

/** Share of the supervisor's time that searches may take: one costs some 0.3 ms, and with thousands of open connections 30. */
const share = 0.003;
/** Milliseconds that may be saved up: a program that opens more connections at once is known by its first. */
const savings = 1;

/** Who opens connections in a box. `init` is the PID of its first process, 0 while it is not known. */
export function clientProcesses(init: () => number): ClientProcesses {
  const found = new Map<string, ClientProcess>();
  let balance = savings;
  let seen = performance.now();
  return {
    notice({ remoteAddress: address = '', remotePort: port = 0 }) {
      const begin = performance.now();
      balance = Math.min(savings, balance + (begin - seen) * share);
      seen = begin;
      const pid = init();
      if (balance <= 0 || pid === 0) return;
      const process = findProcess(pid, { address, port });
      balance -= performance.now() - begin;
      if (process !== undefined) found.set(`${address} ${port}`, process);
    },
    take({ address, port }) {
      const key = `${address} ${port}`;
      const process = found.get(key);
      found.delete(key);
      return process;
    },
  };
}
