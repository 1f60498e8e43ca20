import type { Socket } from 'node:net';
import { findProcess, type ClientEnd, type ClientProcess } from './find-process.ts';

export interface ClientProcesses {
  /** Looks for the process behind a connection while it is there. */
  notice(client: Socket): void;
  /** What was found; asked once for each connection. */
  take(client: ClientEnd): ClientProcess | undefined;
}

/**
 * Milliseconds of each second that the supervisor spends on searches: one costs some 0.3 ms, and with thousands of open
 * connections 20. A program that opens more than are searched for is known by its first.
 */
const searchTime = 6;

/** Who opens connections in a box. `init` is the PID of its first process, 0 while it is not known. */
export function clientProcesses(init: () => number): ClientProcesses {
  const found = new Map<string, ClientProcess>();
  let second = 0;
  let spent = 0;
  return {
    notice({ remoteAddress: address = '', remotePort: port = 0 }) {
      const begin = performance.now();
      const now = Math.floor(begin / 1000);
      if (now !== second) [second, spent] = [now, 0];
      const pid = init();
      if (spent >= searchTime || pid === 0) return;
      const process = findProcess(pid, { address, port });
      spent += performance.now() - begin;
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
