import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { bindBoth } from '../../testing/bind-both.ts';
import { frame } from '../frames.ts';
import { type DnsService, type DnsServiceOptions, serveDns } from '../serve.ts';

export interface RunningService extends AsyncDisposable {
  readonly port: number;
  readonly udp: UdpSocket;
  readonly service: DnsService;
}

/** A service on the loopback, UDP and TCP on the same port. */
export async function startService(options: Omit<DnsServiceOptions, 'udp'>): Promise<RunningService> {
  const { tcp: listener, udp, port } = await bindBoth({ tcp: { allowHalfOpen: true, pauseOnConnect: true } });
  const service = serveDns({ udp, ...options });
  listener.on('connection', (socket) => service.accept(socket));
  const dispose = async (): Promise<void> => {
    service.close();
    udp.close();
    listener.close();
    await once(listener, 'close');
  };
  return { port, udp, service, [Symbol.asyncDispose]: dispose };
}

/** The answer to one datagram. Undefined if none comes in time. */
export async function askOverUdp(port: number, packet: Buffer, patience = 2000): Promise<Buffer | undefined> {
  const socket = createSocket('udp4');
  socket.connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.send(packet);
  try {
    const [message] = (await once(socket, 'message', { signal: AbortSignal.timeout(patience) })) as [Buffer];
    return message;
  } catch {
    return undefined;
  } finally {
    socket.close();
  }
}

export interface TcpClient {
  readonly socket: Socket;
  send(...packets: readonly Buffer[]): void;
  /** Every complete message so far, once this many have come or the connection has ended. */
  messages(count: number): Promise<readonly Buffer[]>;
  /** Resolves with the end of the connection. */
  readonly ended: Promise<'end' | 'error'>;
}

export function connectTo(port: number): TcpClient {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let bytes = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    bytes = Buffer.concat([bytes, chunk]);
  });
  const ended = new Promise<'end' | 'error'>((resolve) => {
    socket.on('end', () => resolve('end'));
    socket.on('error', () => resolve('error'));
  });
  const whole = (): readonly Buffer[] => {
    const found: Buffer[] = [];
    for (
      let at = 0;
      at + 2 <= bytes.length && at + 2 + bytes.readUInt16BE(at) <= bytes.length;
      at += 2 + bytes.readUInt16BE(at)
    )
      found.push(bytes.subarray(at + 2, at + 2 + bytes.readUInt16BE(at)));
    return found;
  };
  return {
    socket,
    ended,
    send: (...packets) => void socket.write(Buffer.concat(packets.map(frame))),
    messages: async (count) => {
      while (whole().length < count) {
        const more = await Promise.race([once(socket, 'data').then(() => true), ended.then(() => false)]);
        if (!more) break;
      }
      return whole();
    },
  };
}
