import type { Socket } from 'node:net';
import { findProcess, type ClientEnd, type ClientProcess } from './find-process.ts';

export interface ClientProcesses {
  /** Looks for the process behind a connection while it is there. */
  notice(client: Socket): void;
  /** What was found; asked once for each connection. */
  take(client: ClientEnd): ClientProcess | undefined;
}

/** A search costs some 0.3 ms of the supervisor: a program that opens more connections than this is known by the first. */
const searchesPerSecond = 20;

/** Who opens connections in a box. `init` is the PID of its first process, 0 while it is not known. */
export function clientProcesses(init: () => number): ClientProcesses {
  const found = new Map<string, ClientProcess>();
  let second = 0;
  let searches = 0;
  return {
    notice({ remoteAddress: address = '', remotePort: port = 0 }) {
      const now = Math.floor(performance.now() / 1000);
      if (now !== second) [second, searches] = [now, 0];
      searches += 1;
      const pid = init();
      if (searches > searchesPerSecond || pid === 0) return;
      const process = findProcess(pid, { address, port });
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
