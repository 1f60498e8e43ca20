import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';

const script = join(import.meta.dirname, 'append-many.ts');

/** A process that appends COUNT events to a journal. */
export function startAppender(file: string, name: string, count: number): ChildProcess {
  return spawn(process.execPath, ['--no-warnings', script, file, name, String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

export async function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}

export interface AppendFailure {
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
}

/** Appends one event as another user. Returns the error, or undefined if it was kept. */
export function appendAs(uid: number, file: string): AppendFailure | undefined {
  const { stdout } = spawnSync(process.execPath, ['--no-warnings', script, file, 'x', '1'], { uid, encoding: 'utf8' });
  return failureIn(stdout);
}

/** Runs a shell script with APPEND and ACKNOWLEDGE in its environment, in a private mount namespace. */
export function inMountNamespace(text: string): {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
} {
  const APPEND = `${process.execPath} --no-warnings ${script}`;
  const ACKNOWLEDGE = `${process.execPath} --no-warnings ${join(import.meta.dirname, 'append-acknowledged.ts')}`;
  return spawnSync('unshare', ['-Urm', 'sh', '-euc', text], {
    encoding: 'utf8',
    env: { ...process.env, APPEND, ACKNOWLEDGE },
  });
}

export function failureIn(stdout: string): AppendFailure | undefined {
  const line = stdout.split('\n').find((candidate) => candidate.startsWith('{'));
  return line === undefined ? undefined : (JSON.parse(line) as AppendFailure);
}
