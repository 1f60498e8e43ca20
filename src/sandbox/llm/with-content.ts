import { bodyFrom, type OutgoingRequest, withoutField, withField } from '../../egress/index.ts';
import type { Content } from './read-content.ts';

/** Integrity and signatures of content that is not what was sent. Sources: RFC 9530, RFC 3230, RFC 1864. */
const digests = ['content-md5', 'digest', 'content-digest', 'repr-digest'];

/** The request with the content that goes on. Where nothing was changed it is what it was, compressed as it came. */
export function withContent(request: OutgoingRequest, content: Content, bytes: Buffer | undefined): OutgoingRequest {
  if (content.kind !== 'bytes' || bytes === undefined) return request;
  const { body } = request;
  const isSame = bytes === content.bytes;
  const outgoing = isSame ? content.sent : bytes;
  async function* once(): AsyncGenerator<Buffer, void> {
    if (outgoing.length > 0) yield outgoing;
  }
  const bare = isSame ? request.fields : ['content-encoding', ...digests].reduce(withoutField, request.fields);
  const fields = request.fields.some(({ key }) => key === 'content-length') ? withField(bare, 'Content-Length', String(outgoing.length)) : bare;
  return { ...request, fields, body: bodyFrom(once(), { length: outgoing.length, trailers: () => body?.trailers() ?? [] }) };
}
