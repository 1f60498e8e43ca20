import type { ByteSource } from '../byte-source.ts';
import { httpLimits } from '../limits.ts';
import { problem, type HttpProblem } from './field-lines.ts';

export interface HeadText {
  readonly kind: 'text';
  /** Bytes as latin1, without the empty line. */
  readonly text: string;
}

/** Checks of the first bytes: while the head is incomplete, and of its complete first line. */
export interface Beginning {
  readonly partial: RegExp;
  readonly line: RegExp;
}

export const requestBeginning: Beginning = { partial: /^[!#$%&'*+\-.^_`|~\w]{1,64}(?: |$)/u, line: / HTTP\/\d\.\d$/u };
export const responseBeginning: Beginning = { partial: /^(?:HTTP\/|HTTP$|HTT?$|HT?$)/u, line: /^HTTP\/\d\.\d \d/u };

export interface HeadOptions {
  readonly beginning: Beginning;
  /** Called if a head that has begun is not complete after `httpLimits.slowHead`. The callee ends the stream. */
  readonly onSlow: () => void;
}

const end = Buffer.from('\r\n\r\n');
const malformed = problem(400, 'These bytes are not the beginning of an HTTP message.');
const bareLineFeed = problem(400, 'A line ends with a bare LF.');
const tooLong = problem(431, `The head is longer than ${httpLimits.head} octets.`);

/** Reads up to the empty line, and no further. Undefined if the stream ends before a head begins, or breaks. */
export async function readHttp1Head(
  source: ByteSource,
  { onSlow, beginning }: HeadOptions,
): Promise<HeadText | HttpProblem | undefined> {
  let bytes = await firstBytes(source);
  let timer: NodeJS.Timeout | undefined;
  try {
    for (let searched = 0; bytes !== undefined; ) {
      const found = headIn(bytes, searched, source);
      if (found !== undefined) return found;
      if (!canBegin(bytes, searched, beginning)) return malformed;
      timer ??= setTimeout(onSlow, httpLimits.slowHead);
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

/** Some clients send an empty line after the content of a request. Source: RFC 9112 §2.2. */
async function firstBytes(source: ByteSource): Promise<Buffer | undefined> {
  try {
    const bytes = await source.read();
    if (bytes?.[0] !== 0x0d || bytes[1] !== 0x0a) return bytes;
    return bytes.length > 2 ? bytes.subarray(2) : await source.read();
  } catch {
    return undefined;
  }
}

function headIn(bytes: Buffer, searched: number, source: ByteSource): HeadText | HttpProblem | undefined {
  const at = bytes.indexOf(end, searched);
  if (at > httpLimits.head || (at === -1 && bytes.length > httpLimits.head)) return tooLong;
  if (at !== -1) {
    source.unread(bytes.subarray(at + end.length));
    return { kind: 'text', text: bytes.toString('latin1', 0, at) };
  }
  return hasBareLineFeed(bytes, searched) ? bareLineFeed : undefined;
}

/** Refuses bytes that cannot be HTTP as soon as they arrive. A time-out would not tell the client the reason. */
function canBegin(bytes: Buffer, searched: number, { partial, line }: Beginning): boolean {
  if (!partial.test(bytes.toString('latin1', 0, 65))) return false;
  const lineEnd = bytes.indexOf('\r\n');
  return lineEnd < searched || line.test(bytes.toString('latin1', 0, lineEnd));
}

function hasBareLineFeed(bytes: Buffer, from: number): boolean {
  for (let at = bytes.indexOf(0x0a, from); at !== -1; at = bytes.indexOf(0x0a, at + 1))
    if (bytes[at - 1] !== 0x0d) return true;
  return false;
}
