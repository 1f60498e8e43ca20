import type { ByteSource } from '../byte-source.ts';
import { limits } from '../limits.ts';
import { problem, type Problem } from './field-lines.ts';

export interface HeadText {
  readonly kind: 'text';
  /** Bytes as latin1, without the empty line. */
  readonly text: string;
}

export interface HeadOptions {
  /** Called when a head that has begun is not complete after `limits.slowHead`. The stream is the callee's to end. */
  readonly onSlow: () => void;
}

const end = Buffer.from('\r\n\r\n');
const malformed = problem(400, 'These bytes are not the beginning of an HTTP message.');
const bareLineFeed = problem(400, 'A line ends with a bare LF.');
const tooLong = problem(431, `The head is longer than ${limits.head} octets.`);

/** Reads up to the empty line, and no further. Undefined when the stream ends before a head begins, or breaks. */
export async function readHead(source: ByteSource, { onSlow }: HeadOptions): Promise<HeadText | Problem | undefined> {
  let bytes = await firstBytes(source);
  let timer: NodeJS.Timeout | undefined;
  try {
    for (let searched = 0; bytes !== undefined; ) {
      const problemOrText = headIn(bytes, searched, source);
      if (problemOrText !== undefined) return problemOrText;
      timer ??= setTimeout(onSlow, limits.slowHead);
      searched = Math.max(0, bytes.length - end.length + 1);
      const more = await source.read();
      bytes = more === undefined ? undefined : Buffer.concat([bytes, more]);
    }
    return undefined;
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** An empty line before a request is what some clients send after the content of the last one. Source: RFC 9112 §2.2. */
async function firstBytes(source: ByteSource): Promise<Buffer | undefined> {
  try {
    const bytes = await source.read();
    if (bytes?.[0] !== 0x0d || bytes[1] !== 0x0a) return bytes;
    return bytes.length > 2 ? bytes.subarray(2) : await source.read();
  } catch {
    return undefined;
  }
}

/** What is plainly no HTTP is answered now: a client that waits for us to find out learns nothing from a time-out. */
function headIn(bytes: Buffer, searched: number, source: ByteSource): HeadText | Problem | undefined {
  const at = bytes.indexOf(end, searched);
  if (at > limits.head || (at === -1 && bytes.length > limits.head)) return tooLong;
  if (at !== -1) {
    source.unread(bytes.subarray(at + end.length));
    return { kind: 'text', text: bytes.toString('latin1', 0, at) };
  }
  if (!isTokenStart(bytes[0])) return malformed;
  return hasBareLineFeed(bytes, searched) ? bareLineFeed : undefined;
}

function isTokenStart(byte: number | undefined): boolean {
  return byte !== undefined && byte > 0x20 && byte < 0x7f;
}

function hasBareLineFeed(bytes: Buffer, from: number): boolean {
  for (let at = bytes.indexOf(0x0a, from); at !== -1; at = bytes.indexOf(0x0a, at + 1)) if (bytes[at - 1] !== 0x0d) return true;
  return false;
}
