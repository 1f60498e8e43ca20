import type { InjectionKind } from '../../policy/credentials/injection.ts';
import type { SecretSource } from '../../policy/credentials/types.ts';
import { findProgram } from './ask-program.ts';
import { keyringOf } from './keyring-programs.ts';
import { longestAnswer } from './run-program.ts';
import type { SourceFailure, ProgramContext } from './types.ts';

/** State of a source. Finding it starts no program, because a program might prompt someone. */
export type SourceState =
  /** The supervisor reads the source itself. */
  | { readonly kind: 'at-hand' }
  /** The program, by its absolute path, is asked when a request first needs the secret. */
  | { readonly kind: 'asks'; readonly program: string }
  /** There is nothing to read: a login supplies the secret. */
  | { readonly kind: 'captured' }
  | SourceFailure;

/** Returns whether this machine has everything that a source needs. Reads no secret. */
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

/**
 * `key`: signs and is never sent. `field`: is sent unchanged in a header. `text`: is encoded, or part of another
 * protocol.
 */
type Form = 'key' | 'field' | 'text';

const forms: Readonly<Record<InjectionKind, Form>> = {
  bearer: 'field',
  header: 'field',
  cookie: 'field',
  basic: 'text',
  query: 'text',
  path: 'text',
  git: 'text',
  'docker-registry': 'text',
  sigv4: 'text',
  'oauth2-client': 'text',
  'oauth2-refresh': 'text',
  'oauth2-login': 'text',
  'github-app': 'key',
  'service-account': 'key',
  postgres: 'text',
  redis: 'text',
};

interface SecretTexts {
  readonly value: string;
  /** All of them are sent in headers. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Returns the reason that a secret cannot be used, without any part of the secret. Undefined if it can be used. */
export function secretProblem({ value, fields }: SecretTexts, injection: InjectionKind): string | undefined {
  const of = problemOf(value, forms[injection]);
  if (of !== undefined) return `it ${of}`;
  const bad = Object.entries(fields).find(([, text]) => problemOf(text, 'field') !== undefined);
  return bad === undefined ? undefined : `its ${bad[0]} ${problemOf(bad[1], 'field')}`;
}

function problemOf(text: string, form: Form): string | undefined {
  if (text.trim() === '') return 'is empty';
  if (Buffer.byteLength(text) > longestAnswer) return 'is longer than 64 KiB';
  // CR and LF would begin another header, and in C a NUL ends the text early.
  if (form === 'key' ? text.includes('\0') : /\p{Cc}/u.test(text))
    return form === 'key' ? 'holds a NUL character' : 'holds a line break or another control character';
  // Servers disagree about the encoding of other characters (RFC 9110 §5.5).
  return form === 'field' && /[^\x20-\x7e]/u.test(text) ? 'holds characters that a header cannot hold' : undefined;
}
