import { spawnSync } from 'node:child_process';
import { firstProgram } from '../first-program.ts';

/** Only where the system puts it: a `runsc` in a writable root would be the box's own. */
const places = ['/usr/local/bin/runsc', '/usr/bin/runsc', '/bin/runsc', '/run/current-system/sw/bin/runsc'] as const;
const patience = 5000;

/** A gVisor runtime, by what it says of itself. */
export interface Runsc {
  readonly path: string;
  /** As it prints it, e.g. `release-20240930.0`. */
  readonly version: string;
  /** YYYYMMDD of its release. */
  readonly date: number;
}

export function findRunsc(candidates: readonly string[] = places): string | undefined {
  return firstProgram(candidates);
}

/** Asks the program for its version; nothing from one that fails, hangs for 5 seconds, or says something else. */
export function askRunsc(path: string): Runsc | undefined {
  const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: patience, killSignal: 'SIGKILL', env: {}, cwd: '/', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 16 });
  return status === 0 ? readVersion(path, stdout) : undefined;
}

/** `runsc version release-20240930.0`, or `0.0~20221219.0` from Debian. */
export function readVersion(path: string, text: string): Runsc | undefined {
  const found = /^runsc version ([\w.~+-]{0,40}?(20\d{6})[\w.~+-]{0,40})$/mu.exec(text);
  return found?.[1] === undefined ? undefined : { path, version: found[1], date: Number(found[2]) };
}
