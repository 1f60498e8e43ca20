import { spawn, type ChildProcess } from 'node:child_process';
import process from 'node:process';

export interface ProgramRun {
  /** Absolute path. */
  readonly path: string;
  readonly words: readonly string[];
  /** The whole environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Written to its stdin. Default: /dev/null. */
  readonly input?: string;
  /** Milliseconds until the program and everything that it started are killed. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/** Result of a program. Contains nothing of its stderr, which may hold the secret. */
export type ProgramEnd =
  | { readonly kind: 'output'; readonly text: string }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'signal'; readonly signal: NodeJS.Signals }
  /** Name of an errno. */
  | { readonly kind: 'not-started'; readonly code: string }
  | { readonly kind: 'time-out' | 'too-long' | 'not-text' | 'aborted' };

export type Runner = (run: ProgramRun) => Promise<ProgramEnd>;

/** Most bytes of a secret, or of a program's answer. */
export const longestAnswer = 64 * 1024;

/**
 * Runs a program without a shell, in a new session. It has no terminal, so a program that asks for a password fails
 * instead of waiting. It is killed after `timeout`. Never rejects.
 */
export function runProgram(run: ProgramRun): Promise<ProgramEnd> {
  if (run.signal.aborted) return Promise.resolve({ kind: 'aborted' });
  return new Promise((resolve) => {
    try {
      watch(start(run), run, resolve);
    } catch (error) {
      resolve({ kind: 'not-started', code: codeOf(error) });
    }
  });
}

function start({ path, words, environment, input }: ProgramRun): ChildProcess {
  return spawn(path, [...words], {
    cwd: '/',
    env: { ...environment },
    detached: true,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'ignore'],
  });
}

function watch(child: ChildProcess, run: ProgramRun, resolve: (end: ProgramEnd) => void): void {
  const output = new Output();
  const timers = new Set<NodeJS.Timeout>();
  const settle = (end: ProgramEnd): void => {
    for (const timer of timers) clearTimeout(timer);
    run.signal.removeEventListener('abort', abort);
    if (isRunning(child)) killGroup(child);
    child.stdout?.destroy();
    output.erase();
    resolve(end);
  };
  const abort = (): void => settle({ kind: 'aborted' });
  run.signal.addEventListener('abort', abort, { once: true });
  timers.add(setTimeout(() => settle({ kind: 'time-out' }), run.timeout));
  child.once('error', (error) => settle({ kind: 'not-started', code: codeOf(error) }));
  child.stdout?.on('data', (chunk: Buffer) => {
    if (output.push(chunk) === 'full') settle({ kind: 'too-long' });
  });
  // A background process that the program leaves behind may keep its stdout open for ever. The program's own output is
  // already in the pipe.
  child.once('exit', () => timers.add(setTimeout(() => settle(endOf(child, output)), linger)));
  child.once('close', () => settle(endOf(child, output)));
  // A program that does not read its input still reports its result by its exit status.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(run.input);
}

/** Milliseconds, many more than 64 KiB take. */
const linger = 200;

function endOf({ exitCode, signalCode }: ChildProcess, output: Output): ProgramEnd {
  if (signalCode !== null) return { kind: 'signal', signal: signalCode };
  if (exitCode !== 0) return { kind: 'status', status: exitCode ?? -1 };
  const text = output.text();
  return text === undefined ? { kind: 'not-text' } : { kind: 'output', text };
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

/** Kills the process group of the program, with everything that it started. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The program has just ended, or runs as another user, as with `sudo`. In that case its answer is no longer
    // awaited.
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'an unknown error';
}

/** Output so far. Its bytes are wiped once they are converted to text. */
class Output {
  readonly #chunks: Buffer[] = [];
  #length = 0;

  push(chunk: Buffer): 'room' | 'full' {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    return this.#length > longestAnswer ? 'full' : 'room';
  }

  /** Undefined if the output is not UTF-8. */
  text(): string | undefined {
    const whole = Buffer.concat(this.#chunks);
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(whole);
    } catch {
      return undefined;
    } finally {
      whole.fill(0);
    }
  }

  erase(): void {
    for (const chunk of this.#chunks) chunk.fill(0);
    this.#chunks.length = 0;
  }
}
