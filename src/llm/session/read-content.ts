import { contentCodings, decodeBody } from '../../credentials/index.ts';
import { observeBody, type OutgoingRequest, valuesOf } from '../../egress/index.ts';

/** The content of a request without its codings. */
export type Content =
  | { readonly kind: 'none' }
  | { readonly kind: 'bytes'; readonly bytes: Buffer /** As it came. */; readonly form: 'plain' | 'coded' }
  | { readonly kind: 'unreadable'; readonly status: number; readonly why: string };

/** Octets. Anthropic takes 32 MB, OpenAI and Gemini 20 MB with files beside it. */
export const longestContent = 64 * 1024 * 1024;

/** Reads all of it. What nobody can look into, or in no memory, is no content that may go on. */
export async function readContent({ body, fields }: OutgoingRequest): Promise<Content> {
  if (body === undefined) return { kind: 'none' };
  const codings = contentCodings(valuesOf(fields, 'content-encoding').join(','));
  if (codings.kind === 'unknown')
    return { kind: 'unreadable', status: 415, why: 'its content is compressed in a way that nothing here can undo' };
  if ((body.length ?? 0) > longestContent) return tooLong;
  const read: Buffer[] = [];
  let [length, sentLength] = [0, 0];
  const measure = (bytes: Buffer): void => {
    sentLength += bytes.length;
    // Attack: compressed content without end, of parts that stand for nothing.
    if (sentLength > longestContent) throw new RangeError('too long');
  };
  try {
    for await (const bytes of decodeBody(observeBody(body, { chunk: measure }), codings.codings)) {
      length += bytes.length;
      if (length > longestContent) return tooLong;
      read.push(bytes);
    }
  } catch {
    return sentLength > longestContent
      ? tooLong
      : {
          kind: 'unreadable',
          status: 400,
          why: 'its content breaks off, is not compressed as it says, or goes on behind what is',
        };
  }
  return { kind: 'bytes', bytes: Buffer.concat(read), form: codings.codings.length === 0 ? 'plain' : 'coded' };
}

const tooLong: Content = {
  kind: 'unreadable',
  status: 413,
  why: `its content has over ${longestContent / 2 ** 20} MiB, which is more than is looked into`,
};
