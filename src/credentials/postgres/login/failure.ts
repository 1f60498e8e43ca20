import type { EgressRefusal } from '../../../egress/index.ts';
import type { ServerError } from '../protocol/types.ts';

/**
 * A login that cannot go on. The client is told `error`; `refusal` goes to the journal, where it does not stand in it
 * already.
 */
export class LoginFailure extends Error {
  override readonly name = 'LoginFailure';
  readonly error: ServerError;
  readonly refusal: EgressRefusal | undefined;

  constructor(error: Omit<ServerError, 'severity'>, refusal?: EgressRefusal['code']) {
    super(error.message);
    this.error = { ...error, severity: 'FATAL' };
    this.refusal =
      refusal === undefined
        ? undefined
        : { code: refusal, message: error.message, remedy: error.remedy ?? 'connect again' };
  }
}
