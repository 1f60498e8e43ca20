import type { CredentialFormat } from '../../policy/credentials/types.ts';
import type { SecretField } from './fields.ts';
import { formats } from './formats/index.ts';

/**
 * A credential file as the box may see it: every byte of `text`, but for its secret fields and for what may be a secret
 * elsewhere in it. Fields that `phantomFor` knows get their phantom, all others a word that is good nowhere. Throws a
 * `SyntaxError` for a file that is not in its format: nobody could say where its secrets stand.
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

/** Of fewer characters, a value stands elsewhere by chance. */
const shortestCopy = 8;

/**
 * Where a credential file may hold secrets beside its fields, by their beginnings: in what was commented out, in URLs
 * of any key, whose passwords may hold what should have been escaped, and in copies of a field.
 */
function strayRanges(format: CredentialFormat, text: string, fields: readonly SecretField[]): readonly Range[] {
  const copied = new Set(fields.map(({ value }) => value).filter(({ length }) => length >= shortestCopy));
  const ranges = [
    ...matches(text, comments[format]),
    ...matches(text, userInfo),
    ...[...copied].flatMap((value) => placesOf(value, text)),
  ];
  return ranges.toSorted((a, b) => a.start - b.start);
}

const hash = /(?<=^[ \t]*#)[^\r\n]+/gmu;
const hashOrSemicolon = /(?<=^[ \t]*[#;])[^\r\n]+/gmu;

/** Lines that programs pass over. A text is nothing but its secret. */
const comments: Readonly<Record<CredentialFormat, RegExp>> = {
  text: /(?!)/gu,
  netrc: hash,
  npmrc: hashOrSemicolon,
  pgpass: hash,
  pip: hashOrSemicolon,
  git: hash,
  kubeconfig: hash,
  aws: hashOrSemicolon,
  gcloud: hash,
  docker: hash,
  json: hash,
  dotenv: hash,
};

/** What stands after the colon up to the last `@`; a user alone where it is as long as tokens are. */
const userInfo = /(?<=:\/\/[^\s:/?#@"'<>]{0,256}:)[^\s"'<>]{1,4096}(?=@)|(?<=:\/\/)[^\s:/?#@"'<>]{16,4096}(?=@)/gu;

function matches(text: string, pattern: RegExp): readonly Range[] {
  return [...text.matchAll(pattern)].map(({ index, 0: { length } }) => ({ start: index, end: index + length }));
}

function placesOf(value: string, text: string): readonly Range[] {
  const places: Range[] = [];
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + value.length))
    places.push({ start: at, end: at + value.length });
  return places;
}
