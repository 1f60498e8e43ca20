import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline/promises';

/** `native/client.c` at the inner end of a way, started once for many requests. */
export interface Client {
  /** PID of the way's outermost process. */
  readonly pid: number;
  /** One line for one line. Rejects if the client failed, which also ends the client. */
  ask(command: ClientCommand): Promise<string>;
  close(): Promise<void>;
}

export interface ClientCommand {
  readonly verb: 'connect' | 'name' | 'secure' | 'issuer' | 'plain' | 'tls' | 'ask' | 'keep' | 'events' | 'hold';
  readonly host: string;
  readonly port: number;
  /** Connections, bytes or streams. */
  readonly count?: number;
  /** Requests on each connection. */
  readonly each?: number;
}

export interface ClientOptions {
  /** The words before the client's own: those of the tool that makes the box. */
  readonly prefix: readonly string[];
  readonly program: string;
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** A way's limit in milliseconds to end after its client. */
const patience = 5000;

export function openClient({ prefix, program, cwd, environment }: ClientOptions): Client {
  const [command, ...args] = [...prefix, program];
  const child = spawn(command as string, args, { cwd, env: environment, stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (data) => (said += String(data)));
  const exited = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  child.stdin.on('error', () => undefined);
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async ({ verb, host, port, count = 0, each = 0 }: ClientCommand): Promise<string> => {
    child.stdin.write(`${verb} ${host} ${port} ${count} ${each}\n`);
    const { value, done } = await answers.next();
    if (done === true || value.startsWith('error'))
      throw new Error(`${command}: “${verb} ${host}:${port}”: ${done === true ? 'the client ended' : value}\n${said}`);
    return value;
  };
  const close = async (): Promise<void> => {
    child.stdin.end();
    // A tool that failed half-way may wait forever.
    const timer = setTimeout(() => child.kill('SIGKILL'), patience);
    await exited;
    clearTimeout(timer);
  };
  return { pid: child.pid as number, ask, close };
}

/** The client's nanoseconds, in milliseconds. */
export function milliseconds(answer: string): readonly number[] {
  return answer
    .trim()
    .split(' ')
    .map((nanoseconds) => Number(nanoseconds) / 1e6);
}
