import { chmodSync, renameSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { setImmediate } from 'node:timers/promises';
import type { ApprovalQueue, PendingApproval, QueueChange } from '../types.ts';
import { lineReader } from './connect-session.ts';
import {
  type ClientMessage,
  encodeApprovalLine,
  approvalsVersion,
  readClientMessage,
  type ServerMessage,
  type SocketChannel,
} from './messages.ts';
import { isOwnPeer, makeSocketDirectory, withAddress } from './socket-place.ts';

export interface ServeApprovalsOptions {
  /** As in `StatePaths`. */
  readonly runtime: string;
  /** Becomes the socket's name. */
  readonly session: string;
  /** Real path. */
  readonly workspace: string;
  readonly queue: Pick<ApprovalQueue, 'pending' | 'answer' | 'subscribe'>;
  /** Decides whether to admit each peer. Default: this user's processes outside of boxes. */
  readonly admits?: (socket: Socket) => boolean;
}

export interface ApprovalServer {
  /**
   * Resolves whether a client that can answer is connected, or connects within this many milliseconds after the socket
   * was made.
   */
  someone(milliseconds: number): Promise<boolean>;
  /** Removes the socket. An open server does not keep the process alive. */
  close(): void;
}

/** Clients at one time. The dashboard, an editor and a terminal are three. */
const mostClients = 32;

/**
 * Shows the pending approvals of a queue to this user's programs through a socket of the session, and takes their
 * answers. Throws `HF_STATE_UNWRITABLE`.
 */
export async function serveApprovals(options: ServeApprovalsOptions): Promise<ApprovalServer> {
  const { queue, session, workspace, admits = isOwnPeer } = options;
  const clients = new Set<ServedClient>();
  const waiting = new Set<() => void>();
  const host = { session, workspace, queue, arrived: () => waiting.forEach((resolve) => resolve()) };
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    if (clients.size >= mostClients || !admits(socket)) return void socket.destroy();
    const client = serveClient(socket, host);
    clients.add(client);
    socket.on('close', () => clients.delete(client));
  });
  const directory = makeSocketDirectory(options.runtime);
  await listen(server, directory, session);
  const born = performance.now();
  const unsubscribe = queue.subscribe((change) => clients.forEach((client) => client.tell(change)));
  const present = (): boolean => [...clients].some((client) => client.channel() !== undefined);
  return {
    someone: (milliseconds) =>
      present() ? Promise.resolve(true) : firstOf(waiting, milliseconds - (performance.now() - born)).then(present),
    close() {
      unsubscribe();
      server.close();
      for (const client of clients) client.drop();
      rmSync(join(directory, session), { force: true });
    },
  };
}

/**
 * Renames the socket once it listens. If a socket with the final name refuses a connection, its session is dead, and
 * anyone may remove it.
 */
async function listen(server: Server, directory: string, name: string): Promise<void> {
  const early = `.${name}`;
  await withAddress(
    directory,
    early,
    (path) => new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve)),
  );
  server.unref().on('error', () => server.close());
  chmodSync(join(directory, early), 0o600);
  renameSync(join(directory, early), join(directory, name));
}

/**
 * Waits for a client or for the time to pass. A busy process notices connections late, so it takes those that wait in
 * the kernel before it answers no.
 */
function firstOf(waiting: Set<() => void>, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      waiting.delete(done);
      resolve();
    };
    const look = (): void => void turnsOfLoop().then(done);
    const timer = milliseconds > 0 ? setTimeout(look, milliseconds) : undefined;
    waiting.add(done);
    if (timer === undefined) look();
  });
}

/** One turn accepts a connection, one reads its first message, and one covers a start within a turn. */
async function turnsOfLoop(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await setImmediate();
}

/** State that all clients of one session share. */
interface ClientHost {
  readonly session: string;
  readonly workspace: string;
  readonly queue: Pick<ApprovalQueue, 'pending' | 'answer'>;
  /** Called when a client has identified itself. */
  readonly arrived: () => void;
}

interface ServedClient {
  /** Undefined until the client has identified itself. Only then does it count as present. */
  channel(): SocketChannel | undefined;
  tell(change: QueueChange): void;
  drop(): void;
}

/** Bytes. An answer has less than 300. */
const longestLine = 4096;
/** Milliseconds for a client to identify itself, and to take some of its messages. */
const patience = { hello: 2000, progress: 10_000 } as const;
/** Messages that wait for a client. A client further behind is not reading. */
const longestOutbox = 50_000;
/** Messages from a client in a second. A person sends one. */
const mostMessages = 200;

/** Serves one client. An invalid or oversized message, a flood, or unread messages end this client and nothing else. */
function serveClient(socket: Socket, host: ClientHost): ServedClient {
  let channel: SocketChannel | undefined;
  const sender = messageSender(socket);
  const reader = lineReader(longestLine);
  const rate = messageRate();
  const helloTimer = setTimeout(() => socket.destroy(), patience.hello).unref();
  const hear = (message: ClientMessage): void => {
    if (message.kind === 'hello') {
      if (channel !== undefined) return void socket.destroy();
      channel = message.channel;
      clearTimeout(helloTimer);
      for (const approval of host.queue.pending()) sender.send({ kind: 'pending', approval });
      sender.send({ kind: 'ready' });
      host.arrived();
      return;
    }
    if (channel === undefined) return void socket.destroy();
    const { number, hash, decision, code } = message;
    const result = host.queue.answer({ hash, decision, channel, ...(code === undefined ? {} : { code }) });
    sender.send({ kind: 'answered', number, result });
  };
  socket.unref();
  socket
    .on('error', () => socket.destroy())
    .on('end', () => socket.end())
    .on('close', () => clearTimeout(helloTimer));
  socket.on('data', (bytes) => {
    const lines = reader.push(bytes);
    if (lines === 'too-long') return void socket.destroy();
    for (const line of lines) {
      const message = rate.allows() ? readClientMessage(line) : undefined;
      if (message === undefined) return void socket.destroy();
      hear(message);
      if (socket.destroyed) return;
    }
  });
  sender.send({
    kind: 'hello',
    version: approvalsVersion,
    session: host.session,
    workspace: host.workspace,
    process: process.pid,
  });
  return {
    channel: () => (socket.destroyed ? undefined : channel),
    tell: (change) => {
      if (channel !== undefined)
        sender.send(
          change.kind === 'asked' ? change : { kind: 'resolved', hash: change.approval.hash, outcome: change.outcome },
        );
    },
    drop: () => sender.end(),
  };
}

interface MessageSender {
  send(message: ServerMessage): void;
  end(): void;
}

/**
 * Encodes messages when the client takes them, so that the queue of a slow client holds references instead of copies.
 */
function messageSender(socket: Socket): MessageSender {
  let outbox: ServerMessage[] = [];
  let blocked = false;
  let timer: NodeJS.Timeout | undefined;
  const pump = (): void => {
    let sent = 0;
    while (!blocked && sent < outbox.length && !socket.destroyed)
      blocked = !socket.write(textOf(outbox[sent++] as ServerMessage));
    outbox = outbox.slice(sent);
    if (blocked) timer ??= setTimeout(() => socket.destroy(), patience.progress).unref();
  };
  socket.on('drain', () => {
    blocked = false;
    clearTimeout(timer);
    timer = undefined;
    pump();
  });
  socket.on('close', () => clearTimeout(timer));
  return {
    send(message) {
      if (outbox.length >= longestOutbox) return void socket.destroy();
      outbox.push(message);
      if (!blocked) pump();
    },
    /** Passes the last bytes to the kernel, without waiting for a client that does not read. */
    end: () => (blocked ? socket.destroy() : socket.destroySoon()),
  };
}

/** Encodes each approval once for all clients. */
const texts = new WeakMap<PendingApproval, string>();

function textOf(message: ServerMessage): string {
  if (message.kind !== 'pending' && message.kind !== 'asked') return encodeApprovalLine(message);
  const known = texts.get(message.approval) ?? JSON.stringify(message.approval);
  texts.set(message.approval, known);
  return `{"kind":"${message.kind}","approval":${known}}\n`;
}

function messageRate(): { allows(): boolean } {
  let [second, count] = [0, 0];
  return {
    allows() {
      const now = Math.floor(performance.now() / 1000);
      [second, count] = now === second ? [second, count + 1] : [now, 1];
      return count <= mostMessages;
    },
  };
}
