import type { CredentialFormat } from '../../../policy/credentials/types.ts';
import { asIs, type SecretReader, type FieldRole, type SecretField } from '../fields.ts';
import { dotenvFields, urlPasswords } from './dotenv.ts';
import { gcloudFields, jsonFields, type Leaf, leavesOf } from './json.ts';
import { kubeconfigFields } from './kubeconfig.ts';
import { netrcFields } from './netrc.ts';

/**
 * `~/.aws/credentials`. Source: AWS SDKs and Tools reference, "Credentials file". `user` is the profile. The last row
 * is boto's name for a session token.
 */
const awsFields: SecretReader = (text) =>
  iniEntries(text, 'equals-or-colon').flatMap((entry) => {
    const { section, key, value, start, end } = withinValue(entry);
    const role = roles[key.toLowerCase()];
    return role === undefined
      ? []
      : [{ start, end, value, encode: asIs, role, user: section.replace(/^profile\s+/u, '') }];
  });

/** An entry on an indented line belongs to the value before it, but some SDKs read it as an entry of its own. */
function withinValue(entry: IniEntry): IniEntry {
  const [, key = '', value = ''] = /^(\w+)\s*[=:]\s*(.+)$/u.exec(entry.value) ?? [];
  return Object.hasOwn(roles, key.toLowerCase()) ? { ...entry, key, value, start: entry.end - value.length } : entry;
}

const roles: Readonly<Record<string, FieldRole>> = {
  aws_access_key_id: 'accessKeyId',
  aws_secret_access_key: 'secret',
  aws_session_token: 'sessionToken',
  aws_security_token: 'key',
};

/**
 * `~/.docker/config.json`. Source: Docker documentation, "docker login" (credential stores). Docker reads the file with
 * Go, which ignores the case of keys.
 */
const dockerFields: SecretReader = (text) => leavesOf(text).flatMap(fieldOf);

/** `~/.pgpass`: host:port:database:user:password. Source: PostgreSQL documentation, "The Password File". */
const pgpassFields: SecretReader = (text) => linesOf(text).flatMap(pgpassFieldOf);

/**
 * `~/.npmrc`. Source: npm documentation, "npmrc" (auth related configuration). A value that refers to a variable holds
 * no secret.
 */
const npmrcFields: SecretReader = (text) => iniEntries(text, 'equals').flatMap(npmrcFieldOf);

const assignments: Readonly<Record<Separator, RegExp>> = {
  equals: /^\s*([^\s=](?:[^=]*[^\s=])?)\s*=/u,
  'equals-or-colon': /^\s*([^\s=:](?:[^=:]*[^\s=:])?)\s*[=:]/u,
};

/** Whether an indented line continues the value before it. npm reads an indented line like any other. */
const continues: Readonly<Record<Separator, boolean>> = { equals: false, 'equals-or-colon': true };

/** Secret fields by format. */
export const formats: Readonly<Record<CredentialFormat, SecretReader>> = {
  text: (text) => {
    const value = text.trim();
    const start = text.indexOf(value);
    return value === '' ? [] : [{ start, end: start + value.length, value, encode: asIs, role: 'secret' }];
  },
  netrc: netrcFields,
  npmrc: npmrcFields,
  pgpass: pgpassFields,
  // Source: pip documentation, "Configuration" and "Authentication".
  pip: (text) => iniEntries(text, 'equals-or-colon').flatMap(({ value, start }) => urlPasswords(value, start)),
  // Source: git-credential-store(1).
  git: (text) => urlPasswords(text),
  kubeconfig: kubeconfigFields,
  aws: awsFields,
  gcloud: gcloudFields,
  docker: dockerFields,
  json: jsonFields,
  dotenv: dotenvFields,
};

function fieldOf({ path, value, start, end }: Leaf): readonly SecretField[] {
  const [top, registry = '', name = ''] = path.map((key, depth) => (depth === 1 ? key : key.toLowerCase()));
  if (value === '') return [];
  if (top === 'httpheaders') return [{ start, end, value, encode: JSON.stringify, role: 'key' }];
  if (top !== 'auths') return [];
  const place = { host: hostOf(registry) };
  if (name === 'auth') {
    const [user = '', ...password] = Buffer.from(value, 'base64').toString('utf8').split(':');
    return [
      {
        start,
        end,
        value: password.join(':'),
        user,
        encode: (other) => JSON.stringify(Buffer.from(`${user}:${other}`).toString('base64')),
        role: 'secret',
        ...place,
      },
    ];
  }
  return ['identitytoken', 'registrytoken', 'password'].includes(name)
    ? [{ start, end, value, encode: JSON.stringify, role: 'secret', ...place }]
    : [];
}

/** `https://index.docker.io/v1/` or `registry.example.com:5000` */
function hostOf(registry: string): string {
  return (
    registry
      .replace(/^https?:\/\//u, '')
      .split(/[/:]/u, 1)[0]
      ?.toLowerCase() ?? ''
  );
}

function pgpassFieldOf({ line, offset }: TextLine): readonly SecretField[] {
  if (line.startsWith('#')) return [];
  const parts = /^((?:[^:\\]|\\.)*):((?:[^:\\]|\\.)*):(?:[^:\\]|\\.)*:((?:[^:\\]|\\.)*):(.+)$/u.exec(line);
  if (parts === null) return [];
  const [whole, host = '', port = '', user = '', password = ''] = parts;
  const start = offset + whole.length - password.length;
  const place = {
    ...(host === '*' ? {} : { host: plain(host).toLowerCase() }),
    ...(/^\d{1,5}$/u.test(port) ? { port: Number(port) } : {}),
    ...(user === '*' ? {} : { user: plain(user) }),
  };
  return [{ start, end: start + password.length, value: plain(password), encode: escaped, role: 'secret', ...place }];
}

function plain(text: string): string {
  return text.replaceAll(/\\(.)/gu, '$1');
}

function escaped(text: string): string {
  return text.replaceAll(/[:\\]/gu, '\\$&');
}

function npmrcFieldOf({ key, value, start, end }: IniEntry): readonly SecretField[] {
  const [, registry, name = ''] =
    /^(?:\/\/(.+?):)?(_authToken|_auth|_password|keyfile|key)$/u.exec(
      key.replace(/^(['"]?)(.*?)(?:\[\])?\1$/u, '$2'),
    ) ?? [];
  if (name === '' || /^\$\{[^}]*\}$/u.test(value)) return [];
  const place = registry === undefined ? {} : placeOf(registry);
  switch (name) {
    case '_auth': {
      const [user = '', ...password] = decode(value).split(':');
      return [
        {
          start,
          end,
          value: password.join(':'),
          user,
          encode: (other) => encode(`${user}:${other}`),
          role: 'secret',
          ...place,
        },
      ];
    }
    case '_password':
      return [{ start, end, value: decode(value), encode, role: 'secret', ...place }];
    case '_authToken':
      return [{ start, end, value, encode: asIs, role: 'secret', ...place }];
    default:
      return [{ start, end, value, encode: asIs, role: 'key', ...place }];
  }
}

/** `registry.example.com:8080/path/` */
function placeOf(registry: string): { readonly host: string; readonly port?: number } {
  const [authority = ''] = registry.split('/', 1);
  const [, host = '', port] = /^(.*?)(?::(\d{1,5}))?$/u.exec(authority.toLowerCase()) ?? [];
  return { host, ...(port === undefined ? {} : { port: Number(port) }) };
}

function decode(value: string): string {
  return Buffer.from(value, 'base64').toString('utf8');
}

function encode(value: string): string {
  return Buffer.from(value, 'utf8').toString('base64');
}

/** One `key = value` line of a file with sections. */
interface IniEntry {
  readonly section: string;
  readonly key: string;
  /** Value without surrounding blanks. */
  readonly value: string;
  /** Offsets of `value`. */
  readonly start: number;
  readonly end: number;
}

/** Separator of key and value. Python's configparser accepts both, and keys of npm contain colons. */
type Separator = 'equals' | 'equals-or-colon';

/**
 * Lines that begin with `#` or `;` are comments. In Python's files, a line that begins with a blank continues the
 * previous value, under the same key.
 */
function iniEntries(text: string, separator: Separator): readonly IniEntry[] {
  const entries: IniEntry[] = [];
  let section = '';
  let key = '';
  for (const { line, offset } of linesOf(text)) {
    if (/^\s*(?:[#;].*)?$/u.test(line)) continue;
    const header = /^\s*\[([^\]]*)\]/u.exec(line);
    if (header !== null) {
      section = (header[1] ?? '').trim();
      key = '';
      continue;
    }
    const isContinued = continues[separator] && /^\s/u.test(line) && key !== '';
    const assigned = isContinued ? undefined : assignments[separator].exec(line);
    if (assigned === null) continue;
    key = assigned?.[1] ?? key;
    const from = assigned?.[0].length ?? 0;
    const value = line.slice(from).trim();
    if (value === '') continue;
    const start = offset + line.indexOf(value, from);
    entries.push({ section, key, value, start, end: start + value.length });
  }
  return entries;
}

interface TextLine {
  readonly line: string;
  readonly offset: number;
}

/** Returns lines without their ends, with their offsets. */
function linesOf(text: string): readonly TextLine[] {
  let offset = 0;
  return text.split('\n').map((line) => {
    const at = offset;
    offset += line.length + 1;
    return { line: line.endsWith('\r') ? line.slice(0, -1) : line, offset: at };
  });
}
