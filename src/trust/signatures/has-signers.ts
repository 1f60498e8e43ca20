import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { TrustPaths } from '../store/layout.ts';

/** Whether anybody's signatures count anywhere. A look that loads nothing; what lies there may still be refused. */
export function hasSigners(paths: Pick<TrustPaths, 'trust'>): boolean {
  return lstatSync(signersFile(paths), { throwIfNoEntry: false }) !== undefined;
}

export function signersFile({ trust }: Pick<TrustPaths, 'trust'>): string {
  return join(trust, 'keys.json');
}
