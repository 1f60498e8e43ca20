import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { recordDirectory, recordName, type TrustPaths } from '../../trust/store/layout.ts';

/** Where records of a workspace lie now, if it has any. A name is not made where no workspace has one: hashing it loads 4 ms of OpenSSL. */
export function trustRecords(paths: TrustPaths, workspace: string): readonly string[] {
  return (['session', 'always'] as const).map((level) => recordDirectory(paths, level)).filter((directory) => existsSync(directory)).map((directory) => join(directory, recordName(workspace)));
}
