import { join } from 'node:path';
import type { TrustLevel, TrustRecord } from '../types.ts';
import { recordDirectory, recordName, type TrustPaths } from './layout.ts';
import { parseRecord } from './parse-record.ts';
import { hasOwnDirectory, invalidFile, readOwnFile } from './write-own-file.ts';

/**
 * Returns all approvals of a workspace, by its real path: first those of this login, then the permanent ones. A path
 * may occur once for each level. Empty without approvals. Throws `HF_TRUST_INVALID` for a file that cannot be trusted,
 * which is never read as empty, and never changed.
 */
export function readTrust(paths: TrustPaths, workspace: string): TrustRecord {
  return {
    version: 1,
    workspace,
    entries: [...readLevel(paths, workspace, 'session').entries, ...readLevel(paths, workspace, 'always').entries],
  };
}

/** Reads the record of one level. */
export function readLevel(paths: TrustPaths, workspace: string, level: TrustLevel): TrustRecord {
  const directory = recordDirectory(paths, level);
  if (!hasOwnDirectory(directory)) return { version: 1, workspace, entries: [] };
  const path = join(directory, recordName(workspace));
  const bytes = readOwnFile(path, longestRecord);
  if (bytes === undefined) return { version: 1, workspace, entries: [] };
  const record = parseRecord({ path, bytes }, level);
  if (record.workspace !== workspace)
    throw invalidFile(path, `is of another workspace, ${JSON.stringify(record.workspace)}`);
  return record;
}

/** Bytes. A thousand approved files with a hundred fields each take a tenth of that. */
export const longestRecord = 64 << 20;
