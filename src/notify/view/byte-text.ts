/** In this room, paths are latin1 texts with one character per byte, so that names that are not UTF-8 survive. */

/** The path as a policy writes it. */
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
