import type { CredentialTable } from './schema.ts';
import { parseDuration } from '../layers/quantities.ts';
import { isLiteralPattern, parsePathPattern } from '../patterns/path-pattern.ts';
import { type Roots, resolvePath } from '../patterns/resolve-path.ts';
import { type Read, read, wrong } from './read.ts';
import type { SecretSource, SourceKind } from './types.ts';

type SourceTable = NonNullable<CredentialTable['source']>;
type SourceKey = Exclude<SourceKind, 'capture'>;

/** Reads the source of a table's secret. */
export function readSourceTable(source: SourceTable, at: string, roots: Roots): Read<SecretSource> {
  const keys = sourceKeys.filter((key) => source[key] !== undefined);
  const [key, second] = keys;
  if (key === undefined)
    return wrong(
      at,
      'the source names no place',
      `name one: source = { ${examples.env} }, or one of ${sourceKeys.slice(1).join(', ')}`,
    );
  if (second !== undefined)
    return wrong(`${at}.${second}`, `the source names two places, ${key} and ${second}`, 'keep one of them');
  const misplaced = companions.find(([companion, owner]) => source[companion] !== undefined && owner !== key);
  if (misplaced !== undefined)
    return wrong(
      `${at}.${misplaced[0]}`,
      `"${misplaced[0]}" is for sources of the kind "${misplaced[1]}"`,
      'leave it out',
    );
  return readers[key](source, `${at}.${key}`, roots);
}

const sourceKeys: readonly SourceKey[] = ['env', 'file', 'command', 'keyring', 'onepassword', 'bitwarden', 'vault'];

const companions: readonly (readonly ['format' | 'timeout' | 'lifetime', SourceKey])[] = [
  ['format', 'file'],
  ['timeout', 'command'],
  ['lifetime', 'command'],
];

const examples: Readonly<Record<SourceKey, string>> = {
  env: 'env = "GITHUB_TOKEN"',
  file: 'file = "~/.netrc"',
  command: 'command = ["gh", "auth", "token"]',
  keyring: 'keyring = "SERVICE/ACCOUNT"',
  onepassword: 'onepassword = "op://vault/item/field"',
  bitwarden: 'bitwarden = "item/field"',
  vault: 'vault = "secret/app#token"',
};

type Reader = (source: SourceTable, at: string, roots: Roots) => Read<SecretSource>;

/** Messages do not repeat the value: someone may have pasted the secret itself. */
const readers: Readonly<Record<SourceKey, Reader>> = {
  env: ({ env = '' }, at) =>
    /^[A-Za-z_]\w*$/.test(env) ? read({ kind: 'env', variable: env }) : misspelled('env', at, 'the name of a variable'),
  file: ({ file = '', format }, at, roots) => {
    const path = sourcePath(file, roots);
    return path === undefined
      ? misspelled('file', at, 'the path of one file: absolute, or below ~/')
      : read({ kind: 'file', path, ...(format === undefined ? {} : { format }) });
  },
  command: readCommand,
  keyring: ({ keyring = '' }, at) => {
    const [, service, account] = lastSlash.exec(keyring) ?? [];
    return service === undefined || account === undefined
      ? misspelled('keyring', at, 'a service and an account')
      : read({ kind: 'keyring', service, account });
  },
  onepassword: ({ onepassword = '' }, at) =>
    /^op:\/\/[^/\p{Cc}]+(?:\/[^/\p{Cc}]+){2,3}$/u.test(onepassword)
      ? read({ kind: 'onepassword', reference: onepassword })
      : misspelled('onepassword', at, 'a secret reference'),
  bitwarden: ({ bitwarden = '' }, at) => {
    const [, item, field] = lastSlash.exec(bitwarden) ?? [];
    return item === undefined || field === undefined || item.startsWith('-')
      ? misspelled('bitwarden', at, 'an item and a field of it')
      : read({ kind: 'bitwarden', item, field });
  },
  vault: ({ vault = '' }, at) => {
    const [, path, field] = /^([^-#\p{Cc}][^#\p{Cc}]*)#([^#\p{Cc}]+)$/u.exec(vault) ?? [];
    return path === undefined || field === undefined
      ? misspelled('vault', at, 'a path and a field')
      : read({ kind: 'vault', path, field });
  },
};

/** Names of services may look like URLs, so the text is split at the last slash. */
const lastSlash = /^([^\p{Cc}]+)\/([^/\p{Cc}]+)$/u;

function misspelled(key: SourceKey, at: string, what: string): Read<SecretSource> {
  return wrong(at, `"${key}" is not ${what}`, `write it as ${examples[key]}`);
}

/** Undefined for a path that would depend on the policy's own directory or the workspace. */
export function sourcePath(text: string, roots: Roots): string | undefined {
  const pattern = parsePathPattern(text);
  if (
    pattern.kind === 'problem' ||
    !isLiteralPattern(pattern) ||
    (pattern.anchor !== 'root' && pattern.anchor !== 'home') ||
    pattern.components.length === 0
  )
    return undefined;
  const resolved = resolvePath(pattern, roots, 'exact');
  return resolved.kind === 'subtree' ? `/${resolved.base.join('/')}` : undefined;
}

const defaultTimeout = 10_000;
const longestTimeout = 300_000;

/** Attack: a program that is found below the working directory, so that the repository supplies it. */
function readCommand({ command = [], timeout, lifetime }: SourceTable, at: string): Read<SecretSource> {
  const [program = ''] = command;
  if (command.some((word) => /\p{Cc}/u.test(word)))
    return wrong(at, 'the command holds a control character', 'leave it out; a script of yours can do more');
  if (!program.startsWith('/') && (program.includes('/') || program.startsWith('-')))
    return wrong(
      `${at}[0]`,
      'the program of the command is relative to a directory',
      'write its absolute path, or its bare name',
    );
  const milliseconds = timeout === undefined ? defaultTimeout : (parseDuration(timeout) ?? 0);
  if (milliseconds < 1 || milliseconds > longestTimeout)
    return wrong(
      at,
      'the time-out of the command is not between "1ms" and "5m"',
      'write timeout = "10s", or leave it out',
    );
  const good = lifetime === undefined ? undefined : (parseDuration(lifetime) ?? 0);
  if (good !== undefined && good < 1000)
    return wrong(at, 'the lifetime of the answer is less than a second', 'write lifetime = "10m", or leave it out');
  return read({
    kind: 'command',
    argv: command,
    timeout: milliseconds,
    ...(good === undefined ? {} : { lifetime: good }),
  });
}
