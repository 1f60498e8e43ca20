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
  /** Milliseconds without a run, a client or a session after which it ends. */
  readonly idleMs: number;
  /** Hears what is worth a line in its log. */
  readonly log: (line: string) => void;
}

export interface Resident {
  /** Resolves when it has ended, and everything that it served. */
  readonly ended: Promise<void>;
  /** Takes no more runs, and ends with the last of those that there are. */
  end(): void;
}

/** Milliseconds between looks at whether it is still wanted. */
const look = 5000;

/**
 * The supervisor that stays: runs of fronts, and the protocol of `holdfast serve` beside them. It ends when nobody has
 * used it for a while, when another version has taken its place, and when its sockets are gone. Throws
 * `HF_SERVE_RUNNING` while another one of the same version runs.
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
    // A run that fails so ends alone; what nobody is to blame for may be any run's, and nobody knows in what state that
    // is.
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

/** Exit status of a supervisor that does not know what it is doing any more. */
const failed = 70;

interface LazyServer extends OpenServer {
  /** Milliseconds since 1970: when someone has last come in. */
  changed(): number;
}

/** Most supervisors are never asked for more than runs. */
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

/** Whether a path still leads to what it leads to now. */
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
