import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { onTestFinished } from 'vitest';

/** Starts a program below `src` and waits until it reports that it is ready. It is ended after the test. */
export async function start(program: string, ...words: readonly string[]): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, '../..', program), ...words],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) throw new Error(`it ended by itself with ${child.exitCode}`);
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
