import type { EgressRefusal } from '../../../egress/index.ts';

/**
 * What a client is told, as an error of the protocol. `refusal` goes to the journal, where it does not stand in it
 * already.
 */
export class LoginFailure extends Error {
  override readonly name = 'LoginFailure';
  /** First word of the error: `WRONGPASS`. */
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
