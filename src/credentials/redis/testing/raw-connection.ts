import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A connection that sends and receives bytes. */
export interface RawConnection {
  readonly socket: Socket;
  send(octets: string | Buffer): void;
  /** All received bytes so far, as latin1, once they contain `text`, or the connection has ended. */
  heard(text: string): Promise<string>;
  /** All received bytes, once the other side has ended. */
  ended(): Promise<string>;
  close(): void;
}

export async function rawConnection(port: number): Promise<RawConnection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let words = '';
  const over = new Promise<void>((resolve) => {
    socket
      .on('error', () => resolve())
      .once('end', resolve)
      .once('close', resolve);
  });
  socket.on('data', (chunk: Buffer) => (words += chunk.toString('latin1')));
  await once(socket, 'connect');
  return {
    socket,
    send: (octets) => void socket.write(typeof octets === 'string' ? Buffer.from(octets, 'latin1') : octets),
    async heard(text) {
      while (!words.includes(text) && !socket.destroyed && !socket.readableEnded)
        await Promise.race([once(socket, 'data'), over]);
      return words;
    },
    async ended() {
      await over;
      return words;
    },
    close: () => void socket.destroy(),
  };
}
