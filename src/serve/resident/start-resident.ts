import { lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { startServer } from '../server/start-server.ts';
import { FrontServer, type FrontServerOptions } from './front-server.ts';
import { residentName, type InstalledFiles } from './resident-name.ts';

export interface ResidentOptions extends Pick<FrontServerOptions, 'runtime' | 'run'> {
  readonly files: InstalledFiles;
  /** Milliseconds without a run, a client or a session after which it ends. */
  readonly idleMs: number;
  /** Hears what is worth a line in its log. */
  readonly log: (line: string) => void;
}

export interface Resident {
  /** Resolves when it has ended, and everything that it served. */
  readonly ended: Promise<void>;
  end(): void;
}

/** Milliseconds between looks at whether it is still wanted. */
const look = 5000;

/**
 * The supervisor that stays: runs of fronts, and the protocol of `holdfast serve` beside them. It ends when nobody has used it for a while, when another
 * version has taken its place, and when its sockets are gone. Throws `HF_SERVE_RUNNING` while another one of the same version runs.
 */
export async function startResident({ runtime, run, files, idleMs, log }: ResidentOptions): Promise<Resident> {
  const [front, serve, lock] = (['front', 'serve', 'lock'] as const).map((place) => residentName(place, files)) as [string, string, string];
  const server = await startServer({ runtime, names: { socket: serve, lock } });
  const fronts = new FrontServer({ runtime, name: front, run });
  await fronts.listen();
  const path = join(runtime, front);
  const begun = lstatSync(path).ino;
  let used = Date.now();
  const isOurs = (): boolean => lstatSync(path, { throwIfNoEntry: false })?.ino === begun;
  const leave = (): void => {
    fronts.close();
    if (isOurs()) rmSync(path, { force: true });
  };
  const isWanted = (): boolean => isOurs() && sameVersion(front, files) && Date.now() - used < idleMs;
  const watch = setInterval(() => {
    if (fronts.runs > 0 || server.isBusy()) used = Date.now();
    used = Math.max(used, fronts.changed);
    if (!isWanted()) leave();
    if (!isWanted() && fronts.runs === 0 && !server.isBusy()) void server.end();
  }, Math.min(look, idleMs));
  process.on('uncaughtException', (cause) => {
    // A run that fails so ends alone; what nobody is to blame for may be any run's, and nobody knows in what state that is.
    log(`a run failed: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`);
    if (fronts.blame(cause) === undefined) process.exit(failed);
    leave();
  });
  const ended = server.ended.then(async () => {
    clearInterval(watch);
    leave();
    await fronts.idle();
  });
  return { ended, end: () => void server.end() };
}

/** Exit status of a supervisor that does not know what it is doing any more. */
const failed = 70;

function sameVersion(name: string, files: InstalledFiles): boolean {
  try {
    return residentName('front', files) === name;
  } catch {
    return false;
  }
}
