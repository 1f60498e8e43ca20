import { connect } from 'node:net';

/** Milliseconds to wait for the rest of an answer: on a busy machine it comes late. */
const patience = 2000;

/** Sends bytes in the clear and gives everything that comes back until the connection ends, or until `quiet` milliseconds without a byte after whole answers. */
export function rawExchange(port: number, bytes: string | Buffer, quiet = 150): Promise<{ readonly text: string; readonly isClosed: boolean }> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes));
    let text = '';
    const settle = (isClosed: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text, isClosed });
    };
    let timer = setTimeout(() => settle(false), patience);
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      clearTimeout(timer);
      timer = setTimeout(() => settle(false), isWhole(text) ? quiet : patience);
    });
    socket.on('error', () => settle(true));
    socket.on('end', () => settle(true));
  });
}

/** Whether a text is a sequence of whole answers. One that ends with its connection is not. */
function isWhole(text: string): boolean {
  let rest = text;
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) return false;
    const length = contentLength(rest.slice(0, end), rest.slice(end + 4));
    if (length === undefined || rest.length < end + 4 + length) return false;
    rest = rest.slice(end + 4 + length);
  }
  return true;
}

function contentLength(head: string, after: string): number | undefined {
  if (/^HTTP\/1\.\d (?:1\d\d|204|304)/u.test(head)) return 0;
  const length = /\r\ncontent-length: *(\d+)/iu.exec(head)?.[1];
  if (length !== undefined) return Number(length);
  const last = /\r\ntransfer-encoding: *chunked/iu.test(head) ? /(?:^|\r\n)0\r\n(?:[^\r\n]+\r\n)*\r\n/u.exec(after) : null;
  return last === null ? undefined : last.index + last[0].length;
}
