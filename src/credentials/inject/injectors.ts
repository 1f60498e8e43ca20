import { sigv4 } from '../sigv4/index.ts';
import { accessToken, dockerRegistry, oauth2Login } from '../tokens/index.ts';
import { basic } from './basic.ts';
import { bearer } from './bearer.ts';
import { cookie } from './cookie.ts';
import { git } from './git.ts';
import { header } from './header.ts';
import { path } from './path.ts';
import { query } from './query.ts';
import type { Injectors } from './types.ts';

/** How each kind of credential gets into a request. */
export const injectors: Injectors = {
  basic,
  bearer,
  cookie,
  'docker-registry': dockerRegistry,
  git,
  'github-app': accessToken(),
  header,
  'oauth2-client': accessToken(),
  'oauth2-login': oauth2Login,
  'oauth2-refresh': accessToken(),
  path,
  query,
  'service-account': accessToken(),
  sigv4,
};
