import type { Socket } from 'node:net';
import process from 'node:process';
import type { ApprovalQueue, PendingApproval, QueueChange } from '../types.ts';
import { lineReader } from './lines.ts';
import { encodeMessage, protocolVersion, readClientMessage, type ClientMessage, type ServerMessage, type SocketChannel } from './messages.ts';

/** What every client of one session shares. */
export interface ClientHost {
  readonly session: string;
  readonly workspace: string;
  readonly queue: Pick<ApprovalQueue, 'pending' | 'answer'>;
  /** A client said who it is. */
  readonly arrived: () => void;
}

export interface ServedClient {
  /** Undefined until it has said who it is: only then is somebody there. */
  channel(): SocketChannel | undefined;
  tell(change: QueueChange): void;
  drop(): void;
}

/** Bytes: an answer is less than 300. */
const longestLine = 4096;
/** Milliseconds in which a client says who it is, and in which it takes some of what it is sent. */
const patience = { hello: 2000, progress: 10_000 } as const;
/** Messages that wait for a client; whoever is further behind does not read. */
const longestOutbox = 50_000;
/** Messages that a client may send in a second: a person answers one. */
const mostMessages = 200;

/** Talks to one client. What is no message of the protocol, is too long, too much or not read ends this client and nothing else. */
export function serveClient(socket: Socket, host: ClientHost): ServedClient {
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
  socket.on('error', () => socket.destroy()).on('end', () => socket.end()).on('close', () => clearTimeout(helloTimer));
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
  sender.send({ kind: 'hello', version: protocolVersion, session: host.session, workspace: host.workspace, process: process.pid });
  return {
    channel: () => (socket.destroyed ? undefined : channel),
    tell: (change) => {
      if (channel !== undefined) sender.send(change.kind === 'asked' ? change : { kind: 'resolved', hash: change.approval.hash, outcome: change.outcome });
    },
    drop: () => sender.end(),
  };
}

interface MessageSender {
  send(message: ServerMessage): void;
  end(): void;
}

/** Turns messages into text when the client takes them: what waits for a slow one is references, not copies. */
function messageSender(socket: Socket): MessageSender {
  let outbox: ServerMessage[] = [];
  let blocked = false;
  let timer: NodeJS.Timeout | undefined;
  const pump = (): void => {
    let sent = 0;
    while (!blocked && sent < outbox.length && !socket.destroyed) blocked = !socket.write(textOf(outbox[sent++] as ServerMessage));
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
    /** The last words are given to the kernel; nobody waits for a client that does not take them. */
    end: () => (blocked ? socket.destroy() : socket.destroySoon()),
  };
}

/** Each approval becomes text once, for however many clients. */
const texts = new WeakMap<PendingApproval, string>();

function textOf(message: ServerMessage): string {
  if (message.kind !== 'pending' && message.kind !== 'asked') return encodeMessage(message);
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
