import type { PhantomShape } from '../../policy/index.ts';
import { type AlphabetName, alphabetOf } from './alphabets.ts';
import { type VendorForm, vendorForms } from './vendor-forms.ts';

/** How a phantom is written. Nothing in it is of one key alone, but for the claims of a token, which its owner may mask before. */
export type PhantomForm =
  | { readonly kind: 'text'; readonly prefix: string; readonly alphabet: AlphabetName; readonly length: number; readonly checksum: 'none' | 'github-crc32'; readonly separator?: VendorForm['separator'] }
  | { readonly kind: 'uuid'; readonly prefix: string }
  /** `head`: header and claims, each with its full stop. `length`: that of the signature. */
  | { readonly kind: 'jwt'; readonly head: string; readonly length: number };

/** What stands for secrets that nobody could show: base62, 40 characters. */
const unknown: PhantomForm = { kind: 'text', prefix: '', alphabet: 'base62', length: 40, checksum: 'none' };
/** No vendor gives fewer characters after its prefix; a password that begins like one may. */
const shortestKey = 16;
/** Longer ones are documents. */
const longestLike = 8192;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu;
const jwt = /^([\w-]+)\.([\w-]+)\.([\w-]*)$/u;

/** By a shape that a policy spells out. */
export function formOfShape({ prefix, alphabet, length, checksum }: PhantomShape): PhantomForm {
  switch (alphabet) {
    case 'uuid':
      return { kind: 'uuid', prefix };
    case 'jwt':
      return { kind: 'jwt', head: `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded({})}.`, length: 43 };
    default:
      return { kind: 'text', prefix, alphabet, length, checksum };
  }
}

/**
 * By an example. Of it are kept: the prefix of a vendor that is known, header and claims of a JSON Web Token, the kind of
 * characters, and the length. A prefix that looks like one is not taken for one: it could be half of a password. PEM and JSON keys,
 * and everything else with blanks in it, give 40 characters of base62.
 */
export function formOfExample(like: string): PhantomForm {
  if (like === '' || like.length > longestLike || !/^[!-~]+$/u.test(like) || like.startsWith('{')) return unknown;
  const token = formOfToken(like);
  if (token !== undefined) return token;
  const vendor = vendorOf(like);
  const prefix = vendor?.prefix ?? /^\d{6,12}:(?=[\w-]{35}$)/u.exec(like)?.[0] ?? '';
  const rest = like.slice(prefix.length);
  if (uuid.test(rest)) return { kind: 'uuid', prefix };
  const { separator } = vendor ?? {};
  const written = separator !== undefined && rest[separator.at] === separator.character ? { separator } : {};
  const random = written.separator === undefined ? rest : rest.replace(written.separator.character, '');
  return { kind: 'text', prefix, alphabet: alphabetOf(random), length: rest.length, checksum: vendor?.checksum ?? 'none', ...written };
}

/** RFC 7515 §3.1: a header that names an algorithm, claims, and a signature. */
function formOfToken(like: string): PhantomForm | undefined {
  const [, header = '', claims = '', signature = ''] = jwt.exec(like) ?? [];
  try {
    const fields: unknown = JSON.parse(Buffer.from(header, 'base64url').toString());
    const isToken = typeof fields === 'object' && fields !== null && 'alg' in fields;
    return isToken ? { kind: 'jwt', head: `${header}.${claims}.`, length: signature.length } : undefined;
  } catch {
    return undefined;
  }
}

function vendorOf(like: string): VendorForm | undefined {
  const fitting = vendorForms.filter(({ prefix }) => like.startsWith(prefix) && like.length >= prefix.length + shortestKey);
  return fitting.reduce<VendorForm | undefined>((longest, form) => (form.prefix.length > (longest?.prefix.length ?? 0) ? form : longest), undefined);
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
