import * as v from 'valibot';
import { providerNames } from '../builtin/providers/index.ts';
import type { DeepReadonly } from '../document/policy-part.ts';
import { injectionKinds } from './injection-kinds.ts';

/** Far above any real policy, low enough to check quickly. */
const mostCredentials = 100;
const mostItems = 100;
const longestText = 4096;

const formats = [
  'text',
  'netrc',
  'npmrc',
  'pgpass',
  'pip',
  'git',
  'kubeconfig',
  'aws',
  'gcloud',
  'docker',
  'json',
  'dotenv',
] as const;

function text(description: string) {
  return v.pipe(v.string(), v.minLength(1), v.maxLength(longestText), v.description(description));
}

function list(description: string) {
  return v.pipe(
    v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(longestText))),
    v.minLength(1),
    v.maxLength(mostItems),
    v.description(description),
  );
}

function duration(description: string) {
  return v.pipe(
    v.string(),
    v.regex(/^\d+(?:\.\d+)?\s*(?:ms|s|m|h|d)$/, 'a duration is written "90s", "10m" or "1h"'),
    v.description(description),
  );
}

/** A credential's name is also a host label: clients that use a base URL ask for it. */
const name = v.pipe(
  v.string(),
  v.regex(
    /^[a-z](?:[a-z0-9-]{0,38}[a-z0-9])?$/,
    'a credential is named with up to 40 lower-case letters, digits and hyphens, a letter first',
  ),
  v.description('Unique in all policies; events, errors and `holdfast secrets` show it'),
);

/** Source of a secret: one of these places. */
export const sourceEntry = v.strictObject({
  env: v.optional(text('A variable in the environment of holdfast itself')),
  file: v.optional(text('A file outside of the workspace: absolute, or below ~/')),
  format: v.optional(v.pipe(v.picklist(formats), v.description('The format of the file; default: the secret alone'))),
  command: v.optional(list('A program and its arguments, without a shell; it prints the secret')),
  timeout: v.optional(duration('How long the command may take; default "10s"')),
  lifetime: v.optional(duration('How long an answer of the command is valid, if the answer does not say so')),
  keyring: v.optional(text('"SERVICE/ACCOUNT" of the keyring of the desktop')),
  onepassword: v.optional(text('A secret reference of 1Password: "op://vault/item/field"')),
  bitwarden: v.optional(text('"item/field" of Bitwarden')),
  vault: v.optional(text('"path#field" of HashiCorp Vault')),
});

const amount = v.pipe(v.number(), v.integer(), v.minValue(1));

/** `injection-kinds.ts` says which keys each kind has and needs. */
const inject = v.strictObject({
  kind: v.pipe(v.picklist(injectionKinds), v.description('How a request, or a wire protocol, carries the secret')),
  name: v.optional(text('Name of the header or the cookie')),
  prefix: v.optional(
    v.pipe(
      text('Text before the secret in the header, such as "token "'),
      v.regex(/^[\x20-\x7e]+$/, 'a prefix is of printable ASCII characters'),
    ),
  ),
  user: v.optional(text('User of Basic authentication, or of the database')),
  parameter: v.optional(text('Name of the query parameter')),
  access_key_id: v.optional(
    text('Access key ID of AWS, which is not a secret; default: the ID that comes with the secret'),
  ),
  service: v.optional(text('Only this service of AWS')),
  region: v.optional(text('Only this region of AWS')),
  token_url: v.optional(text('The https URL for tokens')),
  client_id: v.optional(text('ID of the OAuth client')),
  scope: v.optional(text('The scope to request at the token URL')),
  audience: v.optional(text('The scope to request at the token URL')),
  app_id: v.optional(text('ID of the GitHub App')),
  installation_id: v.optional(text('ID of the installation of the GitHub App')),
  api: v.optional(text('API of GitHub; default "https://api.github.com"')),
  scopes: v.optional(list('Scopes of Google')),
  mode: v.optional(
    v.pipe(v.picklist(['read-write', 'read-only']), v.description('The permitted statements; default "read-only"')),
  ),
  tls: v.optional(v.pipe(v.picklist(['verify-full', 'disable']), v.description('Default "verify-full"'))),
  max_rows: v.optional(v.pipe(amount, v.description('The most rows that one statement may return'))),
  max_bytes: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d+(?:\.\d+)?\s*(?:[KMGT]i?B|B)$/, 'a size is written "512MiB" or "4GB"'),
      v.description('The most bytes that one statement may return, such as "64MiB"'),
    ),
  ),
  commands: v.optional(list('The only Redis commands that pass')),
});

const shape = v.strictObject({
  prefix: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[\x21-\x7e]{0,64}$/, 'a prefix has up to 64 printable ASCII characters, without blanks'),
    ),
  ),
  alphabet: v.optional(v.picklist(['base62', 'base64url', 'hex', 'upper-base32', 'uuid', 'jwt'])),
  length: v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(16),
      v.maxValue(4096),
      v.description('Characters after the prefix, checksum included'),
    ),
  ),
  checksum: v.optional(v.picklist(['none', 'github-crc32'])),
});

const file = v.strictObject({
  path: text('The path of the real file: absolute, or below ~/'),
  format: v.pipe(
    v.picklist(formats),
    v.description('The format of the file; Holdfast replaces its secrets and comments'),
  ),
  claims: v.optional(
    v.pipe(
      v.picklist(['kept', 'masked']),
      v.description('The treatment of claims of JSON Web Tokens in it; default "kept"'),
    ),
  ),
});

const credential = v.strictObject({
  name,
  provider: v.optional(
    v.pipe(v.picklist(providerNames), v.description('A row of docs/providers.md, which fills in the missing keys')),
  ),
  source: v.optional(
    v.pipe(sourceEntry, v.description('The source of the secret. A policy never contains the secret itself')),
  ),
  hosts: v.optional(list('The hosts that may get it: "api.example.com", "*.example.com", "db.example.com:5432"')),
  methods: v.optional(list('HTTP methods; default: every one')),
  paths: v.optional(list('Globs over the path of the URL; default: every path')),
  inject: v.optional(inject),
  environment: v.optional(list('Variables that hold the phantom in the box: "NAME", or "NAME=text with {phantom}"')),
  files: v.optional(
    v.pipe(
      v.array(file),
      v.minLength(1),
      v.maxLength(mostItems),
      v.description('Credential files as the box sees them'),
    ),
  ),
  base_urls: v.optional(
    list('Variables with a URL that leads clients to Holdfast instead of the host: "NAME", or "NAME=/path"'),
  ),
  use: v.optional(
    v.pipe(
      v.picklist(['phantom', 'always']),
      v.description('"phantom" (default): requests that hold the phantom. "always": every request it is bound to'),
    ),
  ),
  decision: v.optional(
    v.pipe(
      v.picklist(['allow', 'ask']),
      v.description('"allow" (default), or "ask": each use waits until someone has approved it'),
    ),
  ),
  transport: v.optional(
    v.pipe(
      v.picklist(['tls', 'plain']),
      v.description('"tls" (default): only with a verified certificate of the host. "plain": also unencrypted'),
    ),
  ),
  shape: v.optional(
    v.pipe(
      shape,
      v.description('The form of the phantom; default: the form that the provider documents, or that of the secret'),
    ),
  ),
});

export const credentialsEntry = v.optional(
  v.pipe(
    v.array(credential),
    v.maxLength(mostCredentials),
    v.description('Secrets that stay outside; the box has phantoms of them. Only in user and managed policies'),
  ),
);

export type CredentialTable = DeepReadonly<v.InferOutput<typeof credential>>;
