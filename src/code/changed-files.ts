import type { Files, ListedFile } from '../files/index.ts';
import { findFiles } from '../files/session/find-files.ts';
import type { CollectedArtifacts } from './artifacts.ts';

/** Files below a directory that match `patterns`, with values that identify the state of each file. */
export interface FileStates {
  readonly states: ReadonlyMap<string, { readonly file: ListedFile; readonly state: string }>;
  readonly searched: CollectedArtifacts['searched'];
}

export interface ChangedFiles {
  readonly files: readonly ListedFile[];
  /** Not `whole` if one of the two searches did not see every file. */
  readonly searched: CollectedArtifacts['searched'];
}

/** Most files that one pattern may match. */
const most = 2000;

/** Reads the states through the confined worker. A missing directory has no files. */
export async function fileStates(
  files: Pick<Files, 'list'>,
  patterns: readonly string[],
  path: string,
): Promise<FileStates> {
  const states = new Map<string, { readonly file: ListedFile; readonly state: string }>();
  let searched: FileStates['searched'] = 'whole';
  const detailed: Pick<Files, 'list'> = { list: (directory) => files.list(directory, { detail: 'stat' }) };
  for (const pattern of patterns) {
    const found = await findFiles(detailed, pattern, { path, limit: most });
    if (found.searched !== 'whole') searched = found.searched;
    for (const file of found.files) states.set(file.bytes.toString('latin1'), { file, state: stateOf(file) });
  }
  return { states, searched };
}

/** Returns the files of `after` that are new or have changed since `before`. */
export function changedFiles(before: FileStates, after: FileStates): ChangedFiles {
  return {
    files: [...after.states].flatMap(([name, { file, state }]) =>
      before.states.get(name)?.state === state ? [] : [file],
    ),
    searched: before.searched === 'whole' ? after.searched : before.searched,
  };
}

function stateOf({ type, info }: ListedFile): string {
  return [type, info?.inode, info?.size, info?.modified, info?.changed].join(' ');
}
