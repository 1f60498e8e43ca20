import type { Socket } from 'node:net';
import { longestQuery } from './decode-query.ts';
import { createFrameReader, frame } from './frames.ts';

export interface TcpLimits {
  /** Connections at once; further ones are reset. Default 64. */
  readonly connections: number;
  /** Questions on one connection, after which it ends. Default 1,000. */
  readonly questions: number;
  /** Milliseconds from one whole question to the next, and for a client to take an answer. Default 10,000. */
  readonly patience: number;
}

export interface TcpServiceOptions {
  readonly limits: Partial<TcpLimits>;
  /** Never rejects; undefined when nothing may be sent back. */
  reply(packet: Uint8Array): Promise<Uint8Array | undefined>;
}

export interface TcpService {
  accept(socket: Socket): void;
  close(): void;
}

const defaults: TcpLimits = { connections: 64, questions: 1000, patience: 10_000 };

/** Answers the questions of each connection one after the other, so that a client which does not read its answers is not read either. */
export function createTcpService({ limits, reply }: TcpServiceOptions): TcpService {
  const bounds = { ...defaults, ...limits };
  const open = new Set<Socket>();
  const accept = (socket: Socket): void => {
    socket.on('error', () => socket.destroy());
    if (open.size >= bounds.connections) {
      socket.resetAndDestroy();
      return;
    }
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    void serveConnection(socket, bounds, reply);
  };
  return { accept, close: () => open.forEach((socket) => socket.destroy()) };
}

async function serveConnection(socket: Socket, { questions, patience }: TcpLimits, reply: TcpServiceOptions['reply']): Promise<void> {
  socket.setNoDelay(true);
  // Renewed by whole questions only: bytes that trickle in one by one do not keep a connection.
  const deadline = setTimeout(() => socket.destroy(), patience);
  socket.once('close', () => clearTimeout(deadline));
  try {
    for await (const message of questionsOf(socket, questions)) {
      deadline.refresh();
      const answer = await reply(message);
      if (answer === undefined) break;
      deadline.refresh();
      await write(socket, frame(answer));
    }
    socket.end();
    // What is still unread would turn the end into a reset, and the reset would overtake the last answer.
    socket.resume();
  } catch {
    socket.destroy();
  }
}

/** Whole messages, at most `most`; ends with the client's side of the connection, or when a message is longer than any question. */
async function* questionsOf(socket: Socket, most: number): AsyncGenerator<Buffer> {
  const frames = createFrameReader(longestQuery);
  let count = 0;
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    const messages = frames.push(chunk as Buffer);
    if (messages === 'oversize') return;
    for (const message of messages) {
      yield message;
      count += 1;
      if (count >= most) return;
    }
  }
}

/** Waits until the system has taken the bytes. */
async function write(socket: Socket, bytes: Buffer): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    socket.write(bytes, (error) => (error == null ? resolve() : reject(error)));
  });
}
