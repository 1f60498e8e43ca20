/** A place of a credential file that holds a secret. Offsets cover the whole field as written, including quotes. */
export interface SecretField {
  readonly start: number;
  readonly end: number;
  /** Value as a program reads it. */
  readonly value: string;
  /** Returns another value in the spelling of this place. */
  readonly encode: (value: string) => string;
  /** Host of the secret, in lower case, if the file names one. */
  readonly host?: string;
  /** Absent: any port. */
  readonly port?: number;
  readonly user?: string;
  readonly role: FieldRole;
}

/** `key`: a private key or password that no request carries. No phantom could stand for it. */
export type FieldRole = 'secret' | 'accessKeyId' | 'sessionToken' | 'key';

/**
 * Finds the secret fields of one format, in order and without overlaps. Throws a `SyntaxError` for a file in another
 * format.
 */
export type SecretReader = (text: string) => readonly SecretField[];

export function asIs(value: string): string {
  return value;
}
