import { connect, type Socket } from 'node:net';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';

/**
 * `portforward` over `v4.channel.k8s.io`, as the API's documentation describes it. Channel 0 has the bytes of the first
 * port and channel 1 its error. Both begin with the port in little endian. When the pod's side ends, the WebSocket
 * ends. A client cannot signal the end of its bytes.
 */
export class FakeForwards {
  protocol = 'v4.channel.k8s.io';
  /** Ports of pods, and this machine's ports in their place. Default: the same. */
  readonly targets = new Map<number, number>();
  /** Requested ports, in order. */
  readonly ports: number[] = [];
  /** Open connections. */
  readonly clients = new Set<WebSocket>();
  /** A lying server sends this instead of connecting. */
  lie: ((client: WebSocket) => void) | undefined;
  readonly #server = new WebSocketServer({
    noServer: true,
    handleProtocols: (asked) => (asked.has(this.protocol) ? this.protocol : false),
  });

  open(request: IncomingMessage, socket: Duplex, { head, url }: { readonly head: Buffer; readonly url: URL }): void {
    this.#server.handleUpgrade(request, socket, head, (client) => {
      this.clients.add(client);
      client.once('close', () => this.clients.delete(client));
      client.on('error', () => client.terminate());
      const port = Number(url.searchParams.get('ports'));
      this.ports.push(port);
      if (this.lie !== undefined) return this.lie(client);
      for (const channel of [0, 1]) client.send(headOf(channel, port));
      this.#connect(client, port);
    });
  }

  #connect(client: WebSocket, port: number): void {
    const pod = connect({ host: '127.0.0.1', port: this.targets.get(port) ?? port, allowHalfOpen: true });
    pod.on('error', ({ message }) => {
      client.send(frame(1, Buffer.from(`error forwarding port ${port} to pod x, uid y: ${message}`)));
      client.close(1000);
    });
    pod.on('data', (bytes: Buffer) => {
      pod.pause();
      client.send(frame(0, bytes), () => pod.resume());
    });
    pod.once('end', () => {
      client.close(1000);
      pod.end();
    });
    client.on('message', (data: Buffer) => this.#take(data, client, pod));
    client.once('close', () => pod.end());
  }

  #take(data: Buffer, client: WebSocket, pod: Socket): void {
    if (data[0] !== 0 || pod.writableEnded || pod.write(data.subarray(1))) return;
    client.pause();
    pod.once('drain', () => client.resume());
  }
}

export function frame(channel: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(channel), bytes]);
}

export function headOf(channel: number, port: number): Buffer {
  return Buffer.of(channel, port & 0xff, port >> 8);
}
