import type { Duplex } from 'node:stream';

/** Writes to one side at once. Whether it keeps up; one that is gone does. */
export function writePieces(target: Duplex, pieces: readonly Buffer[]): boolean {
  const [only] = pieces;
  if (pieces.length === 0 || !target.writable) return true;
  if (pieces.length === 1 && only !== undefined) return target.write(only);
  target.cork();
  let hasRoom = true;
  for (const piece of pieces) hasRoom = target.write(piece);
  target.uncork();
  return hasRoom;
}
