import type { CredentialTable } from '../../sandbox/credentials/secrets/credential-table.ts';

type InjectTable = NonNullable<CredentialTable['inject']>;

/** `KIND`, or `KIND:WHAT` with the one thing that most uses of a kind need. Everything else is written into the policy by hand. */
export function injectOption(written: string): InjectTable {
  const colon = written.indexOf(':');
  if (colon === -1) return { kind: written as InjectTable['kind'] };
  const kind = written.slice(0, colon);
  return { kind: kind as InjectTable['kind'], [whats.get(kind) ?? 'user']: written.slice(colon + 1) };
}

/** Of the others it is the user, or nothing, which the policy room then says. */
const whats: ReadonlyMap<string, 'name' | 'parameter' | 'access_key_id'> = new Map([
  ['header', 'name'],
  ['cookie', 'name'],
  ['query', 'parameter'],
  ['sigv4', 'access_key_id'],
] as const);
