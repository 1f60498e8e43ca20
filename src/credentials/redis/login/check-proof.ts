import type { BrokerWays } from '../../../egress/index.ts';
import { boundToHost, type Credential, groupOf } from '../../../policy/index.ts';
import type { AlarmKind, CredentialContext, PhantomOwner } from '../../types.ts';
import type { Proof } from './login-command.ts';
import { LoginFailure } from './failure.ts';

export interface Checking {
  readonly credential: Credential;
  readonly context: CredentialContext;
  readonly ways: BrokerWays;
}

/**
 * Whether a client has the phantom of the credential, and is where that is good. What is wrong goes to the journal,
 * with its alarm.
 */
export function checkProof({ password }: Proof, { credential, context, ways }: Checking): LoginFailure | undefined {
  const owner = context.registry.lookUp(password);
  const isBound = boundToHost(credential, ways.destination);
  if (owner?.credential === groupOf(credential) && owner.role === 'secret' && owner.state === 'good' && isBound)
    return undefined;
  const failure = failureOf(owner, credential);
  context.alarm({
    kind: alarmOf(owner, credential),
    credential: owner?.credential ?? '',
    destination: ways.destination,
    place: 'the login',
  });
  if (failure.refusal !== undefined) ways.refused(failure.refusal);
  return failure;
}

function alarmOf(owner: PhantomOwner | undefined, credential: Credential): AlarmKind {
  if (owner === undefined) return 'foreign-credential';
  if (owner.state === 'revoked') return 'phantom-revoked';
  return owner.credential === groupOf(credential) ? 'phantom-misplaced' : 'phantom-unbound';
}

function failureOf(owner: PhantomOwner | undefined, { name }: Credential): LoginFailure {
  const code = 'WRONGPASS';
  if (owner === undefined)
    return new LoginFailure(
      {
        code,
        message: `the password is not the one that stands for the credential "${name}"`,
        remedy: 'use the password or URL that the session put into the environment',
      },
      'foreign-credential',
    );
  if (owner.state === 'revoked')
    return new LoginFailure(
      { code, message: `what stood for the credential "${name}" is not good any more`, remedy: 'start a new session' },
      'phantom-misused',
    );
  return new LoginFailure(
    {
      code,
      message: `the password stands for the credential "${owner.credential}", which is not for here`,
      remedy: `use the one of the credential "${name}"`,
    },
    'phantom-misused',
  );
}
