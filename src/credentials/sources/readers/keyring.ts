import { askProgram } from '../ask-program.ts';
import { keyringOf } from '../keyring-programs.ts';
import { oneLine } from '../one-line.ts';
import type { ReadSource } from '../types.ts';

/** An entry of the user's keyring. The desktop may ask them to unlock it, which is why it waits longer than for a command. */
export const readKeyring: ReadSource<'keyring'> = async (entry, _credential, context) => {
  const keyring = keyringOf(context.platform);
  if (keyring.kind !== 'keyring') return keyring;
  const said = await askProgram(keyring.look(entry), context);
  return said.kind === 'output' ? oneLine(said.text) : said;
};
