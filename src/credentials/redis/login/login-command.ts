import { writeCommand } from '../protocol/write.ts';

/** `AUTH` or `HELLO`, understood. */
export type LoginCommand =
  | { readonly kind: 'login'; readonly name: 'AUTH' | 'HELLO'; readonly proof?: Proof; readonly hello?: Hello }
  /** As an error of the protocol. */
  | { readonly kind: 'problem'; readonly code: string; readonly message: string };

/** What a client says to be let in. */
export interface Proof {
  readonly user?: string;
  readonly password: string;
}

/** What is left of a HELLO without its AUTH. */
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

/** The same without a login: who asks has one already. */
export function writeHello({ version, clientName }: Hello): Buffer {
  return writeCommand([
    'HELLO',
    ...(version === undefined ? [] : [version]),
    ...(clientName === undefined ? [] : ['SETNAME', clientName]),
  ]);
}
