import type { InjectionKind } from './injection.ts';

/** Keys of `inject` other than `kind`. */
export type InjectionKey =
  | 'name'
  | 'prefix'
  | 'user'
  | 'parameter'
  | 'access_key_id'
  | 'service'
  | 'region'
  | 'token_url'
  | 'client_id'
  | 'scope'
  | 'audience'
  | 'app_id'
  | 'installation_id'
  | 'api'
  | 'scopes'
  | 'mode'
  | 'tls'
  | 'max_rows'
  | 'max_bytes'
  | 'commands';

export interface InjectionRow {
  readonly needs: readonly InjectionKey[];
  readonly may: readonly InjectionKey[];
  readonly protocol: 'http' | 'postgres' | 'redis';
  /** `phantom`: only a value that the client sends can be replaced, so a request without it cannot be served. */
  readonly use: 'either' | 'phantom';
}

/** The keys of each kind of injection. */
export const injectionRows: Readonly<Record<InjectionKind, InjectionRow>> = {
  bearer: { needs: [], may: [], protocol: 'http', use: 'either' },
  header: { needs: ['name'], may: ['prefix'], protocol: 'http', use: 'either' },
  basic: { needs: ['user'], may: [], protocol: 'http', use: 'either' },
  query: { needs: ['parameter'], may: [], protocol: 'http', use: 'either' },
  path: { needs: [], may: [], protocol: 'http', use: 'phantom' },
  cookie: { needs: ['name'], may: [], protocol: 'http', use: 'either' },
  git: { needs: ['user'], may: [], protocol: 'http', use: 'either' },
  'docker-registry': { needs: ['user'], may: [], protocol: 'http', use: 'either' },
  sigv4: { needs: [], may: ['access_key_id', 'service', 'region'], protocol: 'http', use: 'phantom' },
  'oauth2-client': { needs: ['token_url', 'client_id'], may: ['scope', 'audience'], protocol: 'http', use: 'either' },
  'oauth2-refresh': { needs: ['token_url', 'client_id'], may: ['scope'], protocol: 'http', use: 'either' },
  'oauth2-login': { needs: ['token_url'], may: [], protocol: 'http', use: 'phantom' },
  'github-app': { needs: ['app_id', 'installation_id'], may: ['api'], protocol: 'http', use: 'either' },
  'service-account': { needs: ['scopes'], may: [], protocol: 'http', use: 'either' },
  postgres: { needs: [], may: ['user', 'mode', 'tls', 'max_rows', 'max_bytes'], protocol: 'postgres', use: 'phantom' },
  redis: { needs: [], may: ['user', 'mode', 'tls', 'commands'], protocol: 'redis', use: 'phantom' },
};

export const injectionKinds = Object.keys(injectionRows) as readonly InjectionKind[] as readonly [
  InjectionKind,
  ...InjectionKind[],
];

export const defaultPorts: Readonly<Record<InjectionRow['protocol'], number>> = {
  http: 443,
  postgres: 5432,
  redis: 6379,
};
