import type { RemoteInfo, Socket as UdpSocket, Socket as ServeUdpSocket } from 'node:dgram';
import type { Socket } from 'node:net';
import { decodeQuery, longestQuery, type Query } from './decode-query.ts';
import { encodeFailure, encodeDnsReply } from './encode-reply.ts';
import { find, type LookupRecord } from './find.ts';
import { createDnsReader, frame } from './frames.ts';
import type { AnswerContext } from './name-table.ts';
import { ednsUdpSize, plainUdpSize, rcodes, typeName } from './wire-name.ts';

export interface DnsServiceOptions {
  /** A bound socket, which the caller closes. Default: none, so questions come over TCP alone. */
  readonly udp?: UdpSocket;
  readonly context: AnswerContext;
  /** Called once for each question, before its answer leaves. */
  record?(lookup: LookupRecord): void;
  readonly tcp?: Partial<TcpLimits>;
  /** Most UDP questions that wait for an answer at once. Further ones get SERVFAIL. Default: 256. */
  readonly mostPending?: number;
}

export interface DnsService {
  /** Takes over an accepted connection on port 53. */
  accept(socket: Socket): void;
  /** Stops answering and ends every connection. */
  close(): void;
}

/** Answers look-ups until it is closed. No packet of a client and no failure of its dependencies ends it. */
export function serveDns({
  udp,
  context,
  record = () => {},
  tcp = {},
  mostPending = 256,
}: DnsServiceOptions): DnsService {
  const reply = async (packet: Uint8Array, transport: Transport): Promise<Uint8Array | undefined> => {
    try {
      const answer = await answerQuery(packet, transport, context);
      if (answer.kind === 'dropped') return undefined;
      record(answer.record);
      return answer.reply;
    } catch {
      return failureReply(packet);
    }
  };
  const tcpService = createTcpService({ reply: (packet) => reply(packet, 'tcp'), limits: tcp });
  const stopUdp =
    udp === undefined ? undefined : serveUdp({ socket: udp, reply: (packet) => reply(packet, 'udp'), mostPending });
  return {
    accept: tcpService.accept,
    close: () => {
      stopUdp?.();
      tcpService.close();
    },
  };
}

interface UdpServiceOptions {
  readonly socket: ServeUdpSocket;
  readonly mostPending: number;
  /** Never rejects. Undefined if nothing may be sent back. */
  reply(packet: Uint8Array): Promise<Uint8Array | undefined>;
}

/** Answers every datagram, and returns a function that stops it. */
function serveUdp({ socket, reply, mostPending }: UdpServiceOptions): () => void {
  let pending = 0;
  let isClosed = false;
  const send = (message: Uint8Array | undefined, { port, address }: RemoteInfo): void => {
    if (message === undefined || isClosed) return;
    try {
      // If the client is gone, nothing can be done about it, so errors end here.
      socket.send(message, port, address, () => {});
    } catch {
      // The socket was closed in the meantime, or nothing can be sent to the sender's port.
    }
  };
  const onMessage = async (packet: Buffer, from: RemoteInfo): Promise<void> => {
    if (pending >= mostPending) {
      send(failureReply(packet), from);
      return;
    }
    pending += 1;
    const message = await reply(packet);
    pending -= 1;
    send(message, from);
  };
  // ICMP errors for earlier answers arrive here. Without a listener they would end the supervisor.
  const onError = (): void => {};
  socket.on('message', onMessage);
  socket.on('error', onError);
  return () => {
    isClosed = true;
    socket.off('message', onMessage);
  };
}

type Transport = 'udp' | 'tcp';

type DnsAnswer =
  | { readonly kind: 'answered'; readonly reply: Uint8Array; readonly record: LookupRecord }
  /** Nothing may be sent back. */
  | { readonly kind: 'dropped' };

/** Answers one message of a client. Rejects only if the authority, the resolver or the vetting rejects. */
export async function answerQuery(
  packet: Uint8Array,
  transport: Transport,
  context: AnswerContext,
): Promise<DnsAnswer> {
  const decoded = decodeQuery(packet);
  switch (decoded.kind) {
    case 'dropped':
      return { kind: 'dropped' };
    case 'malformed':
      return {
        kind: 'answered',
        reply: encodeFailure(decoded.header, decoded.rcode),
        record: { name: '', type: '', outcome: 'malformed' },
      };
    case 'query': {
      const { query } = decoded;
      const { rcode, answers, ...found } = await find(query, context);
      const record = { name: query.question.name, type: typeName(query.question.type), ...found };
      return {
        kind: 'answered',
        reply: encodeDnsReply(query, { rcode, answers, limit: limitOf(query, transport) }),
        record,
      };
    }
  }
}

/** Returns an answer after an internal failure, so that the client need not wait for its time-out. */
export function failureReply(packet: Uint8Array): Uint8Array | undefined {
  const decoded = decodeQuery(packet);
  if (decoded.kind === 'dropped') return undefined;
  return encodeFailure(decoded.kind === 'query' ? decoded.query.header : decoded.header, rcodes.SERVFAIL);
}

function limitOf({ edns }: Query, transport: Transport): number {
  if (transport === 'tcp') return 0xffff;
  return edns === undefined ? plainUdpSize : Math.min(Math.max(edns.udpSize, plainUdpSize), ednsUdpSize);
}

interface TcpLimits {
  /** Most connections at once. Further ones are reset. Default: 64. */
  readonly connections: number;
  /** Most questions on one connection before Holdfast closes it. Default: 1,000. */
  readonly questions: number;
  /** Milliseconds between two whole questions, and for a client to read an answer. Default: 10,000. */
  readonly patience: number;
}

interface TcpServiceOptions {
  readonly limits: Partial<TcpLimits>;
  /** Never rejects. Undefined if nothing may be sent back. */
  reply(packet: Uint8Array): Promise<Uint8Array | undefined>;
}

interface TcpService {
  accept(socket: Socket): void;
  close(): void;
}

const defaults: TcpLimits = { connections: 64, questions: 1000, patience: 10_000 };

/** Answers the questions of each connection one by one. Stops reading from a client that does not read its answers. */
function createTcpService({ limits, reply }: TcpServiceOptions): TcpService {
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

async function serveConnection(
  socket: Socket,
  { questions, patience }: TcpLimits,
  reply: TcpServiceOptions['reply'],
): Promise<void> {
  socket.setNoDelay(true);
  // Only a whole question renews the deadline, so trickling bytes cannot keep a connection open.
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
    // Unread bytes would turn the close into a reset, and the reset would overtake the last answer.
    socket.resume();
  } catch {
    socket.destroy();
  }
}

/**
 * Yields at most `most` whole messages. Ends with the client's side of the connection, or at a message longer than any
 * question.
 */
async function* questionsOf(socket: Socket, most: number): AsyncGenerator<Buffer> {
  const frames = createDnsReader(longestQuery);
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

/** Resolves when the system has taken the bytes. */
async function write(socket: Socket, bytes: Buffer): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    socket.write(bytes, (error) => (error == null ? resolve() : reject(error)));
  });
}
