import { execFile } from 'node:child_process';
import { accessSync, constants, globSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Path of a program, or undefined if this machine has none. */
export function programPath(name: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((directory) => join(directory, name))
    .find(isExecutable);
}

/** For a test's name, so that a run shows the untried programs. */
export function reason(name: string): string {
  return programPath(name) === undefined ? ` (NOT TRIED: there is no ${name} on this machine)` : '';
}

/** Every Java of this machine once, by its own path, for any number of links. Oldest directory name first. */
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
 * Runs a program without this process's variables, except for PATH and HOME. So only the test's own settings can make
 * it trust an authority.
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
