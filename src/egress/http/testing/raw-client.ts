import { connect } from 'node:net';

/** The end of an exchange: a number of complete answers, a matching text, or the end of the connection. */
type Wanted = number | RegExp | 'end';

/** Sends bytes in the clear and returns all received bytes up to the expected end, or until the connection ends. */
export function rawExchange(
  port: number,
  bytes: string | Buffer,
  wanted: Wanted = 1,
): Promise<{ readonly text: string; readonly isClosed: boolean }> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () =>
      socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes),
    );
    let text = '';
    const settle = (isClosed: boolean): void => {
      socket.destroy();
      resolve({ text, isClosed });
    };
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (isEnough(text, wanted)) settle(false);
    });
    socket.on('error', () => settle(true));
    socket.on('end', () => settle(true));
  });
}

function isEnough(text: string, wanted: Wanted): boolean {
  if (wanted === 'end') return false;
  return typeof wanted === 'number' ? wholeAnswers(text) >= wanted : wanted.test(text);
}

/** The number of complete final answers. An answer that ends with its connection does not count. */
function wholeAnswers(text: string): number {
  let count = 0;
  for (let rest = text; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n');
    const length = end === -1 ? undefined : contentLength(rest.slice(0, end), rest.slice(end + 4));
    if (length === undefined || rest.length < end + 4 + length) break;
    if (!/^HTTP\/1\.\d 1/u.test(rest)) count += 1;
    rest = rest.slice(end + 4 + length);
  }
  return count;
}

function contentLength(head: string, after: string): number | undefined {
  if (/^HTTP\/1\.\d (?:1\d\d|204|304)/u.test(head)) return 0;
  const length = /\r\ncontent-length: *(\d+)/iu.exec(head)?.[1];
  if (length !== undefined) return Number(length);
  const last = /\r\ntransfer-encoding: *chunked/iu.test(head)
    ? /(?:^|\r\n)0\r\n(?:[^\r\n]+\r\n)*\r\n/u.exec(after)
    : null;
  return last === null ? undefined : last.index + last[0].length;
}
