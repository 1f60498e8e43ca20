import type { CredentialFormat } from '../../policy/credentials/types.ts';
import type { SecretField } from './fields.ts';
import { formats } from './formats/index.ts';

/**
 * Returns a credential file as the box may see it. Every byte of `text` stays, except secret fields and possible
 * secrets elsewhere in the text. Fields that `phantomFor` knows get their phantom. All others get a word that no
 * service accepts. Throws a `SyntaxError` for a file that is not in its format, because its secrets cannot be located.
 */
export function syntheticFile(
  format: CredentialFormat,
  text: string,
  phantomFor: (field: SecretField) => string | undefined,
): string {
  const fields = formats[format](text);
  const strays = strayRanges(format, text, fields);
  let written = 0;
  const parts = fields.flatMap((field) => {
    const kept = maskedPart(text, { start: written, end: field.start }, strays);
    written = field.end;
    return [kept, field.encode(phantomFor(field) ?? masked)];
  });
  return parts.join('') + maskedPart(text, { start: written, end: text.length }, strays);
}

const masked = 'masked-by-holdfast';

function maskedPart(text: string, part: Range, strays: readonly Range[]): string {
  let at = part.start;
  const pieces = strays.flatMap((stray) => {
    const [start, end] = [Math.max(stray.start, at), Math.min(stray.end, part.end)];
    if (start >= end) return [];
    const kept = text.slice(at, start);
    at = end;
    return [kept, masked];
  });
  return pieces.join('') + text.slice(at, part.end);
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** A shorter value may appear elsewhere by chance. */
const shortestCopy = 8;

/**
 * Returns the ranges of offsets where a credential file may hold secrets outside its fields. These are comments, URLs
 * of any key, and copies of a field. Passwords of such URLs may contain characters that should have been escaped.
 */
function strayRanges(format: CredentialFormat, text: string, fields: readonly SecretField[]): readonly Range[] {
  const copied = new Set(fields.map(({ value }) => value).filter(({ length }) => length >= shortestCopy));
  const ranges = [
    ...matches(text, comments[format]),
    ...matches(text, userInfo),
    ...matches(text, inQuery),
    ...[...copied].flatMap((value) => placesOf(value, text)),
  ];
  return ranges.toSorted((a, b) => a.start - b.start);
}

const hash = /(?<=^[ \t]*#)[^\r\n]+/gmu;
/**
 * Also matches a comment after an unquoted value. If the text before `#` is longer than this, nobody wrote it as a
 * value with a comment.
 */
const hashAnywhere = /(?<=^[ \t]*#|^[^"'`\r\n]{0,400}[ \t]#)[^\r\n]+/gmu;
/** Requires a blank on both sides of `#` after a value, because a password may begin with `#`. */
const hashAlone = /(?<=^[ \t]*#|^[^"\r\n]{0,400}[ \t]#[ \t])[^\r\n]+/gmu;
const hashOrSemicolon = /(?<=^[ \t]*[#;])[^\r\n]+/gmu;

/** Text that programs ignore, by format. A file in `text` format is the secret itself and has no comments. */
const comments: Readonly<Record<CredentialFormat, RegExp>> = {
  text: /(?!)/gu,
  netrc: hashAlone,
  npmrc: hashOrSemicolon,
  pgpass: hash,
  pip: hashOrSemicolon,
  git: hash,
  kubeconfig: hashAnywhere,
  aws: hashOrSemicolon,
  gcloud: hashAnywhere,
  docker: hashAnywhere,
  json: hashAnywhere,
  dotenv: hashAnywhere,
};

/** Matches the password in a URL, up to the last `@`. Matches a user without a password if it is as long as a token. */
const userInfo = /(?<=:\/\/[^\s:/?#@"'<>]{0,256}:)[^\s"'<>]{1,4096}(?=@)|(?<=:\/\/)[^\s:/?#@"'<>]{16,4096}(?=@)/gu;

/** Source of the names: RFC 6750 §2.3, and the APIs of webhooks. */
const inQuery = /(?<=[?&][\w-]{0,64}(?:auth|code|key|passw(?:or)?d|secret|sig|signature|token)=)[^&\s"'<>#]{1,4096}/giu;

function matches(text: string, pattern: RegExp): readonly Range[] {
  return [...text.matchAll(pattern)].map(({ index, 0: { length } }) => ({ start: index, end: index + length }));
}

function placesOf(value: string, text: string): readonly Range[] {
  const places: Range[] = [];
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + value.length))
    places.push({ start: at, end: at + value.length });
  return places;
}

/** Content of a generated file. */
interface HostSecret {
  readonly host: string;
  readonly port?: number;
  readonly user?: string;
  readonly phantom: string;
  /** Phantom of the access key ID, for `aws`. */
  readonly accessKeyId?: string;
}

/** Returns a credential file that does not exist on the host. Undefined if the format needs more than a phantom. */
export function generatedFile(
  format: CredentialFormat,
  { host, port, user, phantom, accessKeyId }: HostSecret,
): string | undefined {
  const authority = port === undefined ? host : `${host}:${port}`;
  const encoded = encodeURIComponent(phantom);
  switch (format) {
    case 'text':
      return phantom;
    case 'netrc':
      return `machine ${host}\nlogin ${user ?? 'token'}\npassword ${phantom}\n`;
    case 'npmrc':
      return `//${authority}/:_authToken=${phantom}\n`;
    case 'pgpass':
      return `${host}:${port ?? '*'}:*:${user ?? '*'}:${phantom}\n`;
    case 'pip':
      return `[global]\nindex-url = https://${user ?? '__token__'}:${encoded}@${authority}/simple\n`;
    case 'git':
      return `https://${user ?? 'x-access-token'}:${encoded}@${authority}\n`;
    case 'docker':
      return `${JSON.stringify({ auths: { [authority]: { auth: Buffer.from(`${user ?? 'token'}:${phantom}`).toString('base64') } } }, null, 2)}\n`;
    case 'aws':
      return accessKeyId === undefined
        ? undefined
        : `[${user ?? 'default'}]\naws_access_key_id = ${accessKeyId}\naws_secret_access_key = ${phantom}\n`;
    case 'kubeconfig':
    case 'gcloud':
    case 'json':
    case 'dotenv':
      return undefined;
  }
}
