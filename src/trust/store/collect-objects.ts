import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isHoldfastError } from '../../errors/index.ts';
import type { TrustEntry, TrustLevel } from '../types.ts';
import { objectsDirectory, recordDirectory, recordNamePattern, type TrustPaths } from './layout.ts';
import { parseRecord } from './parse-record.ts';
import { hasOwnDirectory, readOwnFile } from './read-own-file.ts';
import { longestRecord } from './read-trust.ts';

/** Removes approved bytes that no record names, and what a crash left half written. Where one record cannot be read, nothing is: nobody knows what it names. */
export function collectObjects(paths: TrustPaths): void {
  const directory = objectsDirectory(paths);
  if (!hasOwnDirectory(directory)) return;
  const named = namedObjects(paths);
  if (named === undefined) return;
  for (const name of readdirSync(directory)) {
    if (!named.has(name)) rmSync(join(directory, name), { force: true });
  }
}

/** What an entry has in the store. */
function objectsOf({ sha256, scripts }: Pick<TrustEntry, 'sha256' | 'scripts'>): readonly string[] {
  return [sha256, ...scripts.flatMap((script) => script.sha256 ?? [])];
}

function namedObjects(paths: TrustPaths): ReadonlySet<string> | undefined {
  try {
    return new Set([...entriesOfAll(paths, 'always'), ...entriesOfAll(paths, 'session')].flatMap(objectsOf));
  } catch (error) {
    if (isHoldfastError(error)) return undefined;
    throw error;
  }
}

function entriesOfAll(paths: TrustPaths, level: TrustLevel): readonly TrustEntry[] {
  const directory = recordDirectory(paths, level);
  if (!hasOwnDirectory(directory)) return [];
  return readdirSync(directory).filter((name) => recordNamePattern.test(name)).flatMap((name) => {
    const path = join(directory, name);
    const bytes = readOwnFile(path, longestRecord);
    return bytes === undefined ? [] : parseRecord({ path, bytes }, level).entries;
  });
}
