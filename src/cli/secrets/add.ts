import type { CredentialTable } from '../../sandbox/credentials/secrets/credential-table.ts';
import { addSecret, keyringService } from '../../sandbox/credentials/secrets/user-secrets.ts';
import { HoldfastError } from '../../errors/index.ts';
import { isSet, text, texts, type CommandInput } from '../command.ts';
import { printResult } from '../print-result.ts';
import { injectOption } from './inject-option.ts';
import { readSecret } from './read-secret.ts';
import { secretsPlace } from './secrets-place.ts';
import { sourceOption } from './source-option.ts';

/** `holdfast secrets add NAME`: one more table in the user's policy. */
export async function addSecretCommand(input: CommandInput, name: string): Promise<number> {
  const at = secretsPlace(input);
  const table = tableOf(input, name);
  await addSecret(at, table, isSet(input.values['keyring']) ? () => readSecret(name, input.io) : undefined);
  const file = at.place.paths.userPolicy;
  printResult(input, { added: name, file }, `added ${name} to ${file}: see \`holdfast secrets test ${name}\`\n`);
  return 0;
}

/** What the options say; whether it makes sense, the policy room knows. */
function tableOf({ values, rest, io }: CommandInput, name: string): CredentialTable {
  const [provider, hosts, from, inject] = [text(values['provider']), texts(values['host']), text(values['from']), text(values['inject'])];
  if (provider === undefined && hosts.length === 0) throw usage('where is it good?', 'name a service with --provider, or hosts with --host');
  if ((from === undefined) !== isSet(values['keyring'])) throw usage('where is the secret read?', 'name one source with --from, or store it with --keyring');
  const kind = inject ?? (provider === undefined ? 'bearer' : undefined);
  return {
    name,
    ...(provider === undefined ? {} : { provider: provider as NonNullable<CredentialTable['provider']> }),
    source: from === undefined ? { keyring: `${keyringService}/${name}` } : sourceOption({ from, rest, cwd: io.cwd, values }),
    ...listed('hosts', hosts),
    ...listed('methods', texts(values['method'])),
    ...listed('paths', texts(values['path'])),
    ...(kind === undefined ? {} : { inject: injectOption(kind) }),
    ...listed('environment', texts(values['env'])),
    ...(isSet(values['always']) ? { use: 'always' } : {}),
  };
}

function listed<Key extends 'hosts' | 'methods' | 'paths' | 'environment'>(key: Key, items: readonly string[]): Partial<Record<Key, readonly string[]>> {
  return items.length === 0 ? {} : ({ [key]: items } as Record<Key, readonly string[]>);
}

function usage(message: string, remedy: string): HoldfastError {
  return new HoldfastError('HF_USAGE', message, { remedy });
}
