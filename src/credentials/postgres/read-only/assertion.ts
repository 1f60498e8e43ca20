import { randomBytes } from 'node:crypto';
import { frontend, int32, message, zeroEnded } from '../protocol/types.ts';

/**
 * Make the current transaction and all later ones read-only. Both are settings, because `SET TRANSACTION` warns outside
 * a transaction block. Neither takes a snapshot, because a snapshot would forbid a later `SET TRANSACTION ISOLATION
 * LEVEL`.
 */
const statements = ['SET default_transaction_read_only = on', 'SET transaction_read_only = on'] as const;

export interface Assertion {
  readonly bytes: Buffer;
  /** Number of answers that the server sends if nothing fails. */
  readonly answers: number;
}

/**
 * Creates the messages that are sent before the client's message wherever a transaction may begin. They are in the same
 * write and have no `Sync`, so the client's messages run in the same transaction. If they fail, because of a cancel or
 * a time-out, the server skips the client's messages too, even simple queries.
 *
 * They use the extended protocol with a named statement, so the client's unnamed statement stays unchanged. The named
 * statement is parsed and closed each time. The client could find a permanent one in pg_prepared_statements and replace
 * it.
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
