/** A field of a credential file that holds a secret. Offsets cover the whole field as written, including quotes. */
export interface SecretField {
  readonly start: number;
  readonly end: number;
  /** The value as a program reads it. */
  readonly value: string;
  /** Returns another value, spelled as this field requires. */
  readonly encode: (value: string) => string;
  /** Host that the secret is for, in lower case, if the file names one. */
  readonly host?: string;
  /** Port that the secret is for. Absent: any port. */
  readonly port?: number;
  readonly user?: string;
  readonly role: FieldRole;
}

/** `key`: a private key or password that no request carries, so no phantom could replace it. */
export type FieldRole = 'secret' | 'accessKeyId' | 'sessionToken' | 'key';

/**
 * Finds the secret fields of one format, in order and without overlaps. Throws a `SyntaxError` for a file in another
 * format.
 */
export type SecretReader = (text: string) => readonly SecretField[];

export function asIs(value: string): string {
  return value;
}
