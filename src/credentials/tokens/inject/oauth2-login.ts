import { type OutgoingRequest, withField } from '../../../egress/http/message.ts';
import { meanings } from '../../../egress/http/overrides.ts';
import type { Destination } from '../../../egress/types.ts';
import { groupOf } from '../../../policy/credentials/types.ts';
import { keyHeaders } from '../../inject/basic.ts';
import { secretUnavailable } from '../../inject/misuse.ts';
import { targetPath } from '../../inject/target.ts';
import type { InjectionOf, InjectionParts, Injector, InjectorParts } from '../../inject/types.ts';
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
 * Handles a login that a program in the box performs. The tokens in answers of the token URL stay out of the box. The
 * phantom of an access or ID token is valid as a bearer token for the hosts of the credential. The phantom of a refresh
 * token is valid in the content of a request to the token URL.
 */
export const oauth2Login: Injector<'oauth2-login'> = {
  reads: 'nothing',
  isFor: (request, parts) => isLogin(parts) === isAtTokenUrl(request, parts),
  places: (parts) => (isLogin(parts) ? [{ kind: 'body' }] : [{ kind: 'header', key: 'authorization' }]),
  // In the login request, clients send their own client name and password, which open nothing that the credential is
  // bound to.
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
  answersTo: (request, parts) => isLogin(parts) && mayIssueTokens(request, parts),
  answer: async (response, asked, parts) =>
    captureAnswer(response, isAtTokenUrl(asked, parts) ? capture : { ...capture, other: 'passed' }, parts),
};

/**
 * The credential of the token URL is the second in its group. The first one is for the hosts that accept the tokens.
 */
function isLogin({ credential }: InjectorParts<'oauth2-login'>): boolean {
  return credential.name !== groupOf(credential);
}

function refreshToken(role: string, { credential, context }: InjectorParts<'oauth2-login'>): string | undefined {
  const token = context.tokens.captured(groupOf(credential), role);
  return token?.name === 'refresh_token' ? token.text : undefined;
}

/** A refresh token grants more, and for longer, so an API must not see it. */
function bearerToken({ found, credential, context }: InjectionParts<'oauth2-login'>): CapturedToken | undefined {
  const [token, ...more] = found.map(({ role }) => context.tokens.captured(groupOf(credential), role));
  return more.length > 0 || token?.name === 'refresh_token' ? undefined : token;
}

interface AtHost extends Pick<InjectorParts<'oauth2-login'>, 'credential'> {
  readonly connection: { readonly destination: Destination };
}

/**
 * Returns true for a request to the token URL of a login, in any spelling that a server could accept. Attack: a server
 * also issues tokens at `/OAuth/token/`. A check for `/oauth/token` alone would let these tokens into the box.
 */
function isAtTokenUrl({ target }: OutgoingRequest, { credential, connection: { destination } }: AtHost): boolean {
  const { pathname } = new URL(credential.injection.tokenUrl);
  return isTokenHost(credential.injection, destination) && loose(targetPath(target)) === loose(pathname);
}

function isTokenHost({ tokenUrl }: InjectionOf<'oauth2-login'>, { host, port: at }: Destination): boolean {
  const { hostname, port } = new URL(tokenUrl);
  return host === hostname && at === Number(port === '' ? 443 : port);
}

/**
 * Returns true for a request that a server may take for one to the token URL. Attack: Rails also serves
 * `/oauth/token.json`, and PHP `/index.php/oauth/token` and `/oauth/token/x`. Answers to such requests pass unless they
 * contain tokens.
 */
function mayIssueTokens(
  request: OutgoingRequest,
  { credential, connection: { destination } }: InjectorParts<'oauth2-login'>,
): boolean {
  if (!isTokenHost(credential.injection, destination)) return false;
  const wanted = segmentsOf(new URL(credential.injection.tokenUrl).pathname);
  const last = wanted.at(-1);
  if (last === undefined) return isAtTokenUrl(request, { credential, connection: { destination } });
  return meanings(request).some(({ target }) => {
    const given = segmentsOf(targetPath(target));
    return given.some((segment, index) => {
      const isLast = segment.startsWith(last) && !/^[\w-]/u.test(segment.slice(last.length));
      const before = given.slice(Math.max(0, index - wanted.length + 1), index);
      return isLast && before.join('/') === wanted.slice(0, -1).join('/');
    });
  });
}

/** Decodes escapes, and escapes of escapes too. */
function segmentsOf(path: string): readonly string[] {
  return loose(decoded(path))
    .split('/')
    .filter((segment) => segment !== '');
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
