import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync, readlinkSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import process from 'node:process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ownPeer, prepareToKnowPeers } from '../../approvals/socket/socket-place.ts';
import { serveLimits } from '../limits.ts';
import { listenAt } from '../place.ts';
import type { ListedRun } from '../server/served-sessions.ts';
import { encodeFrontReply, greeting } from './front-reply.ts';
import { FrontRequestReader, type FrontRequest } from './front-request.ts';
import { sameRuntime } from './resident-name.ts';

/** A process that wants to become the launcher of a box. */
export interface FrontProcess {
  readonly pid: number;
  /** Carries our reply, and then the launcher's control stream. The request has already been read. */
  readonly socket: Socket;
  readonly request: FrontRequest;
  /** Milliseconds since 1970. */
  readonly askedAt: number;
  /** Ends this run at once with this reason. Other runs continue. Set by the runner. */
  fail: (cause: unknown) => void;
}

export interface FrontServerOptions {
  /** As in `StatePaths`. The socket is in it. */
  readonly runtime: string;
  /** Name of the socket. */
  readonly name: string;
  /** Runs one command, and resolves when all of its parts have ended. Never rejects. */
  readonly run: (front: FrontProcess) => Promise<void>;
}

/** Fronts at one time. Further ones run without a supervisor. */
const mostRuns = 256;

/**
 * Serves the fronts of this user only. A front that sends anything but one request is refused, and runs without a
 * supervisor.
 */
export class FrontServer {
  readonly #options: FrontServerOptions;
  readonly #server: Server;
  readonly #runs = new Set<FrontProcess>();
  readonly #waiting: FrontProcess[] = [];
  readonly #ends = new Set<Promise<void>>();
  readonly #current = new AsyncLocalStorage<FrontProcess>();
  #state: 'open' | 'closed' = 'open';
  #changed = Date.now();

  constructor(options: FrontServerOptions) {
    this.#options = options;
    prepareToKnowPeers();
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#accept(socket));
  }

  listen(): Promise<void> {
    return listenAt(this.#server, this.#options.runtime, this.#options.name);
  }

  get runs(): number {
    return this.#runs.size;
  }

  /** Oldest first. */
  list(): readonly ListedRun[] {
    return [...this.#runs].map(({ pid, request, askedAt }) => ({
      pid,
      words: request.words.slice(1),
      cwd: request.cwd,
      askedAt,
    }));
  }

  /** Milliseconds since 1970 at which the last run began or ended. */
  get changed(): number {
    return this.#changed;
  }

  /** Accepts no more runs. Current ones continue. */
  close(): void {
    this.#state = 'closed';
    this.#server.close();
  }

  /** Resolves when no run is left. */
  async idle(): Promise<void> {
    // A run that has not begun yet has no end to wait for.
    while (this.#runs.size > 0) await (this.#ends.size > 0 ? Promise.race(this.#ends) : nextTurn());
  }

  /** Ends the run whose work threw this, and returns it. Undefined if it belongs to no run. */
  blame(cause: unknown): FrontProcess | undefined {
    const front = this.#current.getStore();
    if (front !== undefined) front.fail(cause);
    return front;
  }

  #accept(socket: Socket): void {
    socket.on('error', () => socket.destroy());
    const pid = this.#state === 'closed' || this.#runs.size >= mostRuns ? undefined : ownPeer(socket);
    if (pid === undefined) return void socket.destroy();
    socket.write(greeting);
    const reader = new FrontRequestReader();
    const patience = setTimeout(() => socket.destroy(), serveLimits.hello).unref();
    const leave = (): void => void socket.destroy();
    const hear = (chunk: Buffer): void => {
      const request = questionOf(reader, chunk);
      if (request === 'more') return;
      clearTimeout(patience);
      socket.off('data', hear).off('end', leave);
      if (request === 'none' || !standsInOurPlace(pid, request))
        return void socket.end(encodeFrontReply({ kind: 'cold' }));
      this.#begin({ pid, socket, request, askedAt: Date.now(), fail: () => socket.destroy() });
    };
    socket
      .on('data', hear)
      .once('end', leave)
      .once('close', () => clearTimeout(patience));
  }

  /** Begins one run per turn of the event loop, so that later fronts get their greeting meanwhile. */
  #begin(front: FrontProcess): void {
    this.#runs.add(front);
    this.#changed = Date.now();
    this.#waiting.push(front);
    if (this.#waiting.length === 1) setImmediate(() => this.#next());
  }

  #next(): void {
    const [front] = this.#waiting;
    if (front === undefined) return;
    this.#start(front);
    this.#waiting.shift();
    if (this.#waiting.length > 0) setImmediate(() => this.#next());
  }

  #start(front: FrontProcess): void {
    const end = this.#current
      .run(front, () => this.#options.run(front))
      .finally(() => {
        this.#runs.delete(front);
        this.#ends.delete(end);
        this.#changed = Date.now();
      });
    this.#ends.add(end);
  }
}

/** `none`: the bytes are not a request of a known form. */
function questionOf(reader: FrontRequestReader, chunk: Buffer): FrontRequest | 'more' | 'none' {
  try {
    return reader.push(chunk) ?? 'more';
  } catch {
    return 'none';
  }
}

/** Kinds of namespaces. Different namespaces would show different files, connections and terminals. */
const namespaces = ['mnt', 'net', 'pid', 'user', 'ipc', 'uts', 'cgroup', 'time'] as const;

/** Lines of proc_pid_status(5). A process with other rights would see and reach more, or less, than this process. */
const rights = [
  'Uid',
  'Gid',
  'Groups',
  'CapInh',
  'CapPrm',
  'CapEff',
  'CapBnd',
  'CapAmb',
  'NoNewPrivs',
  'Seccomp',
  'Seccomp_filters',
] as const;

/**
 * Returns whether a process would get the same box by itself: it has the same rights, security label, root directory,
 * namespaces and home. If in doubt, the answer is no.
 */
function standsInOurPlace(pid: number, { environment }: Pick<FrontRequest, 'environment'>): boolean {
  try {
    return sameRuntime(environment, process.env) && surroundings(pid) === (own ??= surroundings('self'));
  } catch {
    return false;
  }
}

/** Cached, because this process never changes it. */
let own: string | undefined;

function surroundings(pid: number | 'self'): string {
  const links = [...namespaces.map((name) => `ns/${name}`), 'root'].map((name) => readlinkSync(`/proc/${pid}/${name}`));
  const status = readFileSync(`/proc/${pid}/status`, 'utf8').split('\n');
  const held = rights.map((name) => status.find((line) => line.startsWith(`${name}:`)) ?? '');
  return JSON.stringify([links, held, label(pid)]);
}

/** Label of AppArmor or SELinux. */
function label(pid: number | 'self'): string {
  try {
    return readFileSync(`/proc/${pid}/attr/current`, 'utf8');
  } catch {
    return '';
  }
}
