import { join } from 'node:path';
import type { TrustLevel, TrustRecord } from '../types.ts';
import { recordDirectory, recordName, type TrustPaths } from './layout.ts';
import { parseRecord } from './parse-record.ts';
import { hasOwnDirectory, invalidFile, readOwnFile } from './write-own-file.ts';

/**
 * Everything that was approved of a workspace, given by its real path: what holds for this login, then what holds
 * always. A path may be there once for each level. Empty where nothing was approved. Throws `HF_TRUST_INVALID` for a
 * file that cannot be relied upon: it is never read as empty, and never changed.
 */
export function readTrust(paths: TrustPaths, workspace: string): TrustRecord {
  return {
    version: 1,
    workspace,
    entries: [...readLevel(paths, workspace, 'session').entries, ...readLevel(paths, workspace, 'always').entries],
  };
}

/** The record of one level. */
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

/** Bytes. A thousand approved files with a hundred fields each are a tenth of it. */
export const longestRecord = 64 << 20;
