import { type OutgoingRequest, withField } from '../../../egress/http/message.ts';
import { groupOf } from '../../../policy/credentials/group-of.ts';
import { keyHeaders } from '../../inject/basic.ts';
import { secretUnavailable } from '../../inject/misuse.ts';
import { targetPath } from '../../inject/target.ts';
import type { InjectionParts, Injector, InjectorParts } from '../../inject/types.ts';
import type { CapturedToken } from '../../types.ts';
import { captureAnswer, type CaptureOptions } from './capture-answer.ts';
import { fillGrant, type GrantSlots } from './fill-grant.ts';

/** RFC 6749 §6. */
const slots: GrantSlots = new Map([['refresh_token', 'refresh_token']]);
const capture: CaptureOptions = {
  names: new Set(['access_token', 'refresh_token', 'id_token']),
  limit: 256 * 1024,
  other: 'refused',
};

/**
 * A login that a box does. The tokens in the answers of the token URL stay out of the box. The phantom of an access or
 * ID token is valid as a bearer token where the credential is bound. The phantom of a refresh token is valid in the
 * content of a request to the token URL.
 */
export const oauth2Login: Injector<'oauth2-login'> = {
  reads: 'nothing',
  isFor: (request, parts) => isLogin(parts) === isAtTokenUrl(request, parts),
  places: (parts) => (isLogin(parts) ? [{ kind: 'body' }] : [{ kind: 'header', key: 'authorization' }]),
  // Clients log in with a name and password of their own, which open nothing that is bound.
  strips: (parts) => (isLogin(parts) ? [] : keyHeaders),
  async inject(request, _secret, parts) {
    if (isLogin(parts)) return fillGrant(request, { slots, realOf: (_, role) => refreshToken(role, parts) }, parts);
    const token = bearerToken(parts);
    if (token === undefined)
      return secretUnavailable(
        parts.credential.name,
        'has no access token for the phantom in the request',
        'Log in again in the box.',
      );
    return { ...request, fields: withField(request.fields, 'Authorization', `Bearer ${token.text}`) };
  },
  answersTo: (request, parts) => isLogin(parts) && isAtTokenUrl(request, parts),
  answer: async (response, _asked, parts) => captureAnswer(response, capture, parts),
};

/** The credential of the token URL is the second of its group. The first is for the hosts that accept the tokens. */
function isLogin({ credential }: InjectorParts<'oauth2-login'>): boolean {
  return credential.name !== groupOf(credential);
}

function refreshToken(role: string, { credential, context }: InjectorParts<'oauth2-login'>): string | undefined {
  const token = context.tokens.captured(groupOf(credential), role);
  return token?.name === 'refresh_token' ? token.text : undefined;
}

/** A refresh token allows more, and for longer, so an API must not see it. */
function bearerToken({ found, credential, context }: InjectionParts<'oauth2-login'>): CapturedToken | undefined {
  const [token, ...more] = found.map(({ role }) => context.tokens.captured(groupOf(credential), role));
  return more.length > 0 || token?.name === 'refresh_token' ? undefined : token;
}

/**
 * Returns true for a request to the token URL of a login, in any spelling that a server could accept. Attack: a server
 * also issues tokens at `/OAuth/token/`, and a check for `/oauth/token` alone would let them into the box.
 */
function isAtTokenUrl(
  { target }: OutgoingRequest,
  { credential, connection: { destination } }: InjectorParts<'oauth2-login'>,
): boolean {
  const { hostname, port, pathname } = new URL(credential.injection.tokenUrl);
  return (
    destination.host === hostname &&
    destination.port === Number(port === '' ? 443 : port) &&
    loose(targetPath(target)) === loose(pathname)
  );
}

/** Ignores case, escapes, parameters of segments and empty segments. */
function loose(path: string): string {
  const segments = decoded(path)
    .toLowerCase()
    .split('/')
    .map((segment) => segment.split(';', 1)[0] ?? '');
  return segments.filter((segment) => segment !== '' && segment !== '.').join('/');
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
