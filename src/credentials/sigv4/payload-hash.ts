import type { OutgoingRequest, Scheme } from '../../egress/index.ts';
import { parametersOf } from '../inject/target.ts';
import { isObjectStore } from './canonical-request.ts';
import { uriDecode } from './encode.ts';
import { readPayload } from './read-payload.ts';
import { sha256 } from './signature-of.ts';
import type { ClientSignature, Unsignable } from './types.ts';
import { unsignable, useAnSdk } from './unsignable.ts';

export interface PayloadHash {
  readonly kind: 'hash';
  /** Hex, or the word that stands for it. */
  readonly text: string;
  readonly request: OutgoingRequest;
}

const key = 'x-amz-content-sha256';

/**
 * What the last line of the canonical request says: what the client declared, or the hash of the content, which is then
 * read to its end. Words for content that is not signed are good over TLS only. `STREAMING-UNSIGNED-PAYLOAD-TRAILER` is
 * among them: its chunks carry no signatures. Source: Amazon S3 API, "Signature calculations … multiple chunks".
 */
export async function payloadHashOf(request: OutgoingRequest, { stands, scope }: ClientSignature, scheme: Scheme): Promise<PayloadHash | Unsignable> {
  const declared = declaredHashes(request);
  if (declared.length > 1) return unsignable('it says the hash of its content twice', useAnSdk);
  const text = declared[0] ?? (stands === 'query' && isObjectStore(scope.service) ? 'UNSIGNED-PAYLOAD' : undefined);
  if (text === undefined) {
    const payload = await readPayload(request);
    return payload.kind === 'unsignable' ? payload : { kind: 'hash', text: sha256(payload.bytes), request: payload.request };
  }
  if (/^[\da-f]{64}$/u.test(text)) return { kind: 'hash', text, request };
  if (text === 'UNSIGNED-PAYLOAD' || text === 'STREAMING-UNSIGNED-PAYLOAD-TRAILER') return scheme === 'https' ? { kind: 'hash', text, request } : unsignable('its content is not signed and not encrypted', 'Use https.');
  if (text.startsWith('STREAMING-')) return unsignable('each chunk of its content is signed with the key', 'Turn chunked signing off in the client: for the SDKs for Java and for MinIO, use https and unsigned payloads; for others, send x-amz-content-sha256: UNSIGNED-PAYLOAD.');
  return unsignable('the hash of its content is malformed', useAnSdk);
}

function declaredHashes({ fields, target }: OutgoingRequest): readonly string[] {
  const inQuery = parametersOf(target).filter(({ name }) => name.toLowerCase() === key);
  return [...fields.filter((field) => field.key === key).map(({ value }) => value), ...inQuery.map(({ text }) => uriDecode(text.slice(text.indexOf('=') + 1)))];
}
