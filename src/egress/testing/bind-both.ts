import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type ServerOpts } from 'node:net';

export interface BothOptions {
  /** Default: `127.0.0.1`. */
  readonly host?: string;
  /** Default: 0, any free port. */
  readonly port?: number;
  readonly tcp?: ServerOpts;
}

export interface Both {
  readonly tcp: Server;
  readonly udp: UdpSocket;
  readonly port: number;
}

/** TCP and UDP on one port. Another test may hold a port for UDP that is free for TCP. Then it tries another port. */
export async function bindBoth(options: BothOptions = {}, attempts = 20): Promise<Both> {
  const { host = '127.0.0.1', port: wanted = 0, tcp: how = {} } = options;
  const tcp = createServer(how).listen(wanted, host);
  await once(tcp, 'listening');
  const { port } = tcp.address() as AddressInfo;
  const udp = createSocket(host.includes(':') ? 'udp6' : 'udp4').bind(port, host);
  try {
    await once(udp, 'listening');
    return { tcp, udp, port };
  } catch (error) {
    udp.close();
    tcp.close();
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || wanted !== 0 || attempts === 1) throw error;
    return bindBoth(options, attempts - 1);
  }
}
