import process from 'node:process';
import { askProgram, oneLine } from './ask-program.ts';
import { keyringOf, type KeyringEntry } from './keyring-programs.ts';
import { runProgram } from './run-program.ts';
import type { Failure, ProgramContext } from './types.ts';

/** Default: the keyring of this system, and real processes. */
export type KeyringOptions = Pick<ProgramContext, 'environment' | 'writableRoots'> & Partial<ProgramContext>;

/**
 * Puts a secret into the user's keyring, over one that is there, and reads it back: a keyring that cuts it short or
 * changes its encoding would be noticed much later, by a server.
 */
export async function storeInKeyring(
  entry: KeyringEntry,
  secret: string,
  options: KeyringOptions,
): Promise<{ readonly kind: 'stored' } | Failure> {
  const context = contextOf(options);
  const keyring = keyringOf(context.platform);
  if (keyring.kind !== 'keyring') return keyring;
  const stored = await askProgram(keyring.store(entry, secret), context);
  if (stored.kind !== 'output') return stored;
  const back = await askProgram(keyring.look(entry), context);
  if (back.kind !== 'output') return back;
  return oneLine(back.text).value === secret
    ? { kind: 'stored' }
    : {
        kind: 'unavailable',
        why: 'the keyring gives back something else than was stored',
        remedy: 'store the secret with the tool of the keyring itself',
      };
}

/** Takes an entry out of the user's keyring. */
export async function clearFromKeyring(
  entry: KeyringEntry,
  options: KeyringOptions,
): Promise<{ readonly kind: 'cleared' } | Failure> {
  const context = contextOf(options);
  const keyring = keyringOf(context.platform);
  if (keyring.kind !== 'keyring') return keyring;
  const cleared = await askProgram(keyring.clear(entry), context);
  return cleared.kind === 'output' ? { kind: 'cleared' } : cleared;
}

function contextOf(options: KeyringOptions): ProgramContext {
  return { platform: process.platform, runner: runProgram, signal: new AbortController().signal, ...options };
}
