import { execFile } from 'node:child_process';
import { accessSync, constants, globSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where a program lies, or undefined when this machine has none. */
export function programPath(name: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((directory) => join(directory, name))
    .find(isExecutable);
}

/** For the name of a test, so that a run shows what it did not try. */
export function reason(name: string): string {
  return programPath(name) === undefined ? ` (NOT TRIED: there is no ${name} on this machine)` : '';
}

/** Every Java of this machine once, by its own path, however many links lead to it; oldest directory name first. */
export const javas: readonly string[] = [
  ...new Set(
    [...globSync('/usr/lib/jvm/*/bin/java'), ...[programPath('java')].filter((path) => path !== undefined)].map(
      (path) => realpathSync(path),
    ),
  ),
].sort();

export interface Outcome {
  readonly status: number | string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a program with none of this process's variables but the way to programs and home, so that only what the test
 * sets can make it trust anybody.
 */
export function run(
  command: readonly string[],
  options: { readonly environment?: Readonly<Record<string, string>>; readonly input?: string } = {},
): Promise<Outcome> {
  const [file = '', ...rest] = command;
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...options.environment };
  return new Promise((resolve) => {
    const child = execFile(file, rest, { env, timeout: 100_000, maxBuffer: 8 * 1024 * 1024 }, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : (error.code ?? null), stdout, stderr }),
    );
    child.stdin?.on('error', () => undefined).end(options.input ?? '');
  });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
