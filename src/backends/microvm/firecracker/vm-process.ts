import { spawn } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { machineError } from './virtual-machine.ts';

/** A program that runs one guest. */
export interface VmProcess {
  /**
   * A connection to a Unix socket that it makes, as soon as it does. Rejects when it ends before, or takes longer than
   * `limit` milliseconds.
   */
  connect(path: string, limit: number): Promise<Socket>;
  /** Ends it and everything it started. Never rejects. */
  kill(): Promise<void>;
}

/** Starts `program` in a group of its own, without a terminal, and with nothing of the environment. */
export function startVmProcess(program: string, words: readonly string[]): VmProcess {
  const child = spawn(program, words, { detached: true, env: {}, stdio: ['ignore', 'ignore', 'pipe'] });
  let [said, ended] = ['', false];
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString('latin1')).slice(-2000);
  });
  const gone = new Promise<void>((resolve) => {
    const settle = (): void => {
      ended = true;
      resolve();
    };
    child.on('error', (error) => {
      said = error.message;
      settle();
    });
    child.on('exit', settle);
  });
  return {
    async connect(path, limit) {
      for (const until = performance.now() + limit; ; ) {
        const socket = await tryConnect(path);
        if (socket !== undefined) return socket;
        if (ended) throw machineError(`the program of the machine ended at once: ${lastLine(said)}`);
        if (performance.now() > until)
          throw machineError(`the program of the machine did not open ${path} within ${limit / 1000} seconds`);
        await Promise.race([gone, pause()]);
      }
    },
    async kill() {
      endGroup(child.pid);
      await Promise.race([gone, pause(lastWait)]);
      child.stderr.destroy();
      child.unref();
    },
  };
}

/** Milliseconds that a process gets to go after SIGKILL: one that hangs in a driver does not, and is not waited for. */
const lastWait = 5000;

function tryConnect(path: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.removeAllListeners('error');
      resolve(socket);
    });
    socket.once('error', () => resolve(undefined));
  });
}

function pause(milliseconds = 5): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody of it is left.
  }
}

function lastLine(said: string): string {
  return (said.trim().split('\n').at(-1) ?? '').replace(/[^\x20-\x7e]/gu, '?') || 'it said nothing';
}
