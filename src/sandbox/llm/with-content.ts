import { bodyFrom, type OutgoingRequest, withoutField, withField } from '../../egress/index.ts';
import type { Content } from './read-content.ts';

/** Integrity and signatures of content that is not what was sent. Sources: RFC 9530, RFC 3230, RFC 1864. */
const digests = ['content-md5', 'digest', 'content-digest', 'repr-digest'];

/**
 * The request with the content that goes on, without its codings. Attack: compressed content that a server decodes otherwise than what was
 * looked into: as `deflate` with a header and without one, to the first end or beyond it.
 */
export function withContent(request: OutgoingRequest, content: Content, bytes: Buffer | undefined): OutgoingRequest {
  if (content.kind !== 'bytes' || bytes === undefined) return request;
  const { body } = request;
  const isSame = bytes === content.bytes && content.form === 'plain';
  async function* once(outgoing: Buffer): AsyncGenerator<Buffer, void> {
    if (outgoing.length > 0) yield outgoing;
  }
  const bare = isSame ? request.fields : ['content-encoding', ...digests].reduce(withoutField, request.fields);
  const fields = request.fields.some(({ key }) => key === 'content-length') ? withField(bare, 'Content-Length', String(bytes.length)) : bare;
  return { ...request, fields, body: bodyFrom(once(bytes), { length: bytes.length, trailers: () => body?.trailers() ?? [] }) };
}
