import type { OutgoingRequest } from '../../../egress/index.ts';
import { pathOf } from '../../inject/target.ts';
import type { InjectorParts } from '../../inject/types.ts';

/**
 * Whether a request is one to the token URL of a login, in any spelling that a server could take for it. Attack: with
 * `/OAuth/token/` a server gives tokens, and nobody who looks for `/oauth/token` keeps them outside.
 */
export function isAtTokenUrl({ target }: OutgoingRequest, { credential, connection: { destination } }: InjectorParts<'oauth2-login'>): boolean {
  const { hostname, port, pathname } = new URL(credential.injection.tokenUrl);
  return destination.host === hostname && destination.port === Number(port === '' ? 443 : port) && loose(pathOf(target)) === loose(pathname);
}

/** Without case, escapes, parameters of segments and empty segments. */
function loose(path: string): string {
  const segments = decoded(path).toLowerCase().split('/').map((segment) => segment.split(';', 1)[0] ?? '');
  return segments.filter((segment) => segment !== '' && segment !== '.').join('/');
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
