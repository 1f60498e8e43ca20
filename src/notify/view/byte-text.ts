/** Paths go through this room as latin1 texts: one character a byte, so that names that are no UTF-8 survive. */

/** As a policy knows it. */
export function readable(bytes: string): string {
  return isAscii(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString('utf8');
}

export function fromReadable(text: string): string {
  return isAscii(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}

export function toBytes(bytes: string): Buffer {
  return Buffer.from(bytes, 'latin1');
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/u.test(text);
}
