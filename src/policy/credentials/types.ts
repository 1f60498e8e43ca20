import type { Origin } from '../origin.ts';
import type { HostPattern } from '../patterns/host-pattern.ts';
import type { Injection, PhantomShape } from './injection.ts';

/** One parsed `[[credentials]]` table: a secret that stays outside, and its phantom for the box. */
export interface Credential {
  /** Unique in a policy. */
  readonly name: string;
  /**
   * Credentials of one group come from one table and share its secret and its phantom: `github` for the API and
   * `github.git` for git. One has the group's name and all of its delivery. More special ones come before it: if
   * several fit a request, the first one replaces the phantom. Default: a group of its own. See `groupOf`.
   */
  readonly group?: string;
  /** The row of the provider table that filled in missing values. */
  readonly provider?: string;
  readonly source: SecretSource;
  readonly binding: Binding;
  readonly injection: Injection;
  readonly delivery: Delivery;
  /**
   * `phantom`: only requests that hold the phantom. `always`: every bound request, because its client sends no
   * credential at first.
   */
  readonly use: 'phantom' | 'always';
  /** `ask`: each use waits for an approval. Default: `allow`. */
  readonly decision?: 'allow' | 'ask';
  /** Form of the phantom. Default: the secret's. */
  readonly shape?: PhantomShape;
  /** Usual format of the provider's secrets, for when the secret is unavailable. */
  readonly usualShape?: PhantomShape;
  readonly origin: Origin;
}

/** The requests that a credential fits. A phantom in any other request raises an alarm. */
export interface Binding {
  /** Never empty; each has its ports. Default ports: 443, or 80 if `transport` is `plain`, or the protocol's port. */
  readonly hosts: readonly HostPattern[];
  /** Methods in upper case. Default: every method. */
  readonly methods?: readonly string[];
  /** Patterns of URL paths, as in `[[http]]` rules. Default: every path. */
  readonly paths?: readonly string[];
  /** `tls`: only over TLS with a verified certificate. `plain`: also in clear text. */
  readonly transport: 'tls' | 'plain';
}

/**
 * The secret's source, which the supervisor reads. Only user and managed policies name sources: a project could name a
 * command.
 */
export type SecretSource =
  | { readonly kind: 'env'; readonly variable: string }
  /** `path` is absolute. Without `format`, the secret is the whole file, trimmed. */
  | { readonly kind: 'file'; readonly path: string; readonly format?: CredentialFormat }
  /**
   * `timeout` and `lifetime` are milliseconds. `lifetime`: how long the answer is valid if it does not say so itself.
   */
  | { readonly kind: 'command'; readonly argv: readonly string[]; readonly timeout: number; readonly lifetime?: number }
  | { readonly kind: 'keyring'; readonly service: string; readonly account: string }
  /** `op://vault/item/field`. */
  | { readonly kind: 'onepassword'; readonly reference: string }
  | { readonly kind: 'bitwarden'; readonly item: string; readonly field: string }
  /** `path` as in `vault kv get`. */
  | { readonly kind: 'vault'; readonly path: string; readonly field: string }
  /** Nothing to read, because the secret comes from a login in the box. Only for `oauth2-login`. */
  | { readonly kind: 'capture' };

export type SourceKind = SecretSource['kind'];

/** The form of a credential in the box. */
export interface Delivery {
  readonly environment: readonly DeliveredVariable[];
  readonly files: readonly DeliveredFile[];
  readonly baseUrls: readonly BaseUrlVariable[];
}

export interface DeliveredVariable {
  readonly name: string;
  /**
   * `{phantom}` is replaced by the phantom: `postgres://app:{phantom}@db.example.com/app`. With `sigv4`,
   * `{phantom:accessKeyId}` and `{phantom:sessionToken}` are replaced by the phantoms of the other parts of the secret.
   */
  readonly template: string;
}

export interface DeliveredFile {
  /** Absolute path, in the box and on the host. */
  readonly path: string;
  readonly format: CredentialFormat;
  /** Whether claims of JSON Web Tokens in the file are kept or masked. */
  readonly claims: 'kept' | 'masked';
}

/** Files with known secret fields. `text`: the file is the secret alone. */
export type CredentialFormat =
  | 'text'
  | 'netrc'
  | 'npmrc'
  | 'pgpass'
  | 'pip'
  | 'git'
  | 'kubeconfig'
  | 'aws'
  | 'gcloud'
  | 'docker'
  | 'json'
  | 'dotenv';

/**
 * For clients that cannot trust another certificate authority. They speak plain HTTP to a name that leads only to
 * Holdfast.
 */
export interface BaseUrlVariable {
  readonly name: string;
  /** Appended to the base, such as `/v1`. */
  readonly path: string;
}

/**
 * Returns the name of a credential in secret stores and phantom registries. Credentials of one group share a secret and
 * a phantom.
 */
export function groupOf({ name, group }: Pick<Credential, 'name' | 'group'>): string {
  return group ?? name;
}

/** Names below this suffix exist only in boxes. */
const suffix = '.credentials.holdfast';

/**
 * Returns the name by which a box reaches the host of a credential without TLS. Source of the form of labels: RFC 1035
 * §2.3.1.
 */
export function routeName({ name }: Pick<Credential, 'name'>): string {
  return `${name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .replaceAll(/^-+|-+$/gu, '')
    .slice(0, 63)}${suffix}`;
}
