/**
 * A place of a credential file that holds a secret. Offsets are of the whole field as it is written, quotes and all.
 */
export interface SecretField {
  readonly start: number;
  readonly end: number;
  /** As a program reads it. */
  readonly value: string;
  /** Another value as it has to be written there. */
  readonly encode: (value: string) => string;
  /** Whom it is for, in lower case, where the file says so. */
  readonly host?: string;
  /** Absent: any. */
  readonly port?: number;
  readonly user?: string;
  readonly role: FieldRole;
}

/** `key`: a private key or password that no request carries, so that nothing could stand for it. */
export type FieldRole = 'secret' | 'accessKeyId' | 'sessionToken' | 'key';

/**
 * Finds the secret fields of one format, in order and apart. Throws a `SyntaxError` for a file that is no such file.
 */
export type SecretReader = (text: string) => readonly SecretField[];

export function asIs(value: string): string {
  return value;
}
