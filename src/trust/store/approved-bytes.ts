import { join } from 'node:path';
import { HoldfastError } from '../../errors/index.ts';
import { invalidFile } from './failure.ts';
import { objectsDirectory, sha256Of, sha256Pattern, type TrustPaths } from './layout.ts';
import { hasOwnDirectory, readOwnFile } from './read-own-file.ts';

/** The bytes that were approved, whose SHA-256 this is. Throws `HF_TRUST_INVALID` where they are gone, or are others than were approved. */
export function approvedBytes(paths: TrustPaths, sha256: string): Buffer {
  if (!sha256Pattern.test(sha256)) throw new HoldfastError('HF_INTERNAL', `${JSON.stringify(sha256)} is no SHA-256`, { remedy: 'report it' });
  const directory = objectsDirectory(paths);
  const path = join(directory, sha256);
  const bytes = hasOwnDirectory(directory) ? readOwnFile(path, longestObject) : undefined;
  if (bytes === undefined) throw invalidFile(path, 'is gone, which held what was approved');
  if (sha256Of(bytes) !== sha256) throw invalidFile(path, 'holds other bytes than were approved');
  return bytes;
}

/** Bytes: more is never approved. */
export const longestObject = 64 << 20;
