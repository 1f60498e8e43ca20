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
 * A login that a box does. The tokens in the answers of the token URL stay outside. What stands for an access or ID
 * token is good as a bearer token where the credential is bound; what stands for a refresh token, in the content of a
 * request for another at the token URL.
 */
export const oauth2Login: Injector<'oauth2-login'> = {
  reads: 'nothing',
  isFor: (request, parts) => isLogin(parts) === isAtTokenUrl(request, parts),
  places: (parts) => (isLogin(parts) ? [{ kind: 'body' }] : [{ kind: 'header', key: 'authorization' }]),
  // Clients log in with a name and a password of their own, which are no key to anything that is bound.
  strips: (parts) => (isLogin(parts) ? [] : keyHeaders),
  async inject(request, _secret, parts) {
    if (isLogin(parts)) return fillGrant(request, { slots, realOf: (_, role) => refreshToken(role, parts) }, parts);
    const token = bearerToken(parts);
    if (token === undefined)
      return secretUnavailable(
        parts.credential.name,
        'has no access token behind what stands in the request',
        'Log in again in the box.',
      );
    return { ...request, fields: withField(request.fields, 'Authorization', `Bearer ${token.text}`) };
  },
  answersTo: (request, parts) => isLogin(parts) && isAtTokenUrl(request, parts),
  answer: async (response, _asked, parts) => captureAnswer(response, capture, parts),
};

/**
 * The credential of the token URL is the second of its group: the first is the one of the hosts that the tokens are
 * good for.
 */
function isLogin({ credential }: InjectorParts<'oauth2-login'>): boolean {
  return credential.name !== groupOf(credential);
}

function refreshToken(role: string, { credential, context }: InjectorParts<'oauth2-login'>): string | undefined {
  const token = context.tokens.captured(groupOf(credential), role);
  return token?.name === 'refresh_token' ? token.text : undefined;
}

/** A refresh token is good for more, and for longer, than an API has to know. */
function bearerToken({ found, credential, context }: InjectionParts<'oauth2-login'>): CapturedToken | undefined {
  const [token, ...more] = found.map(({ role }) => context.tokens.captured(groupOf(credential), role));
  return more.length > 0 || token?.name === 'refresh_token' ? undefined : token;
}

/**
 * Whether a request is one to the token URL of a login, in any spelling that a server could take for it. Attack: with
 * `/OAuth/token/` a server gives tokens, and nobody who looks for `/oauth/token` keeps them outside.
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

/** Without case, escapes, parameters of segments and empty segments. */
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
