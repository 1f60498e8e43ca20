import { createHash, createHmac } from 'node:crypto';
import type { HeldContent } from '../../egress/http/held-content.ts';
import { type OutgoingRequest, type Scheme, withField } from '../../egress/http/message.ts';
import { readableCodings } from '../inject/codings.ts';
import { escaped, parametersOf, targetPath, withParameters } from '../inject/target.ts';
import {
  type ClientSignature,
  queryNames,
  readPayload,
  type SigningScope,
  unsignable,
  type Unsignable,
  uriDecode,
  uriEncode,
  useAnSdk,
} from './read-signature.ts';

export const tokenHeader = 'X-Amz-Security-Token';

/** The real keys. */
export interface Keys {
  readonly kind: 'keys';
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export interface Signed {
  readonly kind: 'signed';
  readonly request: OutgoingRequest;
}

interface Signing {
  readonly signature: ClientSignature;
  readonly keys: Keys;
  readonly scheme: Scheme;
  readonly held: HeldContent;
}

/** Signs a request with the real keys, and replaces the client's signature. */
export async function sign(
  judged: OutgoingRequest,
  { signature, keys, scheme, held }: Signing,
): Promise<Signed | Unsignable> {
  const { scope, stands, time } = signature;
  const hash = await payloadHashOf(judged, { signature, scheme, held });
  if (hash.kind === 'unsignable') return hash;
  // Signing comes last, after all other changes to the outgoing request.
  const request: OutgoingRequest = { ...hash.request, fields: readableCodings(hash.request.fields) };
  const { prepared, signedHeaders } =
    stands === 'header' ? inHeaders(request, signature, keys) : inQuery(request, signature, keys);
  const canonical = canonicalRequest(prepared, { service: scope.service, signedHeaders, payloadHash: hash.text });
  if (canonical.kind === 'unsignable') return canonical;
  const text = signatureOf(canonical.text, { secretAccessKey: keys.secretAccessKey, scope, time });
  if (stands === 'query')
    return signed({
      ...prepared,
      target: withParameters(prepared.target, [
        ...parametersOf(prepared.target).map((parameter) => parameter.text),
        `${queryNames.signature}=${text}`,
      ]),
    });
  const authorization = `AWS4-HMAC-SHA256 Credential=${keys.accessKeyId}/${scopeText(scope)}, SignedHeaders=${signedHeaders.join(';')}, Signature=${text}`;
  return signed({ ...prepared, fields: withField(prepared.fields, 'Authorization', authorization) });
}

interface Prepared {
  readonly prepared: OutgoingRequest;
  readonly signedHeaders: readonly string[];
}

function inHeaders(request: OutgoingRequest, signature: ClientSignature, { sessionToken }: Keys): Prepared {
  const key = tokenHeader.toLowerCase();
  const rest = signature.signedHeaders.filter((name) => name !== key);
  if (sessionToken === undefined) return { prepared: request, signedHeaders: rest };
  return {
    prepared: { ...request, fields: withField(request.fields, tokenHeader, sessionToken) },
    signedHeaders: [...rest, key].sort(),
  };
}

/** Returns the query without the parameter of the signature, which is not signed itself. */
function inQuery(request: OutgoingRequest, signature: ClientSignature, { accessKeyId, sessionToken }: Keys): Prepared {
  const replaced: Readonly<Record<string, string | undefined>> = {
    [queryNames.credential]: `${accessKeyId}/${scopeText(signature.scope)}`,
    [tokenHeader]: sessionToken,
    [queryNames.signature]: undefined,
  };
  const kept = parametersOf(request.target)
    .filter(({ name }) => !Object.hasOwn(replaced, name))
    .map(({ text }) => text);
  const added = Object.entries(replaced).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${escaped(value)}`],
  );
  return {
    prepared: { ...request, target: withParameters(request.target, [...kept, ...added]) },
    signedHeaders: signature.signedHeaders,
  };
}

function signed(request: OutgoingRequest): Signed {
  return { kind: 'signed', request };
}

interface PayloadHash {
  readonly kind: 'hash';
  /** A hash in hex, or a word that replaces it. */
  readonly text: string;
  readonly request: OutgoingRequest;
}

const key = 'x-amz-content-sha256';

/**
 * Returns the last line of the canonical request: the client's declaration, or the hash of the content, which is then
 * read to its end. Declarations of unsigned content are valid over TLS only. `STREAMING-UNSIGNED-PAYLOAD-TRAILER` is
 * one of them, because its chunks carry no signatures. Source: Amazon S3 API, "Signature calculations … multiple
 * chunks".
 */
async function payloadHashOf(
  request: OutgoingRequest,
  { signature: { stands, scope }, scheme, held }: Omit<Signing, 'keys'>,
): Promise<PayloadHash | Unsignable> {
  const declared = declaredHashes(request);
  if (declared.length > 1) return unsignable('it states the hash of its content twice', useAnSdk);
  const text = declared[0] ?? (stands === 'query' && isObjectStore(scope.service) ? 'UNSIGNED-PAYLOAD' : undefined);
  if (text === undefined) {
    const payload = await readPayload(request, held);
    return payload.kind === 'unsignable'
      ? payload
      : { kind: 'hash', text: hexDigest(payload.bytes), request: payload.request };
  }
  if (/^[\da-f]{64}$/u.test(text)) return { kind: 'hash', text, request };
  if (text === 'UNSIGNED-PAYLOAD' || text === 'STREAMING-UNSIGNED-PAYLOAD-TRAILER')
    return scheme === 'https'
      ? { kind: 'hash', text, request }
      : unsignable('its content is not signed and not encrypted', 'Use https.');
  if (text.startsWith('STREAMING-'))
    return unsignable(
      'each chunk of its content is signed with the key',
      'Turn chunked signing off in the client: for the SDKs for Java and for MinIO, use https and unsigned payloads; for others, send x-amz-content-sha256: UNSIGNED-PAYLOAD.',
    );
  return unsignable('the hash of its content is malformed', useAnSdk);
}

function declaredHashes({ fields, target }: OutgoingRequest): readonly string[] {
  const inQuery = parametersOf(target).filter(({ name }) => name.toLowerCase() === key);
  return [
    ...fields.filter((field) => field.key === key).map(({ value }) => value),
    ...inQuery.map(({ text }) => uriDecode(text.slice(text.indexOf('=') + 1))),
  ];
}

interface SigningParts {
  readonly secretAccessKey: string;
  readonly scope: SigningScope;
  /** `YYYYMMDDTHHMMSSZ`. */
  readonly time: string;
}

/** Returns the signature of a canonical request, in hex. Source: IAM User Guide, "Create a signed AWS API request". */
export function signatureOf(canonicalRequest: string, { secretAccessKey, scope, time }: SigningParts): string {
  const stringToSign = [
    'AWS4-HMAC-SHA256',
    time,
    scopeText(scope),
    hexDigest(Buffer.from(canonicalRequest, 'latin1')),
  ].join('\n');
  return createHmac('sha256', signingKey(secretAccessKey, scope)).update(stringToSign).digest('hex');
}

/** Returns `YYYYMMDD/REGION/SERVICE/aws4_request`. */
export function scopeText({ date, region, service }: SigningScope): string {
  return `${date}/${region}/${service}/aws4_request`;
}

/** Returns the digest in hex. */
export function hexDigest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export function signingKey(secretAccessKey: string, { date, region, service }: SigningScope): Buffer {
  return [date, region, service, 'aws4_request'].reduce(
    (key: Buffer, part) => createHmac('sha256', key).update(part).digest(),
    Buffer.from(`AWS4${secretAccessKey}`),
  );
}

interface CanonicalParts {
  readonly service: string;
  readonly signedHeaders: readonly string[];
  /** A hash in hex, or a word that replaces it. */
  readonly payloadHash: string;
}

interface CanonicalRequest {
  readonly kind: 'canonical';
  /** One code point for each byte. */
  readonly text: string;
}

/** Services whose paths are encoded once and never normalised, because object keys may hold anything. */
const objectStores: ReadonlySet<string> = new Set(['s3', 's3-object-lambda', 's3-outposts', 's3express']);

function isObjectStore(service: string): boolean {
  return objectStores.has(service);
}

/**
 * Returns the parts of an outgoing request that are hashed and signed. Source: IAM User Guide, "Create a canonical
 * request".
 */
export function canonicalRequest(
  request: OutgoingRequest,
  { service, signedHeaders, payloadHash }: CanonicalParts,
): CanonicalRequest | Unsignable {
  const query = canonicalQuery(request.target);
  if (typeof query !== 'string') return query;
  const lines: string[] = [];
  for (const name of signedHeaders) {
    const value = headerValue(name, request);
    if (typeof value !== 'string') return value;
    lines.push(`${name}:${value.replaceAll(/[\t ]+/gu, ' ').trim()}\n`);
  }
  const text = [
    request.method,
    canonicalPath(targetPath(request.target), service),
    query,
    lines.join(''),
    signedHeaders.join(';'),
    payloadHash,
  ].join('\n');
  return { kind: 'canonical', text };
}

function canonicalPath(path: string, service: string): string {
  if (isObjectStore(service))
    return path
      .split('/')
      .map((segment) => uriEncode(uriDecode(segment)))
      .join('/');
  // The client's escapes are encoded a second time. Dot segments never get here, because the egress room refuses them.
  const normal = path.replaceAll(/\/{2,}/gu, '/');
  return normal.split('/').map(uriEncode).join('/');
}

function canonicalQuery(target: string): string | Unsignable {
  const start = target.indexOf('?');
  if (start === -1 || start === target.length - 1) return '';
  const query = target.slice(start + 1);
  if (query.includes('+'))
    return unsignable('its query holds a +, which some servers read as a blank', 'Write %20 or %2B.');
  if (/%(?![\da-f]{2})/iu.test(query))
    return unsignable('its query holds an incomplete percent escape', 'Write %25 for a percent sign.');
  return query
    .split('&')
    .filter((parameter) => parameter !== '')
    .map((parameter) => parameter.split(/=(.*)/su, 2).map((part) => uriEncode(uriDecode(part))))
    .map(([name = '', value = '']): readonly [string, string] => [name, value])
    .filter(([name]) => name !== queryNames.signature)
    .sort(([a, x], [b, y]) => (a === b ? compare(x, y) : compare(a, b)))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function headerValue(name: string, { authority, body, fields }: OutgoingRequest): string | Unsignable {
  if (name === 'host') return authority;
  const values = fields.filter(({ key }) => key === name).map(({ value }) => value);
  if (values.length > 1) return unsignable(`one of its signed headers appears twice`, useAnSdk);
  if (values[0] !== undefined) return values[0];
  // HTTP/2 does not need it, and the framing of HTTP/1.1 adds it.
  if (name === 'content-length' && body?.length !== undefined) return String(body.length);
  return unsignable(
    'it signs a header that Holdfast does not pass on',
    'Sign fewer headers: leave out connection headers and keys.',
  );
}
