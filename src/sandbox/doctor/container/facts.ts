import { existsSync, readFileSync } from 'node:fs';
import { signFiles, type SurroundingFacts } from './signs.ts';

/** Reads the facts that `surroundingsOf` decides by. Unreadable files count as no sign. */
export function readSurroundings(environment: SurroundingFacts['environment']): SurroundingFacts {
  return {
    files: new Set(signFiles.filter((path) => existsSync(path))),
    environment,
    manager: textOf('/run/systemd/container').trim(),
    cgroup: textOf('/proc/self/cgroup'),
    mounts: textOf('/proc/self/mountinfo'),
    status: textOf('/proc/self/status'),
    apparmor: textOf('/proc/self/attr/current').replaceAll('\0', '').trim(),
  };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
