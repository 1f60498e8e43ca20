import { HoldfastError } from '../../../errors/index.ts';

/** One entry of an archive. The caller has to read `content` to its end before the next entry. */
export interface TarEntry {
  /** The original bytes, as latin1. */
  readonly path: string;
  readonly type: 'file' | 'directory' | 'symlink' | 'hard-link' | 'other';
  readonly mode: number;
  readonly size: number;
  /** Seconds since 1970. */
  readonly modified: number;
  /** Only for links. */
  readonly target: string;
  readonly content: AsyncIterable<Buffer>;
}

const block = 512;
/** Bytes of a name or of a pax header. */
const longestName = 1 << 16;
/** Headers before one entry. GNU tar writes two at most. */
const mostExtras = 8;

/**
 * Reads an archive of a pod, which a box may have written: ustar, and the long names of GNU and pax. Throws
 * `HF_CLUSTER_FAILED` for bytes that are not an archive or end too early.
 */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const bytes = new ByteReader(source);
  let extra: Extra = {};
  let extras = 0;
  for (;;) {
    const head = await bytes.take(block);
    if (head.every((byte) => byte === 0)) return;
    checkSum(head);
    const flag = String.fromCharCode(head[156] ?? 0);
    const size = numberAt(head, 124, 12);
    if (flag === 'L' || flag === 'K' || flag === 'x' || flag === 'g') {
      extras += 1;
      if (extras > mostExtras) throw noArchive('an entry has too many headers');
      extra = { ...extra, ...extraOf(flag, await bytes.padded(boundedName(size))) };
      continue;
    }
    const type = typeOf(flag);
    const length = type === 'file' ? (extra.size ?? size) : flag === '1' || flag === '2' || flag === '5' ? 0 : size;
    const content = bytes.content(length);
    yield {
      path: extra.path ?? nameOf(head),
      type,
      mode: numberAt(head, 100, 8) & 0o7777,
      size: length,
      modified: numberAt(head, 136, 12),
      target: extra.target ?? textAt(head, 157, 100),
      content,
    };
    for await (const rest of content) void rest;
    [extra, extras] = [{}, 0];
  }
}

interface Extra {
  readonly path?: string;
  readonly target?: string;
  readonly size?: number;
}

function typeOf(flag: string): TarEntry['type'] {
  switch (flag) {
    case '0':
    case '\0':
    case '7':
      return 'file';
    case '1':
      return 'hard-link';
    case '2':
      return 'symlink';
    case '5':
      return 'directory';
    default:
      return 'other';
  }
}

function boundedName(size: number): number {
  if (size > longestName) throw noArchive('a name is too long');
  return size;
}

function extraOf(flag: string, content: Buffer): Extra {
  if (flag === 'L') return { path: textAt(content, 0, content.length) };
  if (flag === 'K') return { target: textAt(content, 0, content.length) };
  return flag === 'x' ? paxOf(content) : {};
}

/** Records of `LENGTH KEY=VALUE\n`. */
function paxOf(content: Buffer): Extra {
  const records = new Map<string, string>();
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at);
    const length = Number(content.toString('latin1', at, space));
    if (space < 0 || !Number.isInteger(length) || length <= space - at || at + length > content.length)
      throw noArchive('a pax header is broken');
    const record = content.toString('latin1', space + 1, at + length - 1);
    const equals = record.indexOf('=');
    records.set(record.slice(0, equals), record.slice(equals + 1));
    at += length;
  }
  const [path, target, size] = [records.get('path'), records.get('linkpath'), records.get('size')];
  return {
    ...(path === undefined ? {} : { path }),
    ...(target === undefined ? {} : { target }),
    ...(size === undefined ? {} : { size: boundedSize(Number(size)) }),
  };
}

function boundedSize(size: number): number {
  if (!Number.isSafeInteger(size) || size < 0) throw noArchive('a size is no number');
  return size;
}

function nameOf(head: Buffer): string {
  const isUstar = head.toString('latin1', 257, 263) === 'ustar\0';
  const prefix = isUstar ? textAt(head, 345, 155) : '';
  return prefix === '' ? textAt(head, 0, 100) : `${prefix}/${textAt(head, 0, 100)}`;
}

function textAt(bytes: Buffer, at: number, length: number): string {
  const text = bytes.toString('latin1', at, at + length);
  const end = text.indexOf('\0');
  return end < 0 ? text : text.slice(0, end);
}

/** Octal, or base 256 if the first bit is set, as GNU tar writes large numbers. */
function numberAt(head: Buffer, at: number, length: number): number {
  const first = head[at] ?? 0;
  if ((first & 0x80) !== 0) {
    let value = first & 0x7f;
    for (const byte of head.subarray(at + 1, at + length)) value = value * 256 + byte;
    return boundedSize(value);
  }
  const text = textAt(head, at, length).trim();
  return text === '' ? 0 : boundedSize(/^[0-7]+$/u.test(text) ? Number.parseInt(text, 8) : Number.NaN);
}

function checkSum(head: Buffer): void {
  const sum = head.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 0x20 : byte), 0);
  if (numberAt(head, 148, 8) !== sum) throw noArchive('a checksum is wrong');
}

function noArchive(why: string): HoldfastError {
  return new HoldfastError('HF_CLUSTER_FAILED', `the workspace did not come back whole: ${why}`, {
    remedy: 'see whether the image has `tar`; nothing was staged, and your files are as they were',
  });
}

/** Cuts a stream into pieces of a known length. */
class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#chunks = source[Symbol.asyncIterator]();
  }

  async take(length: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let missing = length; missing > 0; ) {
      const part = await this.#some(missing);
      parts.push(part);
      missing -= part.length;
    }
    return Buffer.concat(parts);
  }

  async padded(length: number): Promise<Buffer> {
    return (await this.take(Math.ceil(length / block) * block)).subarray(0, length);
  }

  /** Can be iterated twice: the second iteration continues after the first. */
  content(length: number): AsyncIterable<Buffer> {
    let missing = length;
    let padding = (block - (length % block)) % block;
    const next = async (): Promise<IteratorResult<Buffer>> => {
      if (missing === 0) {
        await this.take(padding);
        padding = 0;
        return { done: true, value: undefined };
      }
      const value = await this.#some(missing);
      missing -= value.length;
      return { done: false, value };
    };
    return { [Symbol.asyncIterator]: () => ({ next }) };
  }

  async #some(most: number): Promise<Buffer> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#chunks.next();
      if (done === true) throw noArchive('it ends too early');
      this.#rest = value;
    }
    const some = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(some.length);
    return some;
  }
}
