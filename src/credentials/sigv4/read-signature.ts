import { ContentRefused, type HeldContent } from '../../egress/http/held-content.ts';
import { bodyFrom } from '../../egress/http/interceptor.ts';
import { type OutgoingRequest, fieldValue } from '../../egress/http/message.ts';
import { parametersOf } from '../inject/target.ts';

/** Parameters of a presigned URL that describe its signature. */
export const queryNames = {
  algorithm: 'X-Amz-Algorithm',
  credential: 'X-Amz-Credential',
  time: 'X-Amz-Date',
  lifetime: 'X-Amz-Expires',
  signedHeaders: 'X-Amz-SignedHeaders',
  signature: 'X-Amz-Signature',
} as const;

const algorithm = 'AWS4-HMAC-SHA256';
/** AWS writes the names of services in lower case. So does the list of services that return credentials. */
const credentialPattern = /^([\w+=.-]{1,256})\/(\d{8})\/([\w-]{1,64})\/([a-z\d_-]{1,64})\/aws4_request$/u;
const headerPattern = /^AWS4-HMAC-SHA256 +Credential=([^, ]+), *SignedHeaders=([^, ]+), *Signature=([\da-f]{64})$/u;

/** AWS accepts a signature fifteen minutes before and after its time. */
export const tolerance = 15 * 60_000;
/** The longest lifetime of a presigned URL: seven days, in seconds. */
const longestLifetime = 604_800;

/**
 * Reads `Authorization`, or the query of a presigned URL, in the one form that SDKs write. A request in any other form
 * cannot be signed again.
 */
export function readSignature(request: OutgoingRequest): ClientSignature | Unsignable {
  const headers = request.fields.filter(({ key }) => key === 'authorization').map(({ value }) => value);
  const isPresigned = parametersOf(request.target).some(({ name }) => Object.values<string>(queryNames).includes(name));
  if (headers.length > 1) return unsignable('it has several Authorization headers', useAnSdk);
  const [header] = headers;
  if (header !== undefined && isPresigned) return unsignable('it is signed in its headers and in its query', useAnSdk);
  if (header !== undefined) return readHeader(header, request);
  return isPresigned
    ? readQuery(request.target)
    : unsignable(
        'it has no signature, so its region and service are unknown',
        'Let the client sign: the box has a phantom access key for that.',
      );
}

function readHeader(header: string, { fields }: OutgoingRequest): ClientSignature | Unsignable {
  const problem = algorithmProblem(header);
  if (problem !== undefined) return problem;
  const [, credential = '', signedHeaders = '', signature] = headerPattern.exec(header) ?? [];
  if (signature === undefined) return unsignable('its Authorization header is malformed', useAnSdk);
  const times = fields.filter(({ key }) => key === 'x-amz-date');
  if (times.length !== 1) return unsignable('it does not have exactly one X-Amz-Date header', useAnSdk);
  return signatureOf({ stands: 'header', credential, signedHeaders, time: times[0]?.value ?? '', lifetime: tolerance });
}

function readQuery(target: string): ClientSignature | Unsignable {
  const parameters = parametersOf(target);
  const values = Object.fromEntries(
    Object.values(queryNames).map((wanted) => [
      wanted,
      parameters.filter(({ name }) => name === wanted).map(({ text }) => uriDecode(text.slice(text.indexOf('=') + 1))),
    ]),
  );
  if (Object.values(values).some((found) => found.length !== 1))
    return unsignable('its presigned URL has a parameter of the signature twice or not at all', useAnSdk);
  const valueOf = (name: string): string => values[name]?.[0] ?? '';
  const problem = algorithmProblem(valueOf(queryNames.algorithm));
  if (problem !== undefined) return problem;
  const lifetime = Number(valueOf(queryNames.lifetime));
  if (!/^\d{1,6}$/u.test(valueOf(queryNames.lifetime)) || lifetime < 1 || lifetime > longestLifetime)
    return unsignable('the lifetime of its presigned URL is not between a second and a week', useAnSdk);
  if (!/^[\da-f]{64}$/u.test(valueOf(queryNames.signature)))
    return unsignable('its presigned URL has a malformed signature', useAnSdk);
  return signatureOf({
    stands: 'query',
    credential: valueOf(queryNames.credential),
    signedHeaders: valueOf(queryNames.signedHeaders),
    time: valueOf(queryNames.time),
    lifetime: lifetime * 1000,
  });
}

function algorithmProblem(text: string): Unsignable | undefined {
  const [name = ''] = text.split(' ', 1);
  if (name === algorithm) return undefined;
  if (name.startsWith('AWS4-ECDSA'))
    return unsignable(
      'it is signed with SigV4A, whose keys the client derives from the secret',
      'Use a single region instead of a multi-region access point. The SDK then signs with SigV4.',
    );
  return unsignable(`it is not signed with ${algorithm}`, useAnSdk);
}

interface Parts extends Pick<ClientSignature, 'stands' | 'time' | 'lifetime'> {
  readonly credential: string;
  readonly signedHeaders: string;
}

function signatureOf({ stands, credential, signedHeaders, time, lifetime }: Parts): ClientSignature | Unsignable {
  const [, accessKeyId, date = '', region = '', service = ''] = credentialPattern.exec(credential) ?? [];
  if (accessKeyId === undefined) return unsignable('the scope of its signature is malformed', useAnSdk);
  const scope: SigningScope = { date, region, service };
  const names = signedHeaders.split(';');
  if (!names.every((name) => /^[!#$%&'*+.^`|~\w-]+$/u.test(name) && name === name.toLowerCase()))
    return unsignable('its list of signed headers is malformed', useAnSdk);
  if (names.some((name, index) => index > 0 && name <= (names[index - 1] ?? '')))
    return unsignable('its signed headers are not sorted, or one of them appears twice', useAnSdk);
  if (!names.includes('host')) return unsignable('its host is not signed', useAnSdk);
  return { kind: 'signature', stands, accessKeyId, scope, signedHeaders: names, time, lifetime };
}

/**
 * Escapes everything except unreserved characters as `%XX`. `octets` has one code point for each byte. Source: IAM User
 * Guide, "UriEncode()".
 */
export function uriEncode(octets: string): string {
  return octets.replaceAll(
    /[^\w.~-]/gu,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

/** Decodes to one code point for each byte. Leaves invalid escapes unchanged. */
export function uriDecode(text: string): string {
  return text.replaceAll(/%([\da-f]{2})/giu, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

/** Most bytes of content that is buffered for hashing. */
const mostHeld = 32 * 1024 * 1024;

interface ReadPayload {
  readonly kind: 'payload';
  readonly bytes: Buffer;
  /** The same request, with a body that can be sent. */
  readonly request: OutgoingRequest;
}

/**
 * Reads the content of a request whose client did not state its hash. Rejects if the body rejects, for example because
 * it holds a phantom. If the content is too long, its rest stays unread and open: closing it would end the exchange
 * before the client learns the reason. `held` counts the content until its answer begins.
 */
export async function readPayload(request: OutgoingRequest, held: HeldContent): Promise<ReadPayload | Unsignable> {
  const { body } = request;
  if (body === undefined) return { kind: 'payload', bytes: Buffer.alloc(0), request };
  if ((body.length ?? 0) > mostHeld) return tooLong();
  const chunks: Buffer[] = [];
  const content = body[Symbol.asyncIterator]();
  let length = 0;
  try {
    for (let next = await content.next(); next.done !== true; next = await content.next()) {
      length += next.value.length;
      if (length > mostHeld) return tooLong();
      held.add(next.value.length);
      chunks.push(next.value);
    }
  } catch (error) {
    if (error instanceof ContentRefused) return tooMany();
    throw error;
  }
  const bytes = Buffer.concat(chunks);
  return {
    kind: 'payload',
    bytes,
    request: { ...request, body: bodyFrom(once(bytes), { length: bytes.length, trailers: () => body.trailers() }) },
  };
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer, void> {
  yield bytes;
}

function tooMany(): Unsignable {
  return unsignable(
    'too much content is held for signing at the same time',
    'Send it again, or send fewer requests at once.',
  );
}

function tooLong(): Unsignable {
  return unsignable(
    'its content is longer than 32 MiB, and its hash is not stated',
    'Let the client send x-amz-content-sha256.',
  );
}

/** The scope of a signature: a day, a region and a service. */
export interface SigningScope {
  /** `YYYYMMDD`. */
  readonly date: string;
  readonly region: string;
  readonly service: string;
}

/** The client's signature of a request, with everything that is needed to sign it again. */
export interface ClientSignature {
  readonly kind: 'signature';
  /** `query`: a presigned URL. */
  readonly stands: 'header' | 'query';
  readonly accessKeyId: string;
  readonly scope: SigningScope;
  /** Names in lower case, sorted and unique. `host` is among them. */
  readonly signedHeaders: readonly string[];
  /** `YYYYMMDDTHHMMSSZ`. */
  readonly time: string;
  /** Milliseconds for which the signature is valid after `time`. */
  readonly lifetime: number;
}

/**
 * The reason that a request cannot be signed again. Both texts are for people, have one line, and contain nothing from
 * the client.
 */
export interface Unsignable {
  readonly kind: 'unsignable';
  /** Completes the sentence "cannot sign this request again: …". */
  readonly why: string;
  readonly remedy: string;
}

export function unsignable(why: string, remedy: string): Unsignable {
  return { kind: 'unsignable', why, remedy };
}

/** Remedy for requests that no SDK sends. */
export const useAnSdk = 'Sign as the SDKs of AWS do.';

/**
 * Returns the signature that Holdfast gave a request. Undefined if the request has none, or still has the client's.
 * Anyone who learns the signature can send the request from anywhere until it expires.
 */
export function ownSignatureIn(outgoing: OutgoingRequest, asked: OutgoingRequest): string | undefined {
  const own = signatureIn(outgoing);
  return own === signatureIn(asked) ? undefined : own;
}

function signatureIn({ fields, target }: OutgoingRequest): string | undefined {
  const inHeader = /^AWS4-HMAC-SHA256 .*Signature=([\da-f]{64})$/u.exec(fieldValue(fields, 'authorization') ?? '')?.[1];
  return (
    inHeader ??
    parametersOf(target)
      .find(({ name }) => name === queryNames.signature)
      ?.text.slice(-64)
  );
}
