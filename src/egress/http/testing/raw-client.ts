import { connect } from 'node:net';

/** Sends bytes in the clear and gives everything that comes back until the connection ends, or until `quiet` milliseconds without a byte. */
export function rawExchange(port: number, bytes: string | Buffer, quiet = 150): Promise<{ readonly text: string; readonly isClosed: boolean }> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes));
    let text = '';
    const settle = (isClosed: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text, isClosed });
    };
    const timer = setTimeout(() => settle(false), quiet);
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      timer.refresh();
    });
    socket.on('error', () => settle(true));
    socket.on('end', () => settle(true));
  });
}
