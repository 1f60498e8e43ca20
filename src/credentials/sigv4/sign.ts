import { type OutgoingRequest, type Scheme, withField } from '../../egress/index.ts';
import { readableCodings } from '../inject/codings.ts';
import { escaped, parametersOf, withParameters } from '../inject/target.ts';
import { canonicalRequest } from './canonical-request.ts';
import { payloadHashOf } from './payload-hash.ts';
import { queryNames } from './read-signature.ts';
import { scopeText, signatureOf } from './signature-of.ts';
import type { ClientSignature, Unsignable } from './types.ts';

export const tokenHeader = 'X-Amz-Security-Token';

/** The real ones. */
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
}

/** Signs a request with the real keys, in the place where the client has signed it. */
export async function sign(judged: OutgoingRequest, { signature, keys, scheme }: Signing): Promise<Signed | Unsignable> {
  const { scope, stands, time } = signature;
  const hash = await payloadHashOf(judged, signature, scheme);
  if (hash.kind === 'unsignable') return hash;
  // Whatever else is changed on the way out is changed before it is signed.
  const request: OutgoingRequest = { ...hash.request, fields: readableCodings(hash.request.fields) };
  const { prepared, signedHeaders } = stands === 'header' ? inHeaders(request, signature, keys) : inQuery(request, signature, keys);
  const canonical = canonicalRequest(prepared, { service: scope.service, signedHeaders, payloadHash: hash.text });
  if (canonical.kind === 'unsignable') return canonical;
  const text = signatureOf(canonical.text, { secretAccessKey: keys.secretAccessKey, scope, time });
  if (stands === 'query') return signed({ ...prepared, target: withParameters(prepared.target, [...parametersOf(prepared.target).map((parameter) => parameter.text), `${queryNames.signature}=${text}`]) });
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
  return { prepared: { ...request, fields: withField(request.fields, tokenHeader, sessionToken) }, signedHeaders: [...rest, key].sort() };
}

/** Without the parameter of the signature, which is none of what is signed. */
function inQuery(request: OutgoingRequest, signature: ClientSignature, { accessKeyId, sessionToken }: Keys): Prepared {
  const replaced: Readonly<Record<string, string | undefined>> = { [queryNames.credential]: `${accessKeyId}/${scopeText(signature.scope)}`, [tokenHeader]: sessionToken, [queryNames.signature]: undefined };
  const kept = parametersOf(request.target).filter(({ name }) => !Object.hasOwn(replaced, name)).map(({ text }) => text);
  const added = Object.entries(replaced).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${escaped(value)}`]));
  return { prepared: { ...request, target: withParameters(request.target, [...kept, ...added]) }, signedHeaders: signature.signedHeaders };
}

function signed(request: OutgoingRequest): Signed {
  return { kind: 'signed', request };
}
