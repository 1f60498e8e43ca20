import type { Injection, InjectionKind } from './injection.ts';
import type { CredentialTable } from './schema.ts';
import { parseBytes } from '../layers/quantities.ts';
import { parseHostPattern } from '../patterns/host-pattern.ts';
import { defaultPorts, type InjectionKey, injectionRows } from './injection-kinds.ts';
import { type Read, read, joinedWrongs, type Wrong, wrong } from './read.ts';

export type InjectTable = NonNullable<CredentialTable['inject']>;
type InjectionOf<Kind extends InjectionKind> = Extract<Injection, { readonly kind: Kind }>;

/** Reads how a table puts the secret into a request. */
export function readInjection(inject: InjectTable, at: string): Read<Injection> {
  const { needs, may } = injectionRows[inject.kind];
  const given = Object.keys(inject).filter((key) => key !== 'kind') as readonly InjectionKey[];
  const problems = joinedWrongs([
    ...needs
      .filter((key) => inject[key] === undefined)
      .map((key) => wrong(at, `the injection "${inject.kind}" has no ${key}`, `add ${key} = …`)),
    ...given
      .filter((key) => !needs.includes(key) && !may.includes(key))
      .map((key) =>
        wrong(`${at}.${key}`, `"${key}" means nothing to the injection "${inject.kind}"`, knownKeys(inject.kind)),
      ),
    ...given.flatMap((key) => valueProblem(inject, key, `${at}.${key}`) ?? []),
  ]);
  return problems ?? read(builders[inject.kind](inject));
}

function knownKeys(kind: InjectionKind): string {
  const { needs, may } = injectionRows[kind];
  return needs.length + may.length === 0
    ? 'leave it out'
    : `leave it out; this kind has ${[...needs, ...may].join(', ')}`;
}

function valueProblem(inject: InjectTable, key: InjectionKey, at: string): Wrong | undefined {
  const check = checks[key];
  const texts = [inject[key]].flat();
  return check === undefined || texts.every((text) => typeof text === 'string' && check.accepts(text))
    ? undefined
    : wrong(at, `${key} is not ${check.what}`, check.remedy);
}

interface Check {
  readonly accepts: (text: string) => boolean;
  readonly what: string;
  readonly remedy: string;
}

const words: Check = {
  accepts: (text) => /^[^\p{Cc}]+$/u.test(text),
  what: 'without control characters',
  remedy: 'leave them out',
};
/** Tokens are secrets too, so only HTTPS is accepted, and no user in the URL. */
const url: Check = {
  accepts: (text) => namesOneHost(/^https:\/\/([a-z0-9.-]+(?::\d{1,5})?)(?:\/[\w.~%/-]*)?$/i.exec(text)?.[1]),
  what: 'an https URL without user, query and fragment',
  remedy: 'write "https://auth.example.com/token"',
};
/** RFC 9110 §5.1 and RFC 6265 §4.1.1: both are tokens. */
const token: Check = {
  accepts: (text) => /^[\w!#$%&'*+.^`|~-]+$/.test(text),
  what: 'a name that HTTP allows',
  remedy: 'write it as it stands before the colon or the equals sign',
};
/** RFC 7617 §2: a colon would end the user name early. */
const user: Check = {
  accepts: (text) => /^[^:\p{Cc}]+$/u.test(text),
  what: 'a user without colons',
  remedy: 'write the name alone',
};
const plainWord: Check = {
  accepts: (text) => /^[\w-]+$/.test(text),
  what: 'one word',
  remedy: 'write letters, digits, hyphens and underscores',
};

const checks: Readonly<Partial<Record<InjectionKey, Check>>> = {
  name: token,
  user,
  parameter: words,
  access_key_id: {
    accepts: (text) => /^[A-Z0-9]{16,128}$/.test(text),
    what: 'an access key ID',
    remedy: 'write it as AWS shows it; the secret access key does not belong in a policy',
  },
  service: plainWord,
  region: plainWord,
  token_url: url,
  client_id: words,
  scope: words,
  audience: words,
  app_id: plainWord,
  installation_id: plainWord,
  api: url,
  scopes: words,
  max_bytes: {
    accepts: (text) => /^[1-9]/.test(text),
    what: 'a byte or more',
    remedy: 'write it as "64MiB", or leave it out to set no limit',
  },
  commands: {
    accepts: (text) => /^[a-z][\w.-]*(?: [a-z][\w-]*)?$/i.test(text),
    what: 'a list of commands',
    remedy: 'write names such as "GET", or with a subcommand "CONFIG GET"',
  },
};

function namesOneHost(text: string | undefined): boolean {
  const pattern = parseHostPattern(text ?? '');
  return pattern.kind === 'host' && (pattern.host.kind === 'exact' || pattern.host.kind === 'localhost');
}

type Builders = { readonly [Kind in InjectionKind]: (inject: InjectTable) => InjectionOf<Kind> };

/** Required keys were checked earlier. The defaults only satisfy the types. */
const builders: Builders = {
  bearer: () => ({ kind: 'bearer' }),
  header: ({ name = '', prefix }) => ({ kind: 'header', name, ...optional('prefix', prefix) }),
  basic: ({ user: name = '' }) => ({ kind: 'basic', user: name }),
  query: ({ parameter = '' }) => ({ kind: 'query', parameter }),
  path: () => ({ kind: 'path' }),
  cookie: ({ name = '' }) => ({ kind: 'cookie', name }),
  git: ({ user: name = '' }) => ({ kind: 'git', user: name }),
  'docker-registry': ({ user: name = '' }) => ({ kind: 'docker-registry', user: name }),
  sigv4: ({ access_key_id: id, service, region }) => ({
    kind: 'sigv4',
    ...optional('accessKeyId', id),
    ...optional('service', service),
    ...optional('region', region),
  }),
  'oauth2-client': ({ token_url: tokenUrl = '', client_id: clientId = '', scope, audience }) => ({
    kind: 'oauth2-client',
    tokenUrl,
    clientId,
    ...optional('scope', scope),
    ...optional('audience', audience),
  }),
  'oauth2-refresh': ({ token_url: tokenUrl = '', client_id: clientId = '', scope }) => ({
    kind: 'oauth2-refresh',
    tokenUrl,
    clientId,
    ...optional('scope', scope),
  }),
  'oauth2-login': ({ token_url: tokenUrl = '' }) => ({ kind: 'oauth2-login', tokenUrl }),
  'github-app': ({ app_id: appId = '', installation_id: installationId = '', api = 'https://api.github.com' }) => ({
    kind: 'github-app',
    appId,
    installationId,
    api,
  }),
  'service-account': ({ scopes = [] }) => ({ kind: 'service-account', scopes }),
  postgres: (inject) => ({
    kind: 'postgres',
    ...databaseOf(inject),
    ...optional('maxRows', inject.max_rows),
    ...optional('maxBytes', parseBytes(inject.max_bytes ?? '')),
  }),
  redis: (inject) => ({
    kind: 'redis',
    ...databaseOf(inject),
    ...optional(
      'commands',
      inject.commands?.map((command) => command.toUpperCase()),
    ),
  }),
};

/** Read-only by default, so that nobody writes by accident. */
function databaseOf({ user: name, mode = 'read-only', tls = 'verify-full' }: InjectTable) {
  return { ...optional('user', name), mode, tls };
}

/** Omits the property instead of setting it to undefined. */
function optional<Key extends string, Value>(key: Key, value: Value | undefined): { readonly [Name in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [Name in Key]: Value });
}

/** Returns the port of a host that names none. */
export function defaultPort({ kind }: Injection, transport: 'tls' | 'plain'): number {
  const { protocol } = injectionRows[kind];
  return protocol === 'http' && transport === 'plain' ? 80 : defaultPorts[protocol];
}
