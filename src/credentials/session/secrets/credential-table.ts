import type { CredentialTable } from '../../../policy/credentials/schema.ts';
// Not through the index, because other rooms must not write policies.
import { tomlText } from '../../../policy/words/toml-text.ts';

/** Returns the table as TOML, in the order of the manual, with a final line break. */
export function tableText(table: CredentialTable): string {
  const lines = keys.flatMap((key) => (table[key] === undefined ? [] : [`${key} = ${valueText(table[key])}`]));
  return `[[credentials]]\n${lines.join('\n')}\n`;
}

const keys: readonly (keyof CredentialTable)[] = [
  'name',
  'provider',
  'source',
  'hosts',
  'methods',
  'paths',
  'inject',
  'environment',
  'files',
  'base_urls',
  'use',
  'transport',
  'shape',
];

function valueText(value: unknown): string {
  if (typeof value === 'string') return tomlText(value);
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  return `{ ${Object.entries(value)
    .map(([key, each]) => `${key} = ${valueText(each)}`)
    .join(', ')} }`;
}
