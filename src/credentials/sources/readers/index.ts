import type { Credential, SourceKind } from '../../../policy/index.ts';
import type { Answer, Failure, ReadSource, SourceContext } from '../types.ts';
import { readBitwarden } from './bitwarden.ts';
import { readNothing } from './capture.ts';
import { readCommand } from './command.ts';
import { readEnvironment } from './env.ts';
import { readFileSource } from './file.ts';
import { readKeyring } from './keyring.ts';
import { readOnePassword } from './onepassword.ts';
import { readVault } from './vault.ts';

const readers: { readonly [Kind in SourceKind]: ReadSource<Kind> } = {
  env: readEnvironment,
  file: readFileSource,
  command: readCommand,
  keyring: readKeyring,
  onepassword: readOnePassword,
  bitwarden: readBitwarden,
  vault: readVault,
  capture: readNothing,
};

/** Asks the source of a credential once. */
export function readSource(credential: Credential, context: SourceContext): Promise<Answer | Failure> {
  // The type of the table says that each gets sources of its own kind; the union of them cannot be called.
  const reader = readers[credential.source.kind] as ReadSource<SourceKind>;
  return reader(credential.source, credential, context);
}
