import { connect } from 'node:net';

export interface RawExchange {
  readonly bytes: Buffer;
  /** `open`: no more bytes came in time. */
  readonly end: 'ended' | 'reset' | 'open';
}

/**
 * Milliseconds without a byte after which an exchange is over: before the first byte of the answer, and after later
 * bytes.
 */
export interface Patience {
  readonly first: number;
  readonly next: (came: Buffer) => number;
}

/**
 * Sends bytes in the clear, valid or not, and returns all bytes of the answer. The second piece follows the first
 * answer, as after a handshake. Never rejects.
 */
export function rawExchange(
  port: number,
  pieces: readonly Buffer[],
  { first: patience, next: quiet }: Patience,
): Promise<RawExchange> {
  return new Promise((resolve) => {
    const [first = Buffer.alloc(0), ...later] = pieces;
    const came: Buffer[] = [];
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => void socket.write(first));
    const settle = (end: RawExchange['end']): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ bytes: Buffer.concat(came), end });
    };
    const wait = (time: number): NodeJS.Timeout => setTimeout(() => settle('open'), time);
    let timer = wait(patience);
    socket.on('data', (bytes) => {
      came.push(bytes);
      const next = later.shift();
      if (next !== undefined) socket.write(next);
      clearTimeout(timer);
      timer = wait(quiet(Buffer.concat(came)));
    });
    socket.on('end', () => settle('ended')).on('error', () => settle('reset'));
  });
}

export interface RawAnswerParts {
  readonly status: number;
  /** Chunks joined. */
  readonly body: Buffer;
  /** Whether the body is as long as its framing promises. Without a promise, any body is complete. */
  readonly isWhole: boolean;
}

/** The one HTTP/1.1 answer in the bytes, or undefined. */
export function answerIn(bytes: Buffer): RawAnswerParts | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  const head = bytes.subarray(0, Math.max(end, 0)).toString('latin1');
  const status = /^HTTP\/1\.1 (\d{3}) /u.exec(head)?.[1];
  if (status === undefined) return undefined;
  const body = bytes.subarray(end + 4);
  if (/^transfer-encoding: *chunked/imu.test(head)) return { status: Number(status), ...dechunked(body) };
  return {
    status: Number(status),
    body,
    isWhole: body.length >= Number(/^content-length: *(\d+)/imu.exec(head)?.[1] ?? 0),
  };
}

function dechunked(bytes: Buffer): Omit<RawAnswerParts, 'status'> {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const line = bytes.indexOf('\r\n', at);
    const size = line === -1 ? Number.NaN : Number.parseInt(bytes.subarray(at, line).toString('latin1'), 16);
    if (size === 0) return { body: Buffer.concat(chunks), isWhole: true };
    if (Number.isNaN(size)) break;
    chunks.push(bytes.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
  return { body: Buffer.concat(chunks), isWhole: false };
}
