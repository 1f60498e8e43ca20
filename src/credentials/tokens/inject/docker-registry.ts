import { type IncomingResponse, type OutgoingRequest, fieldValue, withField } from '../../../egress/http/message.ts';
import type { Refused } from '../../../egress/types.ts';
import { groupOf } from '../../../policy/credentials/types.ts';
import { basicValue, keyHeaders } from '../../inject/basic.ts';
import { refusedWith, secretUnavailable } from '../../inject/misuse.ts';
import { targetPath } from '../../inject/target.ts';
import type { InjectionParts, Injector } from '../../inject/types.ts';
import type { Secret } from '../../types.ts';
import type { GrantKind } from '../grants/index.ts';
import { captureAnswer, type CaptureOptions } from './capture-answer.ts';
import { fillGrant, type GrantSlots, heldPhantom } from './fill-grant.ts';

type Parts = InjectionParts<'docker-registry'>;

const slots: GrantSlots = new Map([
  ['password', 'password'],
  ['refresh_token', 'refresh_token'],
]);
const capture: Omit<CaptureOptions, 'other'> = {
  names: new Set(['token', 'access_token', 'refresh_token']),
  limit: 1024 * 1024,
};

/**
 * Serves a container registry and the realm that it names, if both are bound. The realm gets `Basic` authentication,
 * and its tokens stay out of the box. In requests to the registry, the phantom of a token is replaced with the real
 * bearer token. Sources: distribution, "Token Authentication Specification" and "Docker Registry v2 authentication
 * using OAuth2".
 */
export const dockerRegistry: Injector<'docker-registry'> = {
  places: () => [{ kind: 'header', key: 'authorization' }, { kind: 'body' }],
  strips: () => keyHeaders,
  async inject(request, secret, parts) {
    const places = new Set(parts.found.map(({ place }) => place.kind));
    const filled = places.has('body')
      ? await fillGrant(
          request,
          { slots, realOf: (parameter, role) => realOf(parameter, role, { secret, parts }) },
          parts,
        )
      : request;
    return 'kind' in filled || (places.has('body') && !places.has('header'))
      ? filled
      : authorised(filled, secret, parts);
  },
  // Any path of a host can be a realm, and a box can ask a realm without a challenge from the registry.
  async answer(response, asked, parts) {
    if (response.status > 299) return response;
    const isAnonymous = asked.method !== 'POST' && !heldPhantom(asked, parts);
    const isContentPath = isAtContent(targetPath(asked.target));
    if ((isAnonymous && isContent(response)) || (isContentPath && !mayHoldToken(response))) return response;
    return captureAnswer(response, { ...capture, other: isAnonymous || isContentPath ? 'passed' : 'refused' }, parts);
  },
};

function authorised(
  request: OutgoingRequest,
  { value }: Secret,
  { credential, context, found }: Parts,
): OutgoingRequest | Refused {
  const [role = 'secret', ...more] = found.flatMap((each) => (each.place.kind === 'header' ? [each.role] : []));
  const token = context.tokens.captured(groupOf(credential), role);
  const authorization =
    role === 'secret'
      ? basicValue(credential.injection.user, value)
      : token === undefined || token.name === 'refresh_token'
        ? undefined
        : `Bearer ${token.text}`;
  if (authorization === undefined || more.length > 0)
    return secretUnavailable(
      credential.name,
      'has no token for the phantom in the request',
      "Request another token from the registry's realm.",
    );
  return { ...request, fields: withField(request.fields, 'Authorization', authorization) };
}

interface Behind {
  readonly secret: Secret;
  readonly parts: Parts;
}

function realOf(
  parameter: string,
  role: string,
  { secret, parts: { credential, context } }: Behind,
): string | undefined {
  if (parameter === 'password') return role === 'secret' ? secret.value : undefined;
  const token = context.tokens.captured(groupOf(credential), role);
  return token?.name === 'refresh_token' ? token.text : undefined;
}

/**
 * Returns true for paths of layers, configurations and manifests, which may be large. Source: OCI Distribution
 * Specification, "Endpoints".
 */
function isAtContent(path: string): boolean {
  const start = path.indexOf('/v2/');
  return start !== -1 && /.\/(?:blobs|manifests|referrers)\//u.test(path.slice(start + 4));
}

/** Source: OCI Image Format Specification, "Media Types", and Docker's media types. */
function isContent({ fields }: IncomingResponse): boolean {
  return /^application\/(?:vnd\.|octet-stream|gzip|x-gzip|x-tar)/iu.test(fieldValue(fields, 'content-type') ?? '');
}

/**
 * Attack: a realm in PHP or Java that is asked at `/token.php/v2/x/blobs/y` answers with a token, in a realm's media
 * type.
 */
function mayHoldToken({ fields }: IncomingResponse): boolean {
  return /^(?:$|text\/|application\/(?:json|x-www-form-urlencoded|javascript)\b)/iu.test(
    fieldValue(fields, 'content-type')?.trim() ?? '',
  );
}

/**
 * `Authorization: Bearer TOKEN` (RFC 6750 §2.1) with a token that the supervisor fetched. For clients that use `Basic`,
 * as git does, the token is the password of the user that GitHub documents for its Apps.
 */
export function accessToken<Kind extends GrantKind>(): Injector<Kind> {
  return {
    reads: 'nothing',
    places: () => [{ kind: 'header', key: 'authorization' }],
    strips: () => keyHeaders,
    async inject(request, _secret, { credential, context, asked }) {
      const read = await context.tokens.access(credential);
      if (read.kind === 'unavailable')
        return refusedWith({ code: 'credential-unavailable', message: read.message, remedy: read.remedy });
      const { value } = read.secret;
      return {
        ...request,
        fields: withField(
          request.fields,
          'Authorization',
          isBasic(asked) ? basicValue('x-access-token', value) : `Bearer ${value}`,
        ),
      };
    },
    async answer(response, asked, parts) {
      // Attack: a box can cause refusals at will by sending no token, and would make the supervisor fetch tokens for
      // ever.
      if (response.status === 401 && heldPhantom(asked, parts)) parts.context.tokens.forget(groupOf(parts.credential));
      return response;
    },
  };
}

function isBasic({ fields }: OutgoingRequest): boolean {
  return /^basic\s/iu.test(fieldValue(fields, 'authorization') ?? '');
}
