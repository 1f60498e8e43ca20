/** Where a signature is good: a day, a region and a service. */
export interface Scope {
  /** `YYYYMMDD`. */
  readonly date: string;
  readonly region: string;
  readonly service: string;
}

/** How a client has signed a request, as far as it has to be known to sign it again. */
export interface ClientSignature {
  readonly kind: 'signature';
  /** `query`: a presigned URL. */
  readonly stands: 'header' | 'query';
  readonly accessKeyId: string;
  readonly scope: Scope;
  /** Lower case, sorted, without repetition, `host` among them. */
  readonly signedHeaders: readonly string[];
  /** `YYYYMMDDTHHMMSSZ`. */
  readonly time: string;
  /** Milliseconds after `time` that it is good for. */
  readonly lifetime: number;
}

/** Why a request cannot be signed again. Both are for people, one line each, without anything that the client sent. */
export interface Unsignable {
  readonly kind: 'unsignable';
  /** Follows "cannot sign this request again: ". */
  readonly why: string;
  readonly remedy: string;
}

export function unsignable(why: string, remedy: string): Unsignable {
  return { kind: 'unsignable', why, remedy };
}

/** For what no SDK sends. */
export const useAnSdk = 'Sign as the SDKs of AWS do.';
