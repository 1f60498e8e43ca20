import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { MessageChannel, receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import type { DialledAddress } from '../transparent/transparent.ts';

/** Where the supervisor of a box without a network namespace connects the box's sockets to. */
export interface LocalEntrance {
  /** At 127.0.0.1. */
  readonly port: number;
  /** Takes an `Announcement` before each connection is made. */
  readonly announcements: MessagePort;
}

/** What the connection from a local end is for. */
export interface Announcement extends DialledAddress {
  /** `ADDRESS:PORT`. The same port of another address of the loopback is someone else's. */
  readonly source: string;
}

export interface OpenedEntrance {
  readonly entrance: LocalEntrance;
  close(): void;
}

const loopback = '127.0.0.1';

/** Everybody on the machine can connect there: anyone who was not announced is closed at once. */
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
  // One that breaks takes nothing more in: the box sees a closed port.
  server.removeAllListeners('error').on('error', () => server.close());
}

/** The announcement is there before the connection, whatever the event loop hears of first. */
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
