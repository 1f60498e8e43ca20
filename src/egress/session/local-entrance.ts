import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { MessageChannel, receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import type { DialledAddress } from '../transparent/transparent.ts';

/** Entrance to which the supervisor connects the sockets of a box without a network namespace. */
export interface LocalEntrance {
  /** At 127.0.0.1. */
  readonly port: number;
  /** Takes an `Announcement` before each connection. */
  readonly announcements: MessagePort;
}

/** Purpose of the connection from a local end. */
export interface Announcement extends DialledAddress {
  /** `ADDRESS:PORT`. The same port of another loopback address belongs to another client. */
  readonly source: string;
}

export interface OpenedEntrance {
  readonly entrance: LocalEntrance;
  close(): void;
}

const loopback = '127.0.0.1';

/** Everybody on the machine can connect there, so connections without an announcement are closed at once. */
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
  // A broken listener accepts nothing more, and the box sees a closed port.
  server.removeAllListeners('error').on('error', () => server.close());
}

/** The announcement arrives before the connection, whichever the event loop reports first. */
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
