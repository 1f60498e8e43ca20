import type { Destination } from '../../egress/types.ts';
import { HoldfastError } from '../../errors/index.ts';
import { trustBundlePath } from '../../place/session-trust.ts';
import type { RootFile } from '../../plan/mount.ts';
import { type Credential, type DeliveredFile, routeName } from '../../policy/credentials/types.ts';
import type { SecretField } from '../delivery/fields.ts';
import { isFor } from '../delivery/is-for.ts';
import { syntheticFile, generatedFile } from '../delivery/synthesise.ts';

/** Everything that a box sees of a session's credentials. */
export interface Delivered {
  readonly environment: Readonly<Record<string, string>>;
  /** Files that replace the host's files, if those exist. */
  readonly files: readonly RootFile[];
}

/** A credential with its phantoms. */
export interface Deliverable {
  readonly credential: Credential;
  /** Returns a phantom. `role` is `secret`, `accessKeyId` … */
  phantom(role: string): string;
}

export interface DeliverOptions {
  /** Returns the file of the host, or undefined if the host has no such file. */
  readFile(path: string): string | undefined;
  /** Number of git settings that the environment already has. */
  readonly gitSettings: number;
}

/** Pure except for `readFile`. Throws `HF_CREDENTIAL_FILE` if a file has to be shown but cannot be parsed. */
export function deliverSecrets(deliverables: readonly Deliverable[], options: DeliverOptions): Delivered {
  const byPath = Map.groupBy(
    deliverables.flatMap((deliverable) => deliverable.credential.delivery.files.map((file) => ({ file, deliverable }))),
    ({ file }) => file.path,
  );
  const files = [...byPath].map(([path, placed]) => fileEntry(path, fileContent(placed, options)));
  const helpers = deliverables.filter(({ credential }) =>
    credential.delivery.files.some(({ format }) => format === 'git'),
  );
  return {
    environment: {
      ...trustOfDatabases(deliverables),
      ...variables(deliverables),
      ...gitSettings(helpers, options.gitSettings),
    },
    files: [
      ...files,
      ...helpers.map((deliverable) => fileEntry(helperFile(deliverable.credential), helperText(deliverable))),
    ],
  };
}

function variables(deliverables: readonly Deliverable[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    deliverables.flatMap(({ credential, phantom }) => [
      ...credential.delivery.environment.map(
        ({ name, template }) =>
          [
            name,
            template.replaceAll(/\{phantom(?::(\w+))?\}/gu, (_, role: string | undefined) => phantom(role ?? 'secret')),
          ] as const,
      ),
      ...credential.delivery.baseUrls.map(
        ({ name, path }) => [name, `http://${routeName(credential)}${path}`] as const,
      ),
    ]),
  );
}

/**
 * libpq checks the server's certificate only against its own file, which a box does not see (PostgreSQL 15
 * documentation, 34.19.1). The variable is not set in every box: with it, `sslmode=require` checks certificates too,
 * and not all databases have one.
 */
function trustOfDatabases(deliverables: readonly Deliverable[]): Readonly<Record<string, string>> {
  return deliverables.some(({ credential }) => credential.injection.kind === 'postgres')
    ? { PGSSLROOTCERT: trustBundlePath }
    : {};
}

interface PlacedFile {
  readonly file: DeliveredFile;
  readonly deliverable: Deliverable;
}

function fileContent(placed: readonly PlacedFile[], { readFile }: DeliverOptions): string {
  const [first] = placed;
  if (first === undefined) return '';
  const { path, format } = first.file;
  const original = readFile(path);
  try {
    if (original !== undefined) return syntheticFile(format, original, (field) => phantomFor(field, placed));
  } catch (cause) {
    throw unreadable(path, `it is not a file in the format ${format}`, cause);
  }
  const made = placed.map(({ deliverable }) => generated(deliverable, format));
  const missing = made.indexOf(undefined);
  if (missing !== -1 || (made.length > 1 && format === 'docker'))
    throw unreadable(path, `the host has no such file, and Holdfast cannot generate one in the format ${format}`);
  return made.join('');
}

/** Returns the phantom of the credential that covers a field of a file. */
function phantomFor(field: SecretField, placed: readonly PlacedFile[]): string | undefined {
  if (field.role === 'key') return undefined;
  const owner = placed.find(({ deliverable: { credential } }) =>
    isFor(field, { hosts: credential.binding.hosts, ...userOf(credential) }),
  );
  return owner?.deliverable.phantom(field.role);
}

function generated({ credential, phantom }: Deliverable, format: DeliveredFile['format']): string | undefined {
  const { host, port } = destinationOf(credential) ?? { host: '*', port: 443 };
  const needsKey = format === 'aws';
  return generatedFile(format, {
    host,
    ...(port === 443 ? {} : { port }),
    ...userOf(credential),
    phantom: phantom('secret'),
    ...(needsKey ? { accessKeyId: phantom('accessKeyId') } : {}),
  });
}

function userOf({ injection }: Credential): { readonly user?: string } {
  return 'user' in injection && injection.user !== undefined ? { user: injection.user } : {};
}

function fileEntry(target: string, content: string): RootFile {
  // Programs such as libpq and ssh reject credential files that others can read.
  return { kind: 'file', target, mode: 0o600, content };
}

function helperFile({ name }: Credential): string {
  return `/run/holdfast/credentials/git-${name}`;
}

/** Answer of a credential helper. Source: gitcredentials(7). */
function helperText({ credential, phantom }: Deliverable): string {
  return `username=${userOf(credential).user ?? 'x-access-token'}\npassword=${phantom('secret')}\n`;
}

/**
 * Git settings for the helper, which ignores `store` and `erase`. Source of the variables: git-config(1),
 * GIT_CONFIG_COUNT.
 */
function gitSettings(helpers: readonly Deliverable[], before: number): Readonly<Record<string, string>> {
  if (helpers.length === 0) return {};
  const settings = helpers.flatMap(({ credential }, index) => {
    const number = before + index;
    return [
      [`GIT_CONFIG_KEY_${number}`, `${gitScope(credential)}.helper`],
      [`GIT_CONFIG_VALUE_${number}`, `!f() { test "$1" = get && cat ${helperFile(credential)}; }; f`],
    ] as const;
  });
  return { GIT_CONFIG_COUNT: String(before + helpers.length), ...Object.fromEntries(settings) };
}

/**
 * Returns the hosts for which git calls the helper: one host, or all names below it. Source: git-config(1),
 * `http.<url>.*` (same matching).
 */
function gitScope(credential: Credential): string {
  const { host, port } = destinationOf(credential) ?? below(credential);
  return `credential.https://${host}${port === 443 ? '' : `:${port}`}`;
}

function below({ binding: { hosts } }: Credential): Destination {
  const [found] = hosts.flatMap(({ host, ports }) =>
    host.kind === 'subdomains' ? [{ host: `*.${host.suffix}`, port: ports?.from ?? 443 }] : [],
  );
  return found ?? { host: 'nowhere.invalid', port: 443 };
}

function unreadable(path: string, reason: string, cause?: unknown): HoldfastError {
  return new HoldfastError('HF_CREDENTIAL_FILE', `the box cannot be given ${path}: ${reason}`, {
    remedy: 'correct the file, or take it out of `files` of the credential',
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Maps each of these names to the credential's first host that is not a pattern. */
export function routesOf(credentials: readonly Credential[]): ReadonlyMap<string, Destination> {
  return new Map(
    credentials.flatMap((credential): readonly [string, Destination][] => {
      const destination = credential.delivery.baseUrls.length === 0 ? undefined : destinationOf(credential);
      return destination === undefined
        ? []
        : [
            [
              routeName(credential),
              { ...destination, host: destination.host === 'localhost' ? '127.0.0.1' : destination.host },
            ],
          ];
    }),
  );
}

/** Returns the first host that is a single name or address, with its port. */
function destinationOf({ binding }: Pick<Credential, 'binding'>): Destination | undefined {
  const [found] = binding.hosts.flatMap(({ host, ports }) =>
    host.kind === 'exact'
      ? [{ host: host.text, ports }]
      : host.kind === 'localhost'
        ? [{ host: 'localhost', ports }]
        : [],
  );
  return found === undefined
    ? undefined
    : { host: found.host, port: found.ports?.from ?? (binding.transport === 'plain' ? 80 : 443) };
}
