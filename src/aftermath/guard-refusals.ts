import type { FileRequest, SocketRequest } from '../policy/request.ts';

/** A call that the guard of a box refused, and for sockets the program that made it. */
export interface GuardRefusal {
  readonly request: FileRequest | SocketRequest;
  readonly program?: string;
}

const operations: Readonly<Record<string, SocketRequest['operation']>> = { c: 'connect', s: 'send' };

/** Reads a report of `native/src/launch/guard/refusals.c`: a kind, a path, and for sockets NUL and a program. */
export function guardRefusal(report: Buffer): GuardRefusal {
  const [path = '', program = ''] = report.toString('utf8', 1).split('\0');
  const operation = operations[report.toString('latin1', 0, 1)];
  if (operation === undefined) return { request: { kind: 'file', operation: 'create', path } };
  return { request: { kind: 'socket', operation, address: path }, ...(program === '' ? {} : { program }) };
}
