import { bodyFrom, type OutgoingRequest, withoutField, withField } from '../../egress/index.ts';
import type { Content } from './read-content.ts';

/** Integrity and signatures of content that is not what was sent. Sources: RFC 9530, RFC 3230, RFC 1864. */
const digests = ['content-md5', 'digest', 'content-digest', 'repr-digest'];

/** The request with the content that goes on. Where nothing was changed it has the fields that it had. */
export function withContent(request: OutgoingRequest, content: Content, bytes: Buffer | undefined): OutgoingRequest {
  if (content.kind !== 'bytes' || bytes === undefined) return request;
  const { body } = request;
  async function* once(): AsyncGenerator<Buffer, void> {
    if (bytes !== undefined && bytes.length > 0) yield bytes;
  }
  const isSame = content.form === 'as-sent' && bytes === content.bytes;
  const bare = isSame ? request.fields : ['content-encoding', ...digests].reduce(withoutField, request.fields);
  const fields = request.fields.some(({ key }) => key === 'content-length') ? withField(bare, 'Content-Length', String(bytes.length)) : bare;
  return { ...request, fields, body: bodyFrom(once(), { length: bytes.length, trailers: () => body?.trailers() ?? [] }) };
}
