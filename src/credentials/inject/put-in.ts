import type { HeldContent } from '../../egress/http/held-content.ts';
import type { InterceptedConnection } from '../../egress/http/interceptor.ts';
import { type Body, type OutgoingRequest, fieldValue } from '../../egress/http/message.ts';
import type { Refused } from '../../egress/types.ts';
import type { CredentialContext, SecretRead } from '../types.ts';
import { holdsPhantom } from './request-parts.ts';
import type { PlacedCredential, CredentialUse } from './placed-credentials.ts';
import { refusedWith, secretUnavailable } from './misuse.ts';

/** `whole`: the content was read before any of it is sent. `streamed`: it passes as it arrives. */
export type ContentMode = 'whole' | 'streamed';

interface Surroundings {
  readonly context: CredentialContext;
  readonly connection: InterceptedConnection;
  readonly content: ContentMode;
  readonly held: HeldContent;
}

/**
 * Reads the secrets and puts them into the request. Before that, removes the client's copies of the replaced fields.
 */
export async function putIn(
  asked: OutgoingRequest,
  uses: readonly CredentialUse[],
  { context, connection, content, held }: Surroundings,
): Promise<OutgoingRequest | Refused> {
  if (uses.length === 0) return asked;
  const strips = new Set(uses.flatMap(({ placed }) => placed.strips));
  let request: OutgoingRequest = { ...asked, fields: asked.fields.filter(({ key }) => !strips.has(key)) };
  for (const { placed, found } of uses) {
    const { name } = placed.credential;
    const read = await secretOf(placed, context);
    if (read.kind === 'unavailable')
      return refusedWith({ code: 'credential-unavailable', message: read.message, remedy: read.remedy });
    const next = await placed.inject(request, read.secret, { asked, found, held });
    if ('kind' in next) return next;
    if (!isPlain(next))
      return secretUnavailable(
        name,
        'contains a character that would end its header line or begin another one',
        'Check the output of its source: a key has no line breaks and no control characters.',
      );
    request = next;
  }
  const { request: whole, bytes } = await settled(request, content);
  if (holdsPhantom(whole, bytes, context.registry))
    return secretUnavailable(
      uses.map(({ placed }) => placed.credential.name).join('", "'),
      'cannot be put into this request: its phantom is written in a way that cannot be replaced',
      'Send it once, and unencoded.',
    );
  for (const { placed } of uses) context.used(placed.credential.name, connection.destination);
  return whole;
}

async function secretOf({ credential, reads }: PlacedCredential, { secrets }: CredentialContext): Promise<SecretRead> {
  return reads === 'source' ? secrets.read(credential) : { kind: 'secret', secret: { value: '', fields: {} } };
}

/**
 * Attack: a secret that contains CR or LF adds fields. So does one with U+010A, if only the low byte of each character
 * is sent.
 */
function isPlain({ target, fields }: OutgoingRequest): boolean {
  return (
    /^[!-~]+$/u.test(target) &&
    fields.every(({ name, value }) => /^[!-9;-~]+$/u.test(name) && /^[\t -~\u0080-\u00ff]*$/u.test(value))
  );
}

/**
 * The phantoms in content that was read whole were in valid places, so the outgoing content is searched again after the
 * replacement.
 */
async function settled(request: OutgoingRequest, content: ContentMode): Promise<Whole> {
  return content === 'whole' ? wholeBody(request) : { request };
}

/** Octets. A token request has a few hundred, but a refresh token may be a large JSON Web Token. */
const limit = 64 * 1024;

interface Whole {
  readonly request: OutgoingRequest;
  /**
   * Content of a form or JSON document that is small enough to be read whole. The body of `request` can then be read
   * repeatedly.
   */
  readonly bytes?: Buffer;
}

/** Reads a small form or JSON document whole. Every other body stays a stream. Rejects if the body breaks off. */
export async function wholeBody(request: OutgoingRequest): Promise<Whole> {
  const { body } = request;
  if (body === undefined || !isForm(request) || (body.length ?? 0) > limit) return { request };
  const chunks = body[Symbol.asyncIterator]();
  const read: Buffer[] = [];
  for (let length = 0; length <= limit; ) {
    const next = await chunks.next();
    if (next.done === true) {
      const bytes = Buffer.concat(read);
      return {
        request: {
          ...request,
          body: { length: bytes.length, trailers: () => body.trailers(), [Symbol.asyncIterator]: () => each([bytes]) },
        },
        bytes,
      };
    }
    read.push(next.value);
    length += next.value.length;
  }
  return { request: { ...request, body: putBack(body, read, chunks) } };
}

function isForm({ fields }: OutgoingRequest): boolean {
  return (
    fieldValue(fields, 'content-encoding') === undefined &&
    /^application\/(?:x-www-form-urlencoded|(?:[\w.-]+\+)?json)\s*(?:;|$)/iu.test(
      fieldValue(fields, 'content-type') ?? '',
    )
  );
}

function putBack(body: Body, read: readonly Buffer[], rest: AsyncIterator<Buffer>): Body {
  async function* chunks(): AsyncGenerator<Buffer, void> {
    yield* read;
    yield* { [Symbol.asyncIterator]: () => rest };
  }
  return {
    ...(body.length === undefined ? {} : { length: body.length }),
    trailers: () => body.trailers(),
    [Symbol.asyncIterator]: chunks,
  };
}

async function* each(chunks: readonly Buffer[]): AsyncGenerator<Buffer, void> {
  yield* chunks;
}
