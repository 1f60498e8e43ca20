import type { Origin } from '../origin.ts';
import type { HostPattern } from '../patterns/host-pattern.ts';

/** One `[[credentials]]` table, understood: a secret that stays outside, and what stands for it inside. */
export interface Credential {
  /** Unique in a policy. */
  readonly name: string;
  /**
   * Credentials of one group come from one table and share its secret and its phantom: `github` for the API and
   * `github.git` for git. One has the group's name and all of its delivery. More special ones come before it: of
   * several that fit a request, the first takes the phantom. Default: a group of its own. See `groupOf`.
   */
  readonly group?: string;
  /** The row of the provider table that filled in what the policy left out. */
  readonly provider?: string;
  readonly source: SecretSource;
  readonly binding: Binding;
  readonly injection: Injection;
  readonly delivery: Delivery;
  /**
   * `phantom`: only requests that hold the phantom. `always`: every request it is bound to, because its client sends
   * none at first.
   */
  readonly use: 'phantom' | 'always';
  /** `ask`: each use waits until someone has approved it. Default: `allow`. */
  readonly decision?: 'allow' | 'ask';
  /** How the phantom looks. Default: as the secret does. */
  readonly shape?: PhantomShape;
  /** How secrets of the provider look, for where there is none at hand to look like. */
  readonly usualShape?: PhantomShape;
  readonly origin: Origin;
}

/** Where a credential is good. Everywhere else its phantom is an alarm. */
export interface Binding {
  /**
   * Never empty, and each with its ports: 443 where the policy names none, or 80 where `transport` is `plain`, or the
   * port of the protocol.
   */
  readonly hosts: readonly HostPattern[];
  /** Upper case; absent: every method. */
  readonly methods?: readonly string[];
  /** Patterns of URL paths as `[[http]]` rules have them; absent: every path. */
  readonly paths?: readonly string[];
  /** `tls`: only where the certificate of the host was verified. `plain`: also in the clear. */
  readonly transport: 'tls' | 'plain';
}

/**
 * Where the supervisor reads the secret. Only user and managed policies name sources: a project could name a command.
 */
export type SecretSource =
  | { readonly kind: 'env'; readonly variable: string }
  /** `path` is absolute. Without `format` the whole file, without blanks around it. */
  | { readonly kind: 'file'; readonly path: string; readonly format?: CredentialFormat }
  /** Milliseconds. `lifetime`: how long its answer is good where it does not say so itself. */
  | { readonly kind: 'command'; readonly argv: readonly string[]; readonly timeout: number; readonly lifetime?: number }
  | { readonly kind: 'keyring'; readonly service: string; readonly account: string }
  /** `op://vault/item/field`. */
  | { readonly kind: 'onepassword'; readonly reference: string }
  | { readonly kind: 'bitwarden'; readonly item: string; readonly field: string }
  /** `path` as `vault kv get` takes it. */
  | { readonly kind: 'vault'; readonly path: string; readonly field: string }
  /** Nothing to read: the secret comes with a login that the box does. Only of `oauth2-login`. */
  | { readonly kind: 'capture' };

export type SourceKind = SecretSource['kind'];

/** How the secret is put into a request, or into a wire protocol. */
export type Injection =
  | { readonly kind: 'bearer' }
  /** `prefix` stands before the secret, e.g. `token `. */
  | { readonly kind: 'header'; readonly name: string; readonly prefix?: string }
  | { readonly kind: 'basic'; readonly user: string }
  | { readonly kind: 'query'; readonly parameter: string }
  /** The phantom stands in the path, as with `/bot<token>/send`. */
  | { readonly kind: 'path' }
  | { readonly kind: 'cookie'; readonly name: string }
  /** Basic, on the paths of git's smart HTTP protocol, of GitHub's kind. */
  | { readonly kind: 'git'; readonly user: string }
  /** Basic at the realm that the registry names, whose tokens are phantoms in the box as well. */
  | { readonly kind: 'docker-registry'; readonly user: string }
  /** The secret is the secret access key. `accessKeyId` may come with the secret instead. */
  | { readonly kind: 'sigv4'; readonly accessKeyId?: string; readonly service?: string; readonly region?: string }
  | OAuth2Injection
  /** The secret is the PEM key of the App. */
  | { readonly kind: 'github-app'; readonly appId: string; readonly installationId: string; readonly api: string }
  /** The secret is the JSON key of a Google service account. */
  | { readonly kind: 'service-account'; readonly scopes: readonly string[] }
  | {
      readonly kind: 'postgres';
      readonly user?: string;
      readonly mode: 'read-write' | 'read-only';
      readonly tls: 'verify-full' | 'disable';
      readonly maxRows?: number;
      readonly maxBytes?: number;
    }
  | {
      readonly kind: 'redis';
      readonly user?: string;
      readonly mode: 'read-write' | 'read-only';
      readonly tls: 'verify-full' | 'disable';
      readonly commands?: readonly string[];
    };

export type InjectionKind = Injection['kind'];

/** Access tokens that the supervisor fetches; the box has a phantom of one. */
export type OAuth2Injection =
  /** The secret is the client's. */
  | {
      readonly kind: 'oauth2-client';
      readonly tokenUrl: string;
      readonly clientId: string;
      readonly scope?: string;
      readonly audience?: string;
    }
  /** The secret is the refresh token. */
  | { readonly kind: 'oauth2-refresh'; readonly tokenUrl: string; readonly clientId: string; readonly scope?: string }
  /** Nothing is known beforehand: the tokens of a login that the box does at `tokenUrl` stay outside. */
  | { readonly kind: 'oauth2-login'; readonly tokenUrl: string };

/** What the box gets to see. */
export interface Delivery {
  readonly environment: readonly DeliveredVariable[];
  readonly files: readonly DeliveredFile[];
  readonly baseUrls: readonly BaseUrlVariable[];
}

export interface DeliveredVariable {
  readonly name: string;
  /**
   * `{phantom}` stands for the phantom: `postgres://app:{phantom}@db.example.com/app`. With `sigv4`,
   * `{phantom:accessKeyId}` and
   * `{phantom:sessionToken}` stand for those of what comes with the secret.
   */
  readonly template: string;
}

export interface DeliveredFile {
  /** Absolute, in the box and on the host. */
  readonly path: string;
  readonly format: CredentialFormat;
  /** What becomes of the claims of JSON Web Tokens in it. */
  readonly claims: 'kept' | 'masked';
}

/** Files whose secret fields are known. `text` is the secret alone. */
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
 * For clients that cannot be made to trust an authority: they speak plain HTTP to a name that leads nowhere but here.
 */
export interface BaseUrlVariable {
  readonly name: string;
  /** Appended to the base, e.g. `/v1`. */
  readonly path: string;
}

export interface PhantomShape {
  /** Kept at the start, e.g. `ghp_`. */
  readonly prefix: string;
  readonly alphabet: 'base62' | 'base64url' | 'hex' | 'upper-base32' | 'uuid' | 'jwt';
  /** Characters after the prefix, checksum included. */
  readonly length: number;
  /** `github-crc32`: the last six characters are the CRC-32 of the rest in base62. */
  readonly checksum: 'none' | 'github-crc32';
}
