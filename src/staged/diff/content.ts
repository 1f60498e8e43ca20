import { readSync, fstatSync } from 'node:fs';

/** What can be shown of a file. */
export type Content =
  | { readonly kind: 'text'; /** One character for each byte, so that nothing is lost. */ readonly bytes: string }
  | { readonly kind: 'binary' }
  /** More than a person reads. */
  | { readonly kind: 'large' };

/** Larger files are named with their sizes only. */
const largestShown = 1 << 20;
/** git looks as far for a NUL. */
const looked = 8000;

/** Reads an open regular file. */
export function readContent(file: number): Content {
  const { size } = fstatSync(file);
  const buffer = Buffer.allocUnsafe(Math.min(size, largestShown) + 1);
  let filled = 0;
  for (let read = 1; read > 0 && filled < buffer.length; filled += read) read = readSync(file, buffer, filled, buffer.length - filled, filled);
  const bytes = buffer.subarray(0, filled);
  if (bytes.subarray(0, looked).includes(0)) return { kind: 'binary' };
  if (filled > largestShown || size > largestShown) return { kind: 'large' };
  return bytes.includes(0) ? { kind: 'binary' } : { kind: 'text', bytes: bytes.toString('latin1') };
}
