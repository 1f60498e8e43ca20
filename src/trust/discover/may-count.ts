import type { Surface } from '../types.ts';

/**
 * Whether a file that counts only with fields may have one: a key of each of its patterns stands in it, or an escape that may
 * spell one. Most JSON of a repository is data, and is not parsed.
 */
export function mayCount({ counts, fields, format }: Surface, bytes: Buffer): boolean {
  if (counts !== 'with-fields' || (format !== 'json' && format !== 'jsonc')) return true;
  return bytes.includes('\\u') || fields.some(({ path }) => bytes.includes(longestKey(path)));
}

function longestKey(path: string): string {
  return path.split(/(?<!\\)\./u).filter((key) => !/[*?]/u.test(key)).reduce((longest, key) => (key.length > longest.length ? key.replaceAll('\\.', '.') : longest), '');
}
