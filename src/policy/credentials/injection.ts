/** The secret's place in a request, or in a wire protocol. */
export type Injection =
  | { readonly kind: 'bearer' }
  /** `prefix` comes before the secret, such as `token `. */
  | { readonly kind: 'header'; readonly name: string; readonly prefix?: string }
  | { readonly kind: 'basic'; readonly user: string }
  | { readonly kind: 'query'; readonly parameter: string }
  /** The phantom is in the path, as in `/bot<token>/send`. */
  | { readonly kind: 'path' }
  | { readonly kind: 'cookie'; readonly name: string }
  /** Basic authentication on the paths of git's smart HTTP protocol, as GitHub takes it. */
  | { readonly kind: 'git'; readonly user: string }
  /** Basic authentication at the realm that the registry names. Its tokens are phantoms in the box too. */
  | { readonly kind: 'docker-registry'; readonly user: string }
  /** The secret is the secret access key. `accessKeyId` may come with the secret instead. */
  | { readonly kind: 'sigv4'; readonly accessKeyId?: string; readonly service?: string; readonly region?: string }
  | OAuth2Injection
  /** The secret is the App's PEM key. */
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
  /** The secret is the client secret. */
  | {
      readonly kind: 'oauth2-client';
      readonly tokenUrl: string;
      readonly clientId: string;
      readonly scope?: string;
      readonly audience?: string;
    }
  /** The secret is the refresh token. */
  | { readonly kind: 'oauth2-refresh'; readonly tokenUrl: string; readonly clientId: string; readonly scope?: string }
  /** No secret is known beforehand. Tokens of a login in the box at `tokenUrl` stay outside. */
  | { readonly kind: 'oauth2-login'; readonly tokenUrl: string };

export interface PhantomShape {
  /** Start of the secret that the phantom keeps, such as `ghp_`. */
  readonly prefix: string;
  readonly alphabet: 'base62' | 'base64url' | 'hex' | 'upper-base32' | 'uuid' | 'jwt';
  /** Characters after the prefix, including the checksum. */
  readonly length: number;
  /** `github-crc32`: the last six characters are the CRC-32 of the rest in base62. */
  readonly checksum: 'none' | 'github-crc32';
}
