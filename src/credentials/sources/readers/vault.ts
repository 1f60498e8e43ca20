import { askProgram } from '../ask-program.ts';
import { oneLine } from '../one-line.ts';
import { patience } from '../patience.ts';
import type { ReadSource } from '../types.ts';

/** HashiCorp Vault: `vault kv get -field=FIELD PATH`, which prints the value alone; 2 stands for "no value found" and for servers that refuse. Source: developer.hashicorp.com/vault/docs/commands/kv/get. */
export const readVault: ReadSource<'vault'> = async ({ path, field }, _credential, context) => {
  if (path.startsWith('-')) return { kind: 'unavailable', why: 'its path begins with a dash', remedy: 'write it as MOUNT/NAME' };
  const said = await askProgram({ program: 'vault', words: ['kv', 'get', `-field=${field}`, path], timeout: patience, remedy: 'log in with `vault login`, set VAULT_ADDR, and try `vault kv get` with this path' }, context);
  return said.kind === 'output' ? oneLine(said.text) : said;
};
