import type { CredentialTable } from '../document/types.ts';
import type { Finding } from '../document/problem.ts';
import { looksSecret } from '../settings/secret-shapes.ts';

/** Texts that look random and are public. */
const publicKeys: ReadonlySet<string> = new Set(['access_key_id', 'client_id', 'app_id', 'installation_id', 'audience']);

/**
 * Places where somebody has written the secret itself. Nothing of what stands there is repeated, and nothing else is said about
 * the table: other messages quote what they are about.
 */
export function pastedSecrets(table: CredentialTable, at: string): readonly Finding[] {
  return textsIn(table, at)
    .filter(({ key, text }) => !publicKeys.has(key) && looksSecret(text.replaceAll(/\{phantom(?::\w+)?\}/g, '')))
    .map(({ at: place }) => ({
      at: place,
      message: `${place.slice(at.length + 1)} of the credential "${table.name}" looks like a secret, and secrets do not belong into a policy`,
      remedy: `revoke it if this file was shared; keep it where secrets are kept, and name that place: source = { env = "…" }, or \`holdfast secrets add ${table.name}\``,
    }));
}

interface PlacedText {
  readonly at: string;
  readonly key: string;
  readonly text: string;
}

function textsIn(value: unknown, at: string, key = ''): readonly PlacedText[] {
  if (typeof value === 'string') return [{ at, key, text: value }];
  if (Array.isArray(value)) return value.flatMap((item: unknown, index) => textsIn(item, `${at}[${index}]`, key));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => textsIn(item, `${at}.${name}`, name));
}
