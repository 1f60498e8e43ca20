import { removeSecret } from '../../sandbox/credentials/secrets/user-secrets.ts';
import type { CommandInput } from '../command.ts';
import { printResult } from '../print-result.ts';
import { safeText } from '../safe-text.ts';
import { secretsPlace } from './secrets-place.ts';

/** `holdfast secrets remove NAME`: 1 when something of it may be left in the keyring. */
export async function removeSecretCommand(input: CommandInput, name: string): Promise<number> {
  const at = secretsPlace(input);
  const removed = await removeSecret(at, name);
  const file = at.place.paths.userPolicy;
  printResult(input, { removed: name, file, keyring: removed.kind === 'removed' ? 'untouched' : removed.kind }, `removed ${name} from ${file}${removed.kind === 'cleared' ? ', and its secret from the keyring' : ''}\n`);
  if (removed.kind !== 'left') return 0;
  input.io.stderr.write(safeText(`holdfast: its secret may still be in the keyring: ${removed.why}\nholdfast: to fix it: ${removed.remedy}\n`));
  return 1;
}
