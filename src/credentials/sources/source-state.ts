import type { SecretSource } from '../../policy/index.ts';
import { findProgram } from './find-program.ts';
import { keyringOf } from './keyring-programs.ts';
import type { Failure, ProgramContext } from './types.ts';

/** What can be said of a source without starting a program, which might ask somebody for something. */
export type SourceState =
  /** The supervisor reads it itself. */
  | { readonly kind: 'at-hand' }
  /** Asked when a request first needs the secret. Absolute path. */
  | { readonly kind: 'asks'; readonly program: string }
  /** Nothing to read: a login brings it. */
  | { readonly kind: 'captured' }
  | Failure;

/** Whether what a source needs is on this machine. Reads no secret. */
export function sourceState(
  source: SecretSource,
  context: Pick<ProgramContext, 'environment' | 'platform' | 'writableRoots'>,
): SourceState {
  switch (source.kind) {
    case 'env':
    case 'file':
      return { kind: 'at-hand' };
    case 'capture':
      return { kind: 'captured' };
    case 'command':
      return found(source.argv[0] ?? '', context);
    case 'keyring': {
      const keyring = keyringOf(context.platform);
      return keyring.kind === 'keyring' ? found(keyring.look(source).program, context) : keyring;
    }
    case 'onepassword':
      return found('op', context);
    case 'bitwarden':
      return found('bw', context);
    case 'vault':
      return found('vault', context);
  }
}

function found(program: string, context: Pick<ProgramContext, 'environment' | 'writableRoots'>): SourceState {
  const place = findProgram(program, context);
  return place.kind === 'found' ? { kind: 'asks', program: place.path } : place;
}
