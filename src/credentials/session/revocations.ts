import { appendFileSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { StatePaths } from '../../place/host/state-paths.ts';

/** One line of the file. It revokes in sessions that began before it. */
export interface Revocation {
  /** Absent: every credential. */
  readonly credential?: string;
  /** Absent: every session. */
  readonly session?: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

function fileOf({ state }: Pick<StatePaths, 'state'>): string {
  return join(state, 'revocations.jsonl');
}

/** Writes a revocation. Running sessions see it at their next request. */
export function revoke(paths: Pick<StatePaths, 'state'>, revocation: Revocation): void {
  const file = fileOf(paths);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  appendFileSync(file, `${JSON.stringify(revocation)}\n`, { mode: 0o600 });
}

export interface WatchedRevocations {
  /** Returns the revocations since the last call. */
  look(): readonly Revocation[];
}

/**
 * Watches revocations for one session that began at `since`. If the file is unreadable or holds an invalid line,
 * everything is revoked, because its meaning is unknown.
 */
export function watchRevocations(
  paths: Pick<StatePaths, 'state'>,
  { session, since }: { readonly session: string; readonly since: number },
): WatchedRevocations {
  const file = fileOf(paths);
  let seen = '';
  // If the clock was set back, a new revocation can look older than the session.
  const before = stampOf(file) === '' ? 0 : read(file).length;
  return {
    look() {
      const stamp = stampOf(file);
      if (stamp === seen) return [];
      seen = stamp;
      return stamp === ''
        ? []
        : read(file).filter(
            (each, index) =>
              (index >= before || each.at >= since) && (each.session === undefined || each.session === session),
          );
    },
  };
}

function stampOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? '' : `${stats.ino}:${stats.mtimeMs}:${stats.size}`;
}

const everything: Revocation = { at: Number.POSITIVE_INFINITY };

function read(file: string): readonly Revocation[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map(parse);
  } catch {
    return [everything];
  }
}

function parse(line: string): Revocation {
  const value = JSON.parse(line) as Partial<Record<keyof Revocation, unknown>>;
  const { credential, session, at } = value;
  if (typeof at !== 'number') throw new SyntaxError('no time');
  return {
    at,
    ...(typeof credential === 'string' ? { credential } : {}),
    ...(typeof session === 'string' ? { session } : {}),
  };
}
