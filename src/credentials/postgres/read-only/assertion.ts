import { randomBytes } from 'node:crypto';
import { frontend, int32, message, zeroEnded } from '../protocol/types.ts';

/**
 * Makes its own transaction read-only, and the following ones. Both are settings, because `SET TRANSACTION` warns
 * outside a block. Neither takes a snapshot, which would forbid a later `SET TRANSACTION ISOLATION LEVEL`.
 */
const statements = ['SET default_transaction_read_only = on', 'SET transaction_read_only = on'] as const;

export interface Assertion {
  readonly bytes: Buffer;
  /** Number of the server's answers without a failure. */
  readonly answers: number;
}

/**
 * Creates the messages that precede the client's wherever a transaction may begin. They go out in the same write,
 * without a `Sync` of their own, so the client's messages run in their transaction. If they fail, because of a cancel
 * or a time-out, the server skips the client's messages too, even simple queries.
 *
 * They use the extended protocol, which leaves the unnamed statement alone. Their own statement is parsed again and
 * closed each time. A lasting one could be read from pg_prepared_statements, and replaced.
 */
export function createAssertion(name: string = `_holdfast_${randomBytes(12).toString('hex')}`): Assertion {
  const bytes = Buffer.concat(
    statements.flatMap((sql) => [
      message(frontend.parse, zeroEnded(name), zeroEnded(sql), Buffer.alloc(2)),
      message(frontend.bind, zeroEnded(''), zeroEnded(name), Buffer.alloc(6)),
      message(frontend.execute, zeroEnded(''), int32(0)),
      message(frontend.close, Buffer.from('S'), zeroEnded(name)),
    ]),
  );
  return { bytes, answers: statements.length * 4 };
}
