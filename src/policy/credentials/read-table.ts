import { type Provider, providers } from '../builtin/providers/index.ts';
import type { DocumentFinding } from '../document/problem.ts';
import type { PhantomShape } from './injection.ts';
import type { CredentialTable } from './schema.ts';
import type { Origin } from '../origin.ts';
import type { Roots } from '../patterns/resolve-path.ts';
import { looksSecret } from '../settings/secret-shapes.ts';
import { defaultPort } from './read-injection.ts';
import { injectionRows } from './injection-kinds.ts';
import { type Read, read, readParts, joinedWrongs, type Wrong, wrong } from './read.ts';
import { onPort, readMethods, readPaths } from './read-binding.ts';
import { readDelivery } from './read-delivery.ts';
import { readSourceTable } from './read-source.ts';
import { readWays, type CredentialWay } from './read-ways.ts';
import type { Credential, Delivery, SecretSource } from './types.ts';

export interface TablePlace {
  /** `credentials[2]`. */
  readonly at: string;
  readonly roots: Roots;
  readonly origin: Origin;
}

/**
 * Returns the credentials of one `[[credentials]]` table, or all its problems. The credential with the table's name
 * comes last.
 */
export function readTable(table: CredentialTable, place: TablePlace): Read<readonly Credential[]> {
  const { at, roots } = place;
  const pasted = pastedSecrets(table, at);
  if (pasted.length > 0) return { kind: 'wrong', findings: pasted };
  const provider = providerOf(table);
  const parts = readParts<Parts>({
    source: sourceOf(table, at, roots),
    ways: readWays(table, at, provider),
    methods: readMethods(table, at),
    paths: readPaths(table, at),
    delivery: readDelivery(table, { at, roots, provider }),
    shape: readShape(table, at),
  });
  if (parts.kind === 'wrong') return parts;
  return joinedWrongs(contradictions(table, parts.value, at)) ?? read(expand(table, parts.value, place));
}

function providerOf({ provider }: CredentialTable): Provider | undefined {
  return provider === undefined ? undefined : providers[provider];
}

interface Parts {
  readonly source: SecretSource;
  readonly ways: readonly CredentialWay[];
  readonly methods: readonly string[] | undefined;
  readonly paths: readonly string[] | undefined;
  readonly delivery: Delivery;
  readonly shape: PhantomShape | undefined;
}

function sourceOf({ name, source, inject }: CredentialTable, at: string, roots: Roots): Read<SecretSource> {
  const isLogin = inject?.kind === 'oauth2-login';
  if (source !== undefined && isLogin)
    return wrong(`${at}.source`, `"${name}" is captured from a login, so that nothing is read`, 'leave source out');
  if (source !== undefined) return readSourceTable(source, `${at}.source`, roots);
  return isLogin
    ? read({ kind: 'capture' })
    : wrong(at, `"${name}" does not say where its secret is`, 'add source = { env = "NAME" }, or another place');
}

/** Settings that are valid alone but contradict each other. */
function contradictions(table: CredentialTable, { ways, delivery }: Parts, at: string): readonly Wrong[] {
  const { name } = table;
  const [first] = ways;
  if (first === undefined) return [];
  const { kind } = first.injection;
  const { protocol, use } = injectionRows[kind];
  const foreign =
    protocol === 'http'
      ? []
      : (['methods', 'paths', 'transport', 'base_urls'] as const).filter((key) => table[key] !== undefined);
  return [
    ...foreign.map((key) =>
      wrong(
        `${at}.${key}`,
        `"${key}" is about HTTP, and "${name}" speaks ${protocol === 'postgres' ? 'Postgres' : 'Redis'}`,
        'leave it out',
      ),
    ),
    ...(use === 'phantom' && table.use === 'always'
      ? [
          wrong(
            `${at}.use`,
            `the injection "${kind}" replaces a value of the client, so "${name}" cannot be used always`,
            'leave use out',
          ),
        ]
      : []),
    ...(isInvisible(first, table, delivery)
      ? [
          wrong(
            at,
            `"${name}" does not reach the box: no variable and no file holds its phantom`,
            'add environment = ["NAME"], files = […], or use = "always"',
          ),
        ]
      : []),
    ...(kind !== 'sigv4' && delivery.environment.some(({ template }) => template.includes('{phantom:'))
      ? [wrong(`${at}.environment`, `"${name}" has one secret, and nothing that comes with it`, 'write {phantom}')]
      : []),
    ...(delivery.baseUrls.length > 0 &&
    !first.hosts.some(({ host }) => host.kind === 'exact' || host.kind === 'localhost')
      ? [
          wrong(
            `${at}.base_urls`,
            `a base URL leads to one host, and "${name}" names no single host`,
            'write it into hosts',
          ),
        ]
      : []),
    ...(delivery.baseUrls.length > 0 && table.transport === 'plain'
      ? [
          wrong(
            `${at}.base_urls`,
            `a base URL leads to https, but "${name}" is sent without encryption`,
            'leave transport or base_urls out',
          ),
        ]
      : []),
  ];
}

function isInvisible(
  { injection, use }: CredentialWay,
  table: CredentialTable,
  { environment, files }: Delivery,
): boolean {
  return (
    environment.length === 0 &&
    files.length === 0 &&
    (table.use ?? use) === 'phantom' &&
    injection.kind !== 'oauth2-login'
  );
}

function expand(table: CredentialTable, parts: Parts, { origin }: TablePlace): readonly Credential[] {
  const usualShape = documentedShape(providerOf(table));
  const all = parts.ways.map(
    (way, index): Credential => ({
      name: index === 0 || way.part === undefined ? table.name : `${table.name}.${way.part}`,
      group: table.name,
      ...(table.provider === undefined ? {} : { provider: table.provider }),
      source: parts.source,
      binding: bindingOf(way, table, parts),
      injection: way.injection,
      delivery: index === 0 ? parts.delivery : { environment: [], files: [], baseUrls: [] },
      use: table.use ?? way.use,
      ...(table.decision === undefined ? {} : { decision: table.decision }),
      ...(parts.shape === undefined ? {} : { shape: parts.shape }),
      ...(usualShape === undefined ? {} : { usualShape }),
      origin,
    }),
  );
  return [...all.slice(1), ...all.slice(0, 1)];
}

/** The table's values replace the provider's. A captured login is bound by its URL alone. */
function bindingOf(way: CredentialWay, { transport = 'tls' }: CredentialTable, parts: Parts): Credential['binding'] {
  const isLogin = way.injection.kind === 'oauth2-login' && way.part !== undefined;
  const methods = isLogin ? way.methods : (parts.methods ?? way.methods);
  const paths = isLogin ? way.paths : (parts.paths ?? way.paths);
  const port = defaultPort(way.injection, isLogin ? 'tls' : transport);
  return {
    hosts: way.hosts.map((host) => onPort(host, port)),
    ...(methods === undefined ? {} : { methods }),
    ...(paths === undefined ? {} : { paths }),
    transport: isLogin ? 'tls' : transport,
  };
}

/** Reads the form of a table's phantoms. Undefined if they look like the secret. */
function readShape({ shape }: CredentialTable, at: string): Read<PhantomShape | undefined> {
  if (shape === undefined) return read(undefined);
  const { prefix = '', alphabet = 'base62', checksum = 'none', length = usualLengths[alphabet] } = shape;
  if (alphabet === 'uuid' && length !== usualLengths.uuid)
    return wrong(`${at}.shape.length`, 'a UUID has 36 characters', 'leave length out');
  if (checksum === 'github-crc32' && alphabet !== 'base62')
    return wrong(
      `${at}.shape.checksum`,
      'GitHub writes the checksum and its input in base62',
      'write alphabet = "base62"',
    );
  return read({ prefix, alphabet, length, checksum });
}

/** The first format that a provider documents. */
function documentedShape(provider: Provider | undefined): PhantomShape | undefined {
  const first = provider?.shapes[0];
  return first === undefined
    ? undefined
    : { prefix: first.prefix, alphabet: first.alphabet, length: first.length, checksum: first.checksum };
}

/** Usual lengths of tokens of these alphabets, and never below 128 bits. */
const usualLengths: Readonly<Record<PhantomShape['alphabet'], number>> = {
  base62: 40,
  base64url: 43,
  hex: 40,
  'upper-base32': 32,
  uuid: 36,
  jwt: 200,
};

/** Texts that look random but are public. */
const publicKeys: ReadonlySet<string> = new Set([
  'access_key_id',
  'client_id',
  'app_id',
  'installation_id',
  'audience',
]);

/**
 * Keys under which someone pasted the secret itself. Messages never repeat the value. Reports no other problems of the
 * table, because other messages quote their subject.
 */
function pastedSecrets(table: CredentialTable, at: string): readonly DocumentFinding[] {
  return textsIn(table, at)
    .filter(({ key, text }) => !publicKeys.has(key) && looksSecret(text.replaceAll(/\{phantom(?::\w+)?\}/g, '')))
    .map(({ at: place }) => ({
      at: place,
      message: `${place.slice(at.length + 1)} of the credential "${table.name}" looks like a secret, and secrets do not belong in a policy`,
      remedy: `revoke it if this file was shared; keep it where secrets are kept, and name that place: source = { env = "…" }, or \`holdfast secrets add ${table.name}\``,
    }));
}

interface PlacedText {
  readonly at: string;
  readonly key: string;
  readonly text: string;
}

function textsIn(value: unknown, at: string, key = ''): readonly PlacedText[] {
  if (typeof value === 'string') return [{ at, key, text: value }];
  if (Array.isArray(value)) return value.flatMap((item: unknown, index) => textsIn(item, `${at}[${index}]`, key));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => textsIn(item, `${at}.${name}`, name));
}
