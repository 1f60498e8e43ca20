import { resolve } from 'node:path';

/** Absolute paths of the host, byte for byte. Relative ones start at `cwd`. */
export function hostPaths(cwd: string, paths: readonly (string | Uint8Array)[]): readonly Buffer[] {
  const start = Buffer.from(cwd).toString('latin1');
  return paths.map((path) => Buffer.from(resolve(start, Buffer.from(path).toString('latin1')), 'latin1'));
}
