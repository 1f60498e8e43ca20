import type { BrokerWays, EgressRefusal } from '../../../egress/types.ts';
import { boundToHost } from '../../../policy/credentials/broker-for.ts';
import { type Credential, groupOf } from '../../../policy/credentials/types.ts';
import type { AlarmKind, CredentialContext, PhantomOwner } from '../../types.ts';
import { writeCommand } from '../protocol/write.ts';

/** A parsed `AUTH` or `HELLO`. */
export type LoginCommand =
  | { readonly kind: 'login'; readonly name: 'AUTH' | 'HELLO'; readonly proof?: Proof; readonly hello?: Hello }
  /** An error of the protocol. */
  | { readonly kind: 'problem'; readonly code: string; readonly message: string };

/** User and password that the client's login contains. */
export interface Proof {
  readonly user?: string;
  readonly password: string;
}

/** A HELLO without its AUTH. */
export interface Hello {
  readonly version?: '2' | '3';
  readonly clientName?: Buffer;
}

/**
 * `AUTH [user] password`, `HELLO [version [AUTH user password] [SETNAME name]]`. Source:
 * https://redis.io/docs/latest/commands/hello/
 */
export function parseLogin(args: readonly Buffer[]): LoginCommand | undefined {
  const [first, ...rest] = args;
  switch (first?.toString('latin1').toUpperCase()) {
    case 'AUTH':
      return parseAuth(rest);
    case 'HELLO':
      return parseHello(rest);
    default:
      return undefined;
  }
}

function parseAuth(args: readonly Buffer[]): LoginCommand {
  const [one, two, ...more] = args.map((arg) => arg.toString());
  if (one === undefined || more.length > 0)
    return { kind: 'problem', code: 'ERR', message: "wrong number of arguments for 'auth' command" };
  return { kind: 'login', name: 'AUTH', proof: two === undefined ? { password: one } : { user: one, password: two } };
}

function parseHello([version, ...options]: readonly Buffer[]): LoginCommand {
  if (version === undefined) return { kind: 'login', name: 'HELLO', hello: {} };
  const spoken = version.toString('latin1');
  if (spoken !== '2' && spoken !== '3')
    return { kind: 'problem', code: 'NOPROTO', message: 'unsupported protocol version' };
  let proof: Proof | undefined;
  let clientName: Buffer | undefined;
  for (let at = 0; at < options.length; ) {
    const [option, one, two] = options.slice(at, at + 3);
    const name = option?.toString('latin1').toUpperCase();
    if (name === 'AUTH' && one !== undefined && two !== undefined) {
      proof = { user: one.toString(), password: two.toString() };
      at += 3;
    } else if (name === 'SETNAME' && one !== undefined) {
      clientName = one;
      at += 2;
    } else return { kind: 'problem', code: 'ERR', message: 'Syntax error in HELLO' };
  }
  return {
    kind: 'login',
    name: 'HELLO',
    ...(proof !== undefined && { proof }),
    hello: { version: spoken, ...(clientName !== undefined && { clientName }) },
  };
}

/** Writes a HELLO without a login, for a connection that is logged in. */
export function writeHello({ version, clientName }: Hello): Buffer {
  return writeCommand([
    'HELLO',
    ...(version === undefined ? [] : [version]),
    ...(clientName === undefined ? [] : ['SETNAME', clientName]),
  ]);
}

export interface Checking {
  readonly credential: Credential;
  readonly context: CredentialContext;
  readonly ways: BrokerWays;
}

/**
 * Checks that a client has the phantom of the credential, at a destination where it is valid. A mismatch is in the
 * journal, with an alarm.
 */
export function checkProof(
  { password }: Proof,
  { credential, context, ways }: Checking,
): RedisLoginFailure | undefined {
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

function failureOf(owner: PhantomOwner | undefined, { name }: Credential): RedisLoginFailure {
  const code = 'WRONGPASS';
  if (owner === undefined)
    return new RedisLoginFailure(
      {
        code,
        message: `the password is not the phantom of the credential "${name}"`,
        remedy: 'use the password or URL that the session put into the environment',
      },
      'foreign-credential',
    );
  if (owner.state === 'revoked')
    return new RedisLoginFailure(
      { code, message: `the phantom of the credential "${name}" is no longer valid`, remedy: 'start a new session' },
      'phantom-misused',
    );
  return new RedisLoginFailure(
    {
      code,
      message: `the password is the phantom of the credential "${owner.credential}", which is not valid for this server`,
      remedy: `use the phantom of the credential "${name}"`,
    },
    'phantom-misused',
  );
}

/** Error of the protocol for a client. `refusal` goes to the journal unless the journal already has it. */
export class RedisLoginFailure extends Error {
  override readonly name = 'LoginFailure';
  /** First word of the error, such as `WRONGPASS`. */
  readonly code: string;
  readonly remedy: string;
  readonly refusal: EgressRefusal | undefined;

  constructor(
    error: { readonly code: string; readonly message: string; readonly remedy: string },
    refusal?: EgressRefusal['code'],
  ) {
    super(error.message);
    this.code = error.code;
    this.remedy = error.remedy;
    this.refusal = refusal === undefined ? undefined : { code: refusal, message: error.message, remedy: error.remedy };
  }
}
