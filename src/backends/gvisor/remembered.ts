import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { platforms, type Platform } from './platform.ts';
import type { Runsc } from './runsc.ts';

/** What was found out about a runtime that has not changed since. */
export interface Known {
  readonly runsc: Runsc;
  readonly platform: Platform;
  readonly statx: 'answered' | 'refused';
}

const fileName = 'gvisor.json';

/** Where no box can write: the state directory of the user. */
export function memoryDirectory(): string {
  const state = process.env['XDG_STATE_HOME'];
  return join(state?.startsWith('/') === true ? state : join(homedir(), '.local/state'), 'holdfast');
}

/** One text for the files at these paths as they are now. Throws when one is missing. */
export function identityOf(...paths: readonly string[]): string {
  return paths.map((path) => [path, ...numbersOf(path)].join(' ')).join('\n');
}

function numbersOf(path: string): readonly bigint[] {
  const { dev, ino, mtimeNs, size } = statSync(path, { bigint: true });
  return [dev, ino, mtimeNs, size];
}

export function recall(directory: string, identity: string): Known | undefined {
  try {
    const value = JSON.parse(readFileSync(join(directory, fileName), 'utf8')) as Partial<Record<'identity' | 'path' | 'version' | 'date' | 'platform' | 'statx', unknown>> | null;
    if (value === null || value.identity !== identity) return undefined;
    const { path, version, date, statx } = value;
    const platform = platforms.find((name) => name === value.platform);
    if (platform === undefined || typeof path !== 'string' || typeof version !== 'string' || typeof date !== 'number' || (statx !== 'answered' && statx !== 'refused')) return undefined;
    return { runsc: { path, version, date }, platform, statx };
  } catch {
    return undefined;
  }
}

/** Where it cannot be written it is found out again. */
export function remember(directory: string, identity: string, { runsc, platform, statx }: Known): void {
  const fresh = join(directory, `${fileName}.${randomUUID()}`);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    writeFileSync(fresh, JSON.stringify({ identity, ...runsc, platform, statx }), { mode: 0o600, flag: 'wx' });
    renameSync(fresh, join(directory, fileName));
  } catch {
    rmSync(fresh, { force: true });
  }
}
