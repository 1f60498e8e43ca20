import type { ServerError } from '../protocol/types.ts';

export interface Caps {
  /** Rows of an answer, and lines of a COPY. */
  readonly maxRows?: number;
  /** Octets of them, as they are on the wire. */
  readonly maxBytes?: number;
}

/** Counts what one statement gives after the other. */
export interface CapCounter {
  /** The error that ends the statement, once, when this row is more than it may give. */
  row(octets: number): ServerError | undefined;
  /** A statement has ended. */
  reset(): void;
}

/** `credential` is the name by which the policy knows it. */
export function createCapCounter({ maxRows = Infinity, maxBytes = Infinity }: Caps, credential: string): CapCounter {
  let rows = 0;
  let octets = 0;
  return {
    row(size) {
      rows += 1;
      octets += size;
      if (rows > maxRows) return exceeded(`${maxRows} rows`, 'max_rows', credential);
      return octets > maxBytes ? exceeded(`${maxBytes} bytes`, 'max_bytes', credential) : undefined;
    },
    reset() {
      rows = 0;
      octets = 0;
    },
  };
}

function exceeded(most: string, key: string, credential: string): ServerError {
  return { severity: 'ERROR', code: '54000', message: `the statement gives more than ${most}, which is all that ${key} of the credential "${credential}" allows`, remedy: 'ask for less (WHERE, LIMIT, aggregates), or have the limit raised in the policy' };
}
