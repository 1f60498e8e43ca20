import type { PhantomShape } from '../../policy/credentials/injection.ts';

/**
 * Form of a phantom. It does not reveal the real key. Of a token it reveals the claims, which the token's owner may
 * mask.
 */
export type PhantomForm =
  | {
      readonly kind: 'text';
      readonly prefix: string;
      readonly alphabet: AlphabetName;
      readonly length: number;
      readonly checksum: 'none' | 'github-crc32';
      readonly separator?: VendorForm['separator'];
    }
  | { readonly kind: 'uuid'; readonly prefix: string }
  /** `head`: header and claims, each followed by a full stop. `length`: length of the signature. */
  | { readonly kind: 'jwt'; readonly head: string; readonly length: number };

/** Form of a phantom whose secret has an unknown shape: 40 characters of base62. */
const unknown: PhantomForm = { kind: 'text', prefix: '', alphabet: 'base62', length: 40, checksum: 'none' };
/**
 * Every vendor's keys have at least this many characters after the prefix. A password that begins like a key may have
 * fewer.
 */
const shortestKey = 16;
/** Longer values are documents. */
const longestLike = 8192;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu;
const jwt = /^([\w-]+)\.([\w-]+)\.([\w-]*)$/u;

/** Returns the form for a shape that a policy file describes. */
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
 * Returns the form for an example. The form keeps a known vendor's prefix, the header and claims of a JSON Web Token,
 * the kind of characters, and the length. It does not keep an unknown prefix, because that could be half of a password.
 * PEM keys, JSON keys, and everything else that contains blanks become 40 characters of base62.
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
  return {
    kind: 'text',
    prefix,
    alphabet: alphabetOf(random),
    length: rest.length,
    checksum: vendor?.checksum ?? 'none',
    ...written,
  };
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
  const fitting = vendorForms.filter(
    ({ prefix }) => like.startsWith(prefix) && like.length >= prefix.length + shortestKey,
  );
  return fitting.reduce<VendorForm | undefined>(
    (longest, form) => (form.prefix.length > (longest?.prefix.length ?? 0) ? form : longest),
    undefined,
  );
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

/** Facts about a vendor's keys that an example does not show. */
interface VendorForm {
  /** Beginning of every key of this kind. Phantoms may show it, because it reveals nothing of a single key. */
  readonly prefix: string;
  readonly checksum?: 'github-crc32';
  /** A character that every key has at this position after the prefix. */
  readonly separator?: { readonly at: number; readonly character: string };
}

const withChecksum = ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'npm_'] as const;

const plain = [
  'sk-ant-api03-',
  'sk-ant-admin01-',
  'sk-ant-oat01-',
  'sk-ant-ort01-',
  'sk-ant-',
  'sk-proj-',
  'sk-svcacct-',
  'sk-admin-',
  'sk-or-v1-',
  'sk-',
  'gsk_',
  'xai-',
  'pplx-',
  'nvapi-',
  'tgp_v1_',
  'fw_',
  'r8_',
  'hf_',
  'csk-',
  'AIza',
  'AQ.',
  'ya29.',
  '1//',
  'GOCSPX-',
  'glpat-',
  'gldt-',
  'glrt-',
  'glcbt-',
  'glptt-',
  'glsoat-',
  'gloas-',
  'ATATT3xFfGF0',
  'ATBB',
  'ATCTT3xFfGN0',
  'pypi-AgEIcHlwaS5vcmc',
  'pypi-AgENdGVzdC5weXBpLm9yZw',
  'rubygems_',
  'CLOJARS_',
  'dckr_pat_',
  'dckr_oat_',
  'AKIA',
  'ASIA',
  'ABSK',
  'dop_v1_',
  'doo_v1_',
  'dor_v1_',
  'dapi',
  'hvs.',
  'hvb.',
  'dp.pt.',
  'dp.st.',
  'HRKU-',
  'pul-',
  'tskey-auth-',
  'tskey-api-',
  'sbp_',
  'nfp_',
  'pscale_pw_',
  'pscale_tkn_',
  'napi_',
  'xoxb-',
  'xoxp-',
  'xoxa-',
  'xoxe-',
  'xapp-',
  'sk_live_',
  'sk_test_',
  'rk_live_',
  'rk_test_',
  'whsec_',
  'shpat_',
  'shpss_',
  'shpca_',
  'sq0atp-',
  'sq0csp-',
  're_',
  'key-',
  'phc_',
  'phx_',
  'lin_api_',
  'lin_oauth_',
  'ntn_',
  'secret_',
  'figd_',
  'pat-na1-',
  'pat-eu1-',
  'PMAK-',
  'NRAK-',
  'glsa_',
  'sntrys_',
  'sntryu_',
  'lsv2_pt_',
  'lsv2_sk_',
] as const;

/** Prefixes from the vendors' documentation, or from gitleaks, which collects them. */
const vendorForms: readonly VendorForm[] = [
  ...withChecksum.map((prefix) => ({ prefix, checksum: 'github-crc32' }) as const),
  ...plain.map((prefix) => ({ prefix })),
  { prefix: 'github_pat_', separator: { at: 22, character: '_' } },
  { prefix: 'SG.', separator: { at: 22, character: '.' } },
];

const digits = '0123456789';
const lower = 'abcdefghijklmnopqrstuvwxyz';
const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** From the smallest to the largest. Each contains the digits of the session's tag, 2 to 7. */
const alphabets = {
  hex: `${digits}abcdef`,
  'upper-hex': `${digits}ABCDEF`,
  'upper-base32': `${upper}234567`,
  'lower-base36': digits + lower,
  /** In the order of GitHub's checksums. */
  base62: digits + upper + lower,
  base64url: `${digits + upper + lower}-_`,
} as const;

type AlphabetName = keyof typeof alphabets;

const names = Object.keys(alphabets) as readonly AlphabetName[];

export function alphabetCharacters(name: AlphabetName): string {
  return alphabets[name];
}

/**
 * Returns the smallest alphabet that contains a text. Default: base62, which is valid in every position of a request.
 */
function alphabetOf(text: string): AlphabetName {
  return names.find((name) => [...text].every((character) => alphabets[name].includes(character))) ?? 'base62';
}

/** Returns how many characters of an alphabet give at least 128 bits of entropy. */
export function charactersFor128Bits(alphabet: string): number {
  return Math.ceil(128 / Math.log2(alphabet.length));
}
