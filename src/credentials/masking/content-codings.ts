import { pipeline, Readable, type Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  type Zlib,
} from 'node:zlib';
import { bodyFrom } from '../../egress/http/interceptor.ts';
import type { Body } from '../../egress/http/message.ts';

export type ContentCoding = 'gzip' | 'deflate' | 'br' | 'zstd';

/** Codings of content, in the order in which they were applied. `unknown`: the content cannot be searched. */
export type ContentCodings =
  | { readonly kind: 'known'; readonly codings: readonly ContentCoding[] }
  | { readonly kind: 'unknown'; readonly coding: string };

/** Source: RFC 9110 §8.4.1, with its aliases for old senders. */
const names: ReadonlyMap<string, readonly ContentCoding[]> = new Map([
  ['gzip', ['gzip']],
  ['x-gzip', ['gzip']],
  ['deflate', ['deflate']],
  ['br', ['br']],
  ['zstd', ['zstd']],
  ['identity', []],
]);

/** Honest servers never apply three codings. More would only cost the reader work. */
const mostCodings = 2;

/** RFC 9659 §3: no window over 8 MiB, even if a frame asks for more. */
const widestZstdWindow = 23;

/** Codings that `accept-encoding` may ask for. */
export const acceptableCodings: readonly ContentCoding[] = ['gzip', 'deflate', 'br', 'zstd'];

/** Parses a `content-encoding`. An absent or empty one means no coding. */
export function contentCodings(header: string | undefined): ContentCodings {
  const asked = (header ?? '')
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter((each) => each !== '');
  const unknown = asked.find((each) => !names.has(each));
  if (unknown !== undefined) return { kind: 'unknown', coding: unknown };
  const codings = asked.flatMap((each) => names.get(each) ?? []);
  return codings.length > mostCodings ? { kind: 'unknown', coding: asked.join(', ') } : { kind: 'known', codings };
}

/**
 * Decodes content as it streams. At most one buffer of the content is in memory, however large it grows. The length
 * becomes unknown. Reading rejects if the content is malformed, cut short or continues after its end.
 */
export function decodeBody(body: Body, codings: readonly ContentCoding[]): Body {
  const decoded = codings
    .toReversed()
    .reduce<AsyncIterable<Buffer>>((content, coding) => decode(content, coding), body);
  return codings.length === 0 ? body : bodyFrom(decoded, { trailers: () => body.trailers() });
}

async function* decode(content: AsyncIterable<Buffer>, coding: ContentCoding): AsyncGenerator<Buffer, void> {
  const chunks = content[Symbol.asyncIterator]();
  const first = await firstBytes(chunks);
  // Empty content, such as the answer to HEAD, has no coding.
  if (first === undefined) return;
  let given = 0;
  const counted = continued(first, chunks, ({ length }) => void (given += length));
  const decoder = decoderOf(coding, first);
  // A failure in the source or in the decoder rejects the reading below.
  const over = new Promise<void>(
    (resolve) => void pipeline(Readable.from(counted, { objectMode: true }), decoder, () => resolve()),
  );
  yield* decoder as AsyncIterable<Buffer>;
  await over;
  // Attack: an empty frame, followed by one that other decoders read and Node's decoders ignore.
  if (decoder.bytesWritten < given) throw new Error(`The content goes on behind the end of its ${coding}.`);
}

async function firstBytes(chunks: AsyncIterator<Buffer>): Promise<Buffer | undefined> {
  for (;;) {
    const next = await chunks.next();
    if (next.done === true) return undefined;
    if (next.value.length > 0) return next.value;
  }
}

async function* continued(
  first: Buffer,
  chunks: AsyncIterator<Buffer>,
  tell: (bytes: Buffer) => void,
): AsyncGenerator<Buffer, void> {
  try {
    tell(first);
    yield first;
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
      tell(next.value);
      yield next.value;
    }
  } finally {
    await chunks.return?.();
  }
}

/** `bytesWritten`: the bytes of input that the decoder has decoded. */
function decoderOf(coding: ContentCoding, first: Buffer): Transform & Zlib {
  switch (coding) {
    case 'gzip':
      return createGunzip();
    case 'deflate':
      // Some servers send no zlib header (RFC 1950 §2.2), and clients accept that.
      return ((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
    case 'br':
      return createBrotliDecompress();
    case 'zstd':
      return createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: widestZstdWindow } });
  }
}
