/**
 * Whether a text has the shape of a secret. Knows token prefixes of services, PEM keys, JSON web tokens and URLs with a
 * password. Also finds long runs of letters and digits that no person would type.
 */
export function looksSecret(value: string): boolean {
  if (value.length < shortest) return false;
  return known.test(value) || urlWithPassword.test(value) || isRandom(value);
}

const shortest = 12;

/** Sources: the token formats that the services document, each with its minimum length. */
const shapes: readonly string[] = [
  'gh[pousr]_[A-Za-z0-9]{20,}',
  'github_pat_[A-Za-z0-9_]{20,}',
  'glpat-[\\w-]{20,}',
  'sk-[A-Za-z0-9_-]{20,}',
  '[rs]k_(?:live|test)_[A-Za-z0-9]{16,}',
  'A(?:KIA|SIA|BIA|CCA)[0-9A-Z]{16}',
  'xox[a-z]-[A-Za-z0-9-]{10,}',
  'xapp-[A-Za-z0-9-]{10,}',
  'npm_[A-Za-z0-9]{30,}',
  'pypi-[\\w-]{30,}',
  'AIza[\\w-]{35}',
  'ya29\\.[\\w-]{20,}',
  'hf_[A-Za-z0-9]{30,}',
  'gsk_[A-Za-z0-9]{40,}',
  'SG\\.[\\w-]{16,}\\.[\\w-]{16,}',
  'dop_v1_[0-9a-f]{32,}',
  'AGE-SECRET-KEY-1[0-9A-Z]{20,}',
  'eyJ[\\w-]{8,}\\.eyJ[\\w-]{8,}\\.',
];

const known = new RegExp(`(?:^|[^A-Za-z0-9])(?:${shapes.join('|')})|-----BEGIN [A-Z ]{0,40}PRIVATE KEY`);
const urlWithPassword = /[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/@:]{0,200}:[^\s/@]{1,500}@/i;

/** Excludes the punctuation of paths, lists and sentences. Hexadecimal digests are not secrets. */
const run = /^[A-Za-z0-9_+/=-]{32,4096}$/;

function isRandom(value: string): boolean {
  if (!run.test(value) || value.startsWith('/') || /^[0-9a-f-]+$/i.test(value)) return false;
  if (!/[0-9]/.test(value) || !/[a-z]/.test(value) || !/[A-Z]/.test(value)) return false;
  return bitsPerCharacter(value) >= leastBits;
}

/** English words joined by hyphens have less than 4. Random base64 text of 32 characters has about 4.6. */
const leastBits = 4.1;

/** Shannon's entropy of the characters. */
function bitsPerCharacter(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum - (count / value.length) * Math.log2(count / value.length), 0);
}
