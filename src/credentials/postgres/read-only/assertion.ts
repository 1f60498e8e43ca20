import { randomBytes } from 'node:crypto';
import { frontend, int32, message, zeroEnded } from '../protocol/types.ts';

/**
 * Makes the transaction that begins with it read-only, and those that follow. Both are settings, not `SET TRANSACTION`,
 * which warns outside of a block; neither takes a snapshot, which would forbid `SET TRANSACTION ISOLATION LEVEL` after
 * it.
 */
const statements = ['SET default_transaction_read_only = on', 'SET transaction_read_only = on'] as const;

export interface Assertion {
  readonly bytes: Buffer;
  /** How many messages the server answers with, when nothing fails. */
  readonly answers: number;
}

/**
 * What stands before the client's messages wherever a transaction may begin, in the same write and without a `Sync` of
 * its own: the client's messages run in its transaction, and when it fails (it is cancelled, or runs out of time) the
 * server skips them, simple queries too. It is in the extended protocol so that it does not touch the unnamed
 * statement. Its own statement is parsed again each time and closed at once: one that stayed could be read from
 * pg_prepared_statements, and replaced.
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
