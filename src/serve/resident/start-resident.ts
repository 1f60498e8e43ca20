import { lstatSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { claimPlace, listenAt } from '../place.ts';
import type { ListedRun } from '../server/served-sessions.ts';
import type { OpenServer } from '../server/open-server.ts';
import { FrontServer, type FrontServerOptions } from './front-server.ts';
import { residentName, type InstalledFiles } from './resident-name.ts';

export interface ResidentOptions extends Pick<FrontServerOptions, 'runtime' | 'run'> {
  readonly files: InstalledFiles;
  /** Milliseconds without a run, a client or a session, after which the supervisor ends. */
  readonly idleMs: number;
  /** Receives lines for the log. */
  readonly log: (line: string) => void;
}

export interface Resident {
  /** Resolves when the supervisor and everything it served have ended. */
  readonly ended: Promise<void>;
  /** Accepts no more runs, and ends with the last current one. */
  end(): void;
}

/** Milliseconds between checks whether the supervisor is still needed. */
const look = 5000;

/**
 * Starts the resident supervisor: runs of fronts, and the protocol of `holdfast serve` beside them. It ends after a
 * while without use, when another version has replaced it, and when its sockets are gone. Throws `HF_SERVE_RUNNING`
 * while another one of the same version runs.
 */
export async function startResident({ runtime, run, files, idleMs, log }: ResidentOptions): Promise<Resident> {
  const names = {
    front: residentName('front', files),
    serve: residentName('serve', files),
    lock: residentName('lock', files),
  };
  const claim = claimPlace(runtime, { socket: names.front, lock: names.lock });
  const ending = Promise.withResolvers<void>();
  const fronts = new FrontServer({ runtime, name: names.front, run });
  const clients = lazyServer(
    () => ending.resolve(),
    () => fronts.list(),
  );
  const server = createServer((socket) => clients.accept(socket));
  await Promise.all([fronts.listen(), listenAt(server, runtime, names.serve)]);
  const isOurs = sameFile(join(runtime, names.front));
  const watch = setInterval(
    () => {
      const isWanted =
        isOurs() &&
        sameVersion(names.front, files) &&
        Date.now() - Math.max(fronts.changed, clients.changed()) < idleMs;
      if (!isWanted && fronts.runs === 0 && !clients.isBusy()) ending.resolve();
    },
    Math.min(look, idleMs),
  );
  const leave = (): void => {
    fronts.close();
    server.close();
    if (isOurs()) for (const name of [names.front, names.serve]) rmSync(join(runtime, name), { force: true });
  };
  process.on('uncaughtException', (cause) => {
    // If an error belongs to a run, only that run ends. An error without a known run may belong to any of them, and
    // leaves an unknown state.
    log(`a run failed: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`);
    if (fronts.blame(cause) === undefined) process.exit(failed);
    ending.resolve();
  });
  const ended = ending.promise.then(async () => {
    clearInterval(watch);
    leave();
    await Promise.all([fronts.idle(), clients.close()]);
    claim.release();
  });
  return { ended, end: ending.resolve };
}

/** Exit status of a supervisor in an unknown state. */
const failed = 70;

interface LazyServer extends Omit<OpenServer, 'facts'> {
  /** Milliseconds since 1970 of the last connection. */
  changed(): number;
}

/** Lazy, because most supervisors serve only runs. */
function lazyServer(end: () => void, runs: () => readonly ListedRun[]): LazyServer {
  let loading: Promise<OpenServer> | undefined;
  let open: OpenServer | undefined;
  let changed = 0;
  const load = async (): Promise<OpenServer> =>
    (open = (await import('../server/open-server.ts')).openServer(end, runs));
  return {
    accept(socket: Socket) {
      changed = Date.now();
      socket.pause().on('error', () => socket.destroy());
      const accept = (ready: OpenServer): void => {
        ready.accept(socket);
        socket.resume();
      };
      (loading ??= load()).then(accept, () => socket.destroy());
    },
    isBusy: () => open?.isBusy() ?? false,
    close: async () => (await loading)?.close(),
    changed: () => changed,
  };
}

/** Returns a check whether a path still leads to the same file as now. */
function sameFile(path: string): () => boolean {
  const { ino } = lstatSync(path);
  return () => lstatSync(path, { throwIfNoEntry: false })?.ino === ino;
}

function sameVersion(name: string, files: InstalledFiles): boolean {
  try {
    return residentName('front', files) === name;
  } catch {
    return false;
  }
}
