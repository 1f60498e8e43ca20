import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { MessageChannel, receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import type { DialledAddress } from '../transparent/transparent.ts';

/** The supervisor connects the sockets of a box without a network namespace to this entrance. */
export interface LocalEntrance {
  /** At 127.0.0.1. */
  readonly port: number;
  /** Receives an `Announcement` before each connection. */
  readonly announcements: MessagePort;
}

/** Announces a connection: its local end, and the destination that it is for. */
export interface Announcement extends DialledAddress {
  /** `ADDRESS:PORT`. The same port of another loopback address belongs to another client. */
  readonly source: string;
}

export interface OpenedEntrance {
  readonly entrance: LocalEntrance;
  close(): void;
}

const loopback = '127.0.0.1';

/** Every user of the machine can connect to this port, so a connection without an announcement is closed at once. */
export async function openLocalEntrance(
  backlog: number,
  accept: (client: Socket, dialled: DialledAddress) => void,
): Promise<OpenedEntrance> {
  const { port1: announced, port2: announcements } = new MessageChannel();
  const expected = expectations(announced);
  const server = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, (client) => {
    client.on('error', () => client.destroy());
    const dialled = expected(`${client.remoteAddress}:${client.remotePort}`);
    if (dialled === undefined) client.resetAndDestroy();
    else accept(client, dialled);
  });
  await listening(server, backlog);
  announced.unref();
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    entrance: { port, announcements },
    close() {
      server.close();
      announced.close();
    },
  };
}

async function listening(server: Server, backlog: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ host: loopback, port: 0, backlog }, resolve);
  });
  // A broken listener accepts nothing more, and the box finds the port closed.
  server.removeAllListeners('error').on('error', () => server.close());
}

/** The announcement is sent before the connection is made, but the event loop may report either one first. */
function expectations(announced: MessagePort): (source: string) => DialledAddress | undefined {
  const expected = new Map<string, DialledAddress>();
  return (source) => {
    for (let next = receiveMessageOnPort(announced); next !== undefined; next = receiveMessageOnPort(announced)) {
      const { source: from, ...dialled } = next.message as Announcement;
      expected.set(from, dialled);
    }
    const found = expected.get(source);
    expected.delete(source);
    return found;
  };
}
