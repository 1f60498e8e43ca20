import type { OutgoingRequest, Refused } from '../../egress/index.ts';
import { groupOf } from '../../policy/index.ts';
import { keyHeaders } from '../inject/key-headers.ts';
import { unavailable } from '../inject/refusals.ts';
import type { InjectionParts, Injector } from '../inject/types.ts';
import type { Secret } from '../types.ts';
import { timeProblem } from './check-time.ts';
import { handsOutCredentials, isNamedInContent } from './handed-out.ts';
import { readPayload } from './read-payload.ts';
import { queryNames, readSignature } from './read-signature.ts';
import { type Keys, sign, type Signed, tokenHeader } from './sign.ts';
import type { ClientSignature, Unsignable } from './types.ts';
import { unsignable } from './unsignable.ts';

type Parts = InjectionParts<'sigv4'>;

/** Of directory buckets: a token that only CreateSession gives, whose answers stay out of boxes. */
const expressHeader = 'x-amz-s3session-token';

/**
 * Requests to AWS, signed in the box with a phantom access key: the same scope, time, payload hash and signed headers,
 * with the real key and its session token. The signature of the box is not verified, since nobody keeps its phantom
 * key: what counts is the phantom key ID.
 */
export const sigv4: Injector<'sigv4'> = {
  places: () => [
    { kind: 'header', key: 'authorization' },
    { kind: 'header', key: tokenHeader.toLowerCase() },
    { kind: 'query', parameter: queryNames.credential },
    { kind: 'query', parameter: tokenHeader },
  ],
  strips: () => [...keyHeaders, tokenHeader.toLowerCase(), expressHeader],
  inject: async (request, secret, parts) => {
    const signed = await signAgain(request, secret, parts);
    return signed.kind === 'unsignable' ? refusal(signed, parts) : signed.request;
  },
};

async function signAgain(request: OutgoingRequest, secret: Secret, parts: Parts): Promise<Signed | Unsignable> {
  const signature = readSignature(parts.asked);
  if (signature.kind === 'unsignable') return signature;
  const keys = keysOf(secret, parts);
  if (keys.kind === 'unsignable') return keys;
  const problem = phantomProblem(signature, parts) ?? scopeProblem(signature, parts) ?? timeProblem(signature, parts.context.now());
  if (problem !== undefined) return problem;
  const judged = await withoutHandOut(request, signature);
  if (judged.kind === 'unsignable') return judged;
  // A session token that was made with a long-term key would be reflected like the key itself.
  if (keys.sessionToken !== undefined) parts.context.secrets.remember(groupOf(parts.credential), keys.sessionToken);
  return sign(judged.request, { signature, keys, scheme: parts.connection.scheme });
}

function keysOf({ value, fields }: Secret, { credential }: Parts): Keys | Unsignable {
  const accessKeyId = credential.injection.accessKeyId ?? fields['accessKeyId'];
  if (accessKeyId === undefined) return unsignable('its source gives no access key ID', 'Give `access_key_id` in `inject`, or a source that says it.');
  if (!/^\w{16,128}$/u.test(accessKeyId)) return unsignable('its access key ID has not the form that AWS gives', 'Correct it in the source or in `inject`.');
  const sessionToken = fields['sessionToken'];
  return { kind: 'keys', accessKeyId, secretAccessKey: value, ...(sessionToken === undefined ? {} : { sessionToken }) };
}

/** Attack: a key of the attacker's own in the scope, with a phantom in the session token: it would be told apart by nobody else. */
function phantomProblem({ accessKeyId }: ClientSignature, { credential, context }: Parts): Unsignable | undefined {
  const owner = context.registry.lookUp(accessKeyId);
  const isOurs = owner?.state === 'good' && owner.credential === groupOf(credential) && owner.role === 'accessKeyId';
  return isOurs ? undefined : unsignable('it is signed with another access key than the one of the box', 'Use the access key that the box was given.');
}

function scopeProblem({ scope }: ClientSignature, { credential }: Parts): Unsignable | undefined {
  const { service, region } = credential.injection;
  if (service !== undefined && scope.service !== service) return unsignable(`its scope is not of the service ${service}`, 'Use the credential for that service only, or change `service` in `inject`.');
  return region !== undefined && scope.region !== region ? unsignable(`its scope is not of the region ${region}`, 'Use the credential in that region only, or change `region` in `inject`.') : undefined;
}

interface Judged {
  readonly kind: 'judged';
  readonly request: OutgoingRequest;
}

async function withoutHandOut(request: OutgoingRequest, { scope: { service } }: ClientSignature): Promise<Judged | Unsignable> {
  const read = isNamedInContent(service) ? await readPayload(request) : { kind: 'payload' as const, bytes: Buffer.alloc(0), request };
  if (read.kind === 'unsignable') return read;
  if (!handsOutCredentials(request, service, read.bytes)) return { kind: 'judged', request: read.request };
  return unsignable('its answer would hold credentials that are good outside of the session', 'Fetch them outside of the box, and give it a credential of their own.');
}

function refusal({ why, remedy }: Unsignable, { credential }: Parts): Refused {
  return unavailable(credential.name, `cannot sign this request again: ${why}`, remedy);
}
